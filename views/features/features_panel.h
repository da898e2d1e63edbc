// SPDX-License-Identifier: GPL-3.0-or-later
// The left dock: every toggle that the era reads, by group, and the numbers. It shows the values at the cursor and asks for
// changes by signals; the session decides whether a change continues the run or begins a branch.
#pragma once

#include "features/feature_row.h"
#include "features/features_model.h"
#include "selection/run_source.h"

#include <QHash>
#include <QWidget>

class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace rqscope {

class FeaturesPanel : public QWidget {
    Q_OBJECT
public:
    FeaturesPanel(const Theme& theme, RunSource& source, QWidget* parent = nullptr);
    [[nodiscard]] const FeaturesModel& model() const { return m_model; }
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void featureChanged(rqscope::FeatureSetting setting);
    void tunableChanged(rqscope::TunableSetting setting);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Section {
        QToolButton* heading = nullptr;
        QLabel* count = nullptr;
        QWidget* body = nullptr;
        std::vector<SettingRow*> rows;
    };
    void buildFoot(QVBoxLayout* column);
    void takeRun();     // era and defaults of another run
    void takeValues();  // values at the cursor
    void rebuild();
    Section buildSection(const QModelIndex& index, QVBoxLayout* column);
    SettingRow* buildRow(const QModelIndex& index);
    void fillSection(Section& section, const QModelIndex& index);
    void setOpen(const Section& section, const QString& title, bool open);
    void showChanges(const QModelIndex& index);
    void updateCounts();
    void resetAll();

    const Theme& m_theme;
    RunSource& m_source;
    FeaturesModel m_model;
    QScrollArea* m_scroll;
    QLabel* m_note; // stays in sight while an era is a reconstruction
    QLabel* m_foot;
    QPushButton* m_reset;
    QPushButton* m_copy;
    std::vector<Section> m_sections;
    QHash<QString, bool> m_open; // by title, kept over rebuilds
};

} // namespace rqscope
