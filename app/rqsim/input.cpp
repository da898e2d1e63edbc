// SPDX-License-Identifier: GPL-3.0-or-later
#include "rqsim/input.h"

#include "base/words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <filesystem>
#include <vector>

namespace rqscope {

namespace {

// Forms of the contract that a later version reads.
bool isLaterForm(const QString& input) {
    return input == "this" || QFileInfo(input).isDir() || input.endsWith(".xml") || input.endsWith(".tar.bz2");
}

} // namespace

MachineDirs machineDirs() {
    MachineDirs dirs;
    const QDir bin(QCoreApplication::applicationDirPath());
    for (const auto& dir : {bin.filePath(RQSCOPE_SHARE_FROM_BIN "/topologies"), QString(RQSCOPE_SOURCE_DIR "/topologies")})
        if (QFileInfo(dir).isDir()) dirs.emplace_back(QDir::cleanPath(dir).toStdString());
    return dirs;
}

Result<Machine> readMachine(const QString& input) {
    const auto reference = input.toStdString();
    if (isLaterForm(input))
        return Problem{reference,
                       "not available in this version: reading this kind of machine; a sched-topology/1 file was expected"};
    return find_machine(reference, std::filesystem::path(), machineDirs());
}

Result<Workload> readWorkload(const QString& spec, const Machine& machine) {
    return find_workload(spec.toStdString(), std::filesystem::path(), machine);
}

Result<Era> readEra(const QString& key) {
    if (const auto era = find_era(key.toStdString())) return *era;
    std::vector<std::string_view> keys;
    for (const auto& info : all_eras()) keys.push_back(info.key);
    auto hint = did_you_mean(key.toStdString(), keys);
    if (hint.empty()) hint = " (rqsim eras lists them)";
    return Problem{"--era " + key.toStdString(), "no such era" + hint};
}

} // namespace rqscope
