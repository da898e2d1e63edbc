// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs of rqsim and what they share: one table, one exit code convention, help for each.
#pragma once

#include <QCommandLineParser>
#include <QStringList>

#include <optional>

namespace rqscope {

// Exit codes of the contract.
enum Exit : int {
    kOk = 0,
    kCheckFailed = 1,
    kBadInput = 2, // also bad usage, and what this version cannot do yet
};

// Runs the verb named by the first argument.
[[nodiscard]] int runCli(const QStringList& arguments);

// One verb's command line: parses, answers -h and -v itself, reports what is wrong.
class VerbParser : public QCommandLineParser {
public:
    // `usage` follows "rqsim " in the help's first line.
    VerbParser(QString usage, const QString& description);

    // An exit code when there is nothing left to do (help was printed, or the line is wrong).
    [[nodiscard]] std::optional<int> readLine(const QStringList& arguments, int minPositional, int maxPositional);
    // The value of an option of which the last one counts; empty = not given.
    [[nodiscard]] std::optional<QString> given(const QString& option) const;
    [[nodiscard]] bool json() const { return isSet("json"); }
    void addJson();
    void addForce();

private:
    QString m_usage;
};

int runEras(const QStringList& arguments);
int runFeatures(const QStringList& arguments);
int runTopology(const QStringList& arguments);
int runDomains(const QStringList& arguments);
int runRun(const QStringList& arguments);
int runConformance(const QStringList& arguments);
int runBench(const QStringList& arguments);

} // namespace rqscope
