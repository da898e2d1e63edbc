// SPDX-License-Identifier: GPL-3.0-or-later
#include "features/features_model.h"

#include "base/words.h"
#include "theme/format.h"

#include <algorithm>

namespace rqscope {

namespace {

constexpr quintptr kSectionId = 0; // entries carry their section's row + 1

std::int64_t tunableOf(const Tunables& tunables, std::size_t index) { return tunables.*all_tunables()[index].field; }

QStringList choicesOf(const FeatureInfo& info) {
    QStringList choices;
    for (const auto word : split_words(info.choices)) choices << fromStd(word);
    return choices;
}

QString valueText(const FeatureInfo& info, FeatureValue value) {
    if (value == 0) return QStringLiteral("off");
    const auto choices = choicesOf(info);
    return value <= choices.size() ? choices[value - 1] : QStringLiteral("on");
}

bool isTime(const TunableInfo& info) { return info.name.ends_with("_ns"); }

// debugfs moved the file from sched_features to sched/features in 5.13.
QString featuresFile(Era era) {
    return era < Era::V5_19 ? QStringLiteral("/sys/kernel/debug/sched_features") : QStringLiteral("/sys/kernel/debug/sched/features");
}

} // namespace

FeaturesModel::FeaturesModel(QObject* parent) : QAbstractItemModel(parent) { buildSections(); }

void FeaturesModel::buildSections() {
    m_sections.clear();
    Section unread{Kind::Unread, QStringLiteral("Not read by %1").arg(fromStd(era_info(m_era).key)), {}};
    // By group, whatever the first toggle is that the era reads: sections keep their places from era to era.
    const auto all = all_features();
    std::vector<FeatureInfo> byGroup(all.begin(), all.end());
    std::stable_sort(byGroup.begin(), byGroup.end(), [](const FeatureInfo& a, const FeatureInfo& b) { return a.group < b.group; });
    for (const auto& info : byGroup) {
        const auto feature = static_cast<std::size_t>(info.feature);
        if (!readable(info.feature, m_era)) {
            unread.entries.push_back(feature);
            continue;
        }
        const auto title = fromStd(name_of(info.group));
        auto section = std::find_if(m_sections.begin(), m_sections.end(), [&](const Section& s) { return s.title == title; });
        if (section == m_sections.end()) section = m_sections.insert(section, {Kind::Feature, title, {}});
        section->entries.push_back(feature);
    }
    Section scheduler{Kind::Tunable, QStringLiteral("Tunables"), {}};
    Section costs{Kind::Tunable, QStringLiteral("Model costs"), {}};
    const auto tunables = all_tunables();
    for (std::size_t i = 0; i < tunables.size(); ++i)
        (tunables[i].group == TunableGroup::Scheduler ? scheduler : costs).entries.push_back(i);
    m_sections.push_back(std::move(scheduler));
    m_sections.push_back(std::move(costs));
    if (!unread.entries.empty()) m_sections.push_back(std::move(unread));
}

void FeaturesModel::reset(Era era, const Tunables& defaults) {
    beginResetModel();
    m_era = era;
    m_features = FeatureSet(era);
    m_tunables = m_defaults = defaults;
    buildSections();
    endResetModel();
}

void FeaturesModel::setValues(const FeatureSet& features, const Tunables& tunables) {
    const auto oldFeatures = m_features;
    const auto oldTunables = m_tunables;
    m_features = features;
    m_tunables = tunables;
    for (int s = 0; s < rowCount(); ++s) {
        const auto& section = m_sections[static_cast<std::size_t>(s)];
        bool touched = false;
        for (std::size_t i = 0; i < section.entries.size(); ++i) {
            const auto entry = section.entries[i];
            const auto same = section.kind == Kind::Tunable
                ? tunableOf(oldTunables, entry) == tunableOf(m_tunables, entry)
                : oldFeatures.value(Feature{static_cast<std::uint8_t>(entry)}) == m_features.value(Feature{static_cast<std::uint8_t>(entry)});
            if (same) continue;
            touched = true;
            const auto changed = index(static_cast<int>(i), 0, index(s, 0));
            emit dataChanged(changed, changed);
        }
        if (touched) emit dataChanged(index(s, 0), index(s, 0));
    }
}

bool FeaturesModel::featureChanged(std::size_t feature) const {
    const auto id = Feature{static_cast<std::uint8_t>(feature)};
    return readable(id, m_era) && m_features.value(id) != default_value(id, m_era);
}

bool FeaturesModel::tunableChanged(std::size_t tunable) const { return tunableOf(m_tunables, tunable) != tunableOf(m_defaults, tunable); }

int FeaturesModel::changedCount() const { return static_cast<int>(featuresToReset().size() + tunablesToReset().size()); }

std::vector<FeatureSetting> FeaturesModel::featuresToReset() const {
    std::vector<FeatureSetting> settings;
    for (const auto& info : all_features())
        if (featureChanged(static_cast<std::size_t>(info.feature))) settings.push_back({info.feature, default_value(info.feature, m_era)});
    return settings;
}

std::vector<TunableSetting> FeaturesModel::tunablesToReset() const {
    std::vector<TunableSetting> settings;
    for (std::size_t i = 0; i < all_tunables().size(); ++i)
        if (tunableChanged(i)) settings.push_back({&all_tunables()[i], tunableOf(m_defaults, i)});
    return settings;
}

QStringList FeaturesModel::echoLines() const {
    QStringList lines;
    for (const auto& setting : featuresToReset()) {
        const auto now = FeatureSetting{setting.feature, m_features.value(setting.feature)};
        lines << QStringLiteral("echo %1 > %2").arg(fromStd(to_string(now)), featuresFile(m_era));
    }
    return lines;
}

QModelIndex FeaturesModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kSectionId);
}

QModelIndex FeaturesModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kSectionId) return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, kSectionId);
}

int FeaturesModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(m_sections.size());
    if (parent.internalId() != kSectionId || parent.column() != 0) return 0;
    return static_cast<int>(m_sections[static_cast<std::size_t>(parent.row())].entries.size());
}

int FeaturesModel::columnCount(const QModelIndex&) const { return 1; }

QVariant FeaturesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (index.internalId() == kSectionId) return sectionData(m_sections[static_cast<std::size_t>(index.row())], role);
    const auto& section = m_sections[static_cast<std::size_t>(index.internalId()) - 1];
    const auto entry = section.entries[static_cast<std::size_t>(index.row())];
    if (role == KindRole) return static_cast<int>(section.kind);
    return section.kind == Kind::Tunable ? tunableData(entry, role) : featureData(entry, section.kind, role);
}

QVariant FeaturesModel::sectionData(const Section& section, int role) const {
    const auto count = [&section](auto&& holds) { return static_cast<int>(std::count_if(section.entries.begin(), section.entries.end(), holds)); };
    switch (role) {
    case Qt::DisplayRole:
    case NameRole: return section.title;
    case KindRole: return static_cast<int>(section.kind);
    case CountRole: return static_cast<int>(section.entries.size());
    case OnCountRole:
        return section.kind == Kind::Feature ? count([this](std::size_t f) { return m_features.has(Feature{static_cast<std::uint8_t>(f)}); }) : 0;
    case ChangedCountRole:
        return section.kind == Kind::Tunable ? count([this](std::size_t t) { return tunableChanged(t); })
                                             : count([this](std::size_t f) { return featureChanged(f); });
    default: return {};
    }
}

QVariant FeaturesModel::featureData(std::size_t feature, Kind kind, int role) const {
    const auto id = Feature{static_cast<std::uint8_t>(feature)};
    const auto& info = feature_info(id);
    switch (role) {
    case Qt::DisplayRole:
    case NameRole: return fromStd(info.name);
    case SummaryRole:
        return kind == Kind::Unread ? QStringLiteral("%1 does not read it.").arg(fromStd(era_info(m_era).key)) : fromStd(info.summary);
    case ValueRole: return static_cast<qlonglong>(kind == Kind::Unread ? 0 : m_features.value(id));
    case DefaultRole: return static_cast<qlonglong>(default_value(id, m_era));
    case DefaultTextRole: return valueText(info, default_value(id, m_era));
    case ChangedRole: return featureChanged(feature);
    case ChoicesRole: return choicesOf(info);
    case IndexRole: return static_cast<int>(feature);
    default: return {};
    }
}

QVariant FeaturesModel::tunableData(std::size_t tunable, int role) const {
    const auto& info = all_tunables()[tunable];
    switch (role) {
    case Qt::DisplayRole:
    case NameRole: return fromStd(info.name);
    case SummaryRole: return fromStd(info.summary);
    case ValueRole: return static_cast<qlonglong>(tunableOf(m_tunables, tunable));
    case DefaultRole: return static_cast<qlonglong>(tunableOf(m_defaults, tunable));
    case DefaultTextRole: return grouped(tunableOf(m_defaults, tunable)) + (isTime(info) ? QStringLiteral(" ns") : QString());
    case ChangedRole: return tunableChanged(tunable);
    case MinimumRole: return static_cast<qlonglong>(info.min);
    case MaximumRole: return static_cast<qlonglong>(info.max);
    case UnitRole: return isTime(info) ? QStringLiteral("ns") : QString();
    case IndexRole: return static_cast<int>(tunable);
    default: return {};
    }
}

} // namespace rqscope
