// SPDX-License-Identifier: GPL-3.0-or-later
#include "rqsim/cli.h"

#include "base/words.h"
#include "rqsim/output.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace rqscope {

namespace {

struct Verb {
    std::string_view name;
    int (*run)(const QStringList&); // nullptr: a later version has it
    std::string_view summary;
};

constexpr std::array<Verb, 12> kVerbs = {{
    {"run", runRun, "simulate a scenario, print the figures of the run"},
    {"eras", runEras, "the kernels that can be simulated"},
    {"features", runFeatures, "the toggles of an era"},
    {"topology", runTopology, "read, show and convert a machine"},
    {"domains", runDomains, "the scheduling domains of a machine"},
    {"conformance", runConformance, "check the core against recorded values"},
    {"bench", runBench, "events per second of fixed scenarios"},
    {"compare", nullptr, "paired runs of two settings"},
    {"explain", nullptr, "why a decision fell as it did"},
    {"trace", nullptr, "analysis of a real trace"},
    {"lesson", nullptr, "lessons"},
    {"reproduce", nullptr, "published experiments"},
}};

QString toQt(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

QString overview() {
    QString text =
        "Usage: rqsim VERB [ARGUMENTS]\n\nSimulates the Linux fair scheduler.\n\nVerbs (rqsim VERB -h says more):\n";
    for (const auto& verb : kVerbs) {
        text += "  " + toQt(verb.name).leftJustified(13) + toQt(verb.summary);
        text += verb.run == nullptr ? " (not available in this version)\n" : "\n";
    }
    return text + "\nOptions:\n  -h, --help     this text\n  -v, --version  the version\n";
}

int unknownVerb(const QString& word) {
    std::vector<std::string_view> names;
    for (const auto& verb : kVerbs) names.push_back(verb.name);
    return fail(word, "is no verb of rqsim" + toQt(did_you_mean(word.toStdString(), names)) + " (rqsim -h lists them)");
}

} // namespace

int runCli(const QStringList& arguments) {
    if (arguments.isEmpty()) {
        printError(overview());
        return kBadInput;
    }
    const auto& word = arguments.first();
    if (word == "-h" || word == "--help" || word == "help") {
        print(overview());
        return kOk;
    }
    if (word == "-v" || word == "--version") {
        print("rqsim " + QCoreApplication::applicationVersion() + '\n');
        return kOk;
    }
    const auto name = word.toStdString();
    const auto* verb = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& v) { return v.name == name; });
    if (verb == kVerbs.end()) return unknownVerb(word);
    if (verb->run != nullptr) return verb->run(arguments);
    if (arguments.contains("-h") || arguments.contains("--help")) {
        print("rqsim " + word + ": " + toQt(verb->summary) + ". Not available in this version.\n");
        return kOk;
    }
    return fail(word, "not available in this version");
}

VerbParser::VerbParser(QString usage, const QString& description) : m_usage(std::move(usage)) {
    setApplicationDescription(description);
    setOptionsAfterPositionalArgumentsMode(QCommandLineParser::ParseAsOptions);
    addOption({{"h", "help"}, "Show this text."});
    addOption({{"v", "version"}, "Show the version."});
}

void VerbParser::addJson() { addOption({"json", "Print one JSON document."}); }
void VerbParser::addForce() { addOption({"force", "Overwrite output files that exist."}); }

std::optional<QString> VerbParser::given(const QString& option) const {
    const auto all = values(option);
    return all.isEmpty() ? std::nullopt : std::optional(all.last());
}

std::optional<int> VerbParser::readLine(const QStringList& arguments, int minPositional, int maxPositional) {
    const auto verb = arguments.first();
    const bool understood = parse(arguments); // the verb stands where a program's name would
    if (isSet("help")) {
        auto text = helpText();
        print("Usage: rqsim " + m_usage + text.mid(text.indexOf('\n')));
        return kOk;
    }
    if (isSet("version")) {
        print("rqsim " + QCoreApplication::applicationVersion() + '\n');
        return kOk;
    }
    if (!understood) return fail(verb, errorText() + " (rqsim " + verb + " -h shows the options)");
    const auto count = positionalArguments().size();
    if (count < minPositional) return fail(verb, "something is missing: rqsim " + m_usage);
    if (count > maxPositional) return fail(verb, "one argument too many: " + positionalArguments().at(maxPositional));
    return std::nullopt;
}

} // namespace rqscope
