// SPDX-License-Identifier: GPL-3.0-or-later
// `rqsim topology` and `rqsim domains`: a machine as read, and what the kernel of an era makes of it.
#include "rqsim/cli.h"
#include "rqsim/input.h"
#include "rqsim/output.h"
#include "topology/build_domains.h"
#include "topology/machine_json.h"
#include "topology/topology_text.h"

namespace rqscope {

namespace {

void showWarnings(const std::vector<std::string>& warnings) {
    for (const auto& text : warnings) warn(QString::fromStdString(text));
}

} // namespace

int runTopology(const QStringList& arguments) {
    VerbParser parser("topology INPUT [--save OUT.json] [--json]",
                      "Reads a machine (a sched-topology/1 file, or the name of an installed one), shows and converts it.");
    parser.addOption({"save", "Write it as canonical sched-topology/1.", "OUT.json"});
    parser.addForce();
    parser.addJson();
    if (const auto code = parser.readLine(arguments, 1, 1)) return *code;
    const auto out = parser.given("save");
    if (out)
        if (const auto code = checkOutput(*out, parser.isSet("force"))) return *code;
    const auto machine = readMachine(parser.positionalArguments().first());
    if (!machine) return fail(machine.problems());
    const auto canonical = save_machine_json(*machine);
    if (out && !writeFile(*out, parser.isSet("force"), [&](const auto& sink) { sink(canonical); })) return kBadInput;
    if (parser.json()) {
        showWarnings(machine->warnings);
        print(canonical);
    } else {
        print(topology_text(*machine)); // holds the warnings
    }
    return kOk;
}

int runDomains(const QStringList& arguments) {
    VerbParser parser("domains INPUT [--era ERA] [--offline CPULIST] [--json]",
                      "The scheduling domains that the kernel of an era builds for a machine.");
    parser.addOption({"era", "The kernel (rqsim eras); 4.8 if not given.", "ERA"});
    parser.addOption({"offline", "CPUs to unplug first, as in 0-3,8; they stay possible.", "CPULIST"});
    parser.addJson();
    if (const auto code = parser.readLine(arguments, 1, 1)) return *code;
    const auto era = readEra(parser.given("era").value_or(QString::fromUtf8(era_info(kDefaultEra).key.data())));
    if (!era) return fail(era.problems());
    const auto machine = readMachine(parser.positionalArguments().first());
    if (!machine) return fail(machine.problems());
    auto online = machine->online;
    if (const auto list = parser.given("offline")) {
        const auto mask = CpuMask::parse_list(list->toStdString());
        if (!mask) return fail("--offline " + *list, QString::fromStdString(mask.problems().front().message));
        if (!mask->subset_of(machine->possible))
            return fail("--offline " + *list, "names CPUs that the machine does not have; it has " +
                                                  QString::fromStdString(machine->possible.to_list()));
        online -= *mask;
    }
    const auto domains = build_domains(*machine, era_info(*era).domains, online, domain_options(*era));
    if (!domains) return fail(domains.problems());
    showWarnings(domains->warnings);
    const auto key = era_info(*era).key;
    print(parser.json() ? domains_json(*domains, key, online) : domains_text(*domains, key));
    return kOk;
}

} // namespace rqscope
