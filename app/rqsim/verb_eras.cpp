// SPDX-License-Identifier: GPL-3.0-or-later
// `rqsim eras` and `rqsim features`: the two tables of the core, as text and as JSON.
#include "base/json_text.h"
#include "base/words.h"
#include "rqsim/cli.h"
#include "rqsim/input.h"
#include "rqsim/output.h"
#include "sched/features.h"

namespace rqscope {

namespace {

using Layout = JsonText::Layout;

std::string erasJson() {
    JsonText json;
    json.begin_object().member("schema", "rqscope-eras/1").key("eras").begin_array(Layout::Lines);
    for (const auto& e : all_eras()) {
        json.begin_object(Layout::Inline).member("era", e.key).member("available", e.available);
        json.member("placement", name_of(e.placement)).member("run_queue", name_of(e.run_queue));
        json.member("load", name_of(e.load)).member("domains", name_of(e.domains));
        json.member("balance", name_of(e.balance)).member("borrows", e.borrows).end_object();
    }
    json.end_array().end_object();
    return json.text();
}

QString column(std::string_view text, int width) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).leftJustified(width);
}

QString erasText() {
    QString text = column("era", 17) + column("placement", 11) + column("run queue", 14) + column("load", 6) +
                   column("domains", 9) + column("balance", 9) + "borrows\n";
    for (const auto& e : all_eras()) {
        text += column(e.key, 17) + column(name_of(e.placement), 11) + column(name_of(e.run_queue), 14) +
                column(name_of(e.load), 6) + column(name_of(e.domains), 9) + column(name_of(e.balance), 9);
        if (!e.available) text += "[not available in this version] ";
        text += column(e.borrows, 0) + '\n';
    }
    return text;
}

// "off on", or "off RFC MERGED".
std::vector<std::string> valuesOf(const FeatureInfo& f) {
    std::vector<std::string> values = {"off"};
    if (f.choices.empty()) values.emplace_back("on");
    for (const auto word : split_words(f.choices)) values.emplace_back(word);
    return values;
}

std::string featuresJson(Era era) {
    JsonText json;
    json.begin_object().member("schema", "rqscope-features/1").member("era", era_info(era).key);
    json.key("features").begin_array(Layout::Lines);
    for (const auto& f : all_features()) {
        json.begin_object(Layout::Inline).member("name", f.name).key("values").begin_array();
        const auto values = valuesOf(f);
        for (const auto& value : values) json.value(value);
        json.end_array().member("default", values[default_value(f.feature, era)]);
        json.member("readable", readable(f.feature, era)).member("group", name_of(f.group));
        json.key("requires").begin_array().end_array().member("summary", f.summary).end_object();
    }
    json.end_array().end_object();
    return json.text();
}

QString featuresText(Era era) {
    QString text = "Toggles of era " + column(era_info(era).key, 0) + "; * = read by this era\n";
    std::optional<FeatureGroup> group;
    for (const auto& f : all_features()) {
        if (group != f.group) text += '\n' + column(name_of(f.group), 0) + '\n';
        group = f.group;
        const auto values = valuesOf(f);
        QString list;
        for (const auto& value : values) list += (list.isEmpty() ? "" : "|") + QString::fromStdString(value);
        text += QString(readable(f.feature, era) ? " * " : "   ") + column(f.name, 25) + list.leftJustified(16) +
                column(readable(f.feature, era) ? values[default_value(f.feature, era)] : "-", 8) + column(f.summary, 0) +
                '\n';
    }
    return text;
}

} // namespace

int runEras(const QStringList& arguments) {
    VerbParser parser("eras [--json]", "The kernels that can be simulated, and the profile each picks per subsystem.");
    parser.addJson();
    if (const auto code = parser.readLine(arguments, 0, 0)) return *code;
    if (parser.json()) print(erasJson());
    else print(erasText());
    return kOk;
}

int runFeatures(const QStringList& arguments) {
    VerbParser parser("features [--era ERA] [--json]", "The toggles, with their values and what the era has by default.");
    parser.addOption({"era", "The kernel (rqsim eras); 4.8 if not given.", "ERA"});
    parser.addJson();
    if (const auto code = parser.readLine(arguments, 0, 0)) return *code;
    auto era = kDefaultEra;
    if (const auto key = parser.given("era")) {
        const auto found = readEra(*key);
        if (!found) return fail(found.problems());
        era = *found;
    }
    if (parser.json()) print(featuresJson(era));
    else print(featuresText(era));
    return kOk;
}

} // namespace rqscope
