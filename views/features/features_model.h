// SPDX-License-Identifier: GPL-3.0-or-later
// Every toggle and tunable as a two-level tree: sections and their entries, with the value now and the era's default. The
// model only shows; a change is asked for by the panel, made by the session, and comes back through setValues().
#pragma once

#include "sched/features.h"
#include "sched/tunables.h"

#include <QAbstractItemModel>
#include <QStringList>

#include <vector>

namespace rqscope {

class FeaturesModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        KindRole = Qt::UserRole, // Kind of the section's entries
        NameRole,                // kernel spelling; of a section, its title
        SummaryRole,             // one sentence; of an unread feature, why
        ValueRole,               // qlonglong; features: 0 = off
        DefaultRole,             // qlonglong
        DefaultTextRole,         // "off", "on", "RFC", "6 000 000 ns"
        ChangedRole,             // bool: differs from the default
        ChoicesRole,             // QStringList, empty for a switch
        MinimumRole, MaximumRole, UnitRole, // tunables
        IndexRole,               // Feature, or position in all_tunables()
        OnCountRole, CountRole, ChangedCountRole // sections
    };
    enum class Kind { Feature, Tunable, Unread };

    explicit FeaturesModel(QObject* parent = nullptr);

    // Another era or machine: the sections are built anew.
    void reset(Era era, const Tunables& defaults);
    void setValues(const FeatureSet& features, const Tunables& tunables);

    [[nodiscard]] Era era() const { return m_era; }
    [[nodiscard]] const Tunables& defaults() const { return m_defaults; }
    [[nodiscard]] int changedCount() const;
    [[nodiscard]] std::vector<FeatureSetting> featuresToReset() const; // settings that bring the defaults back
    [[nodiscard]] std::vector<TunableSetting> tunablesToReset() const;
    // What to type as root on a real kernel of this era; features that differ only.
    [[nodiscard]] QStringList echoLines() const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Section {
        Kind kind;
        QString title;
        std::vector<std::size_t> entries; // Feature or position in all_tunables()
    };
    void buildSections();
    [[nodiscard]] bool featureChanged(std::size_t feature) const;
    [[nodiscard]] bool tunableChanged(std::size_t tunable) const;
    [[nodiscard]] QVariant sectionData(const Section& section, int role) const;
    [[nodiscard]] QVariant featureData(std::size_t feature, Kind kind, int role) const;
    [[nodiscard]] QVariant tunableData(std::size_t tunable, int role) const;

    Era m_era = Era::V4_8;
    FeatureSet m_features;
    Tunables m_tunables;
    Tunables m_defaults;
    std::vector<Section> m_sections;
};

} // namespace rqscope
