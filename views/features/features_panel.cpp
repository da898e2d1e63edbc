// SPDX-License-Identifier: GPL-3.0-or-later
#include "features/features_panel.h"

#include "features/tunable_row.h"
#include "theme/format.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

namespace rqscope {

namespace {

const auto kReconstruction = QStringLiteral("Reconstruction of unpublished work of May 2016, known from mails only. Order of the blocks and "
                                            "defaults are assumed; see core/select/idle_wip_2016.cpp.");

// Numbers and features that the era ignores are closed at first.
bool openAtFirst(const QModelIndex& section) {
    return section.data(FeaturesModel::KindRole).toInt() == static_cast<int>(FeaturesModel::Kind::Feature);
}

Tunables defaultsOf(const Scenario& scenario) {
    auto tunables = default_tunables(scenario.machine.online.count());
    for (const auto& [name, value] : scenario.machine.costs)
        if (const auto* info = find_tunable(name)) tunables.*info->field = value;
    return tunables;
}

QString countText(const QModelIndex& section) {
    const auto count = section.data(FeaturesModel::CountRole).toInt();
    switch (static_cast<FeaturesModel::Kind>(section.data(FeaturesModel::KindRole).toInt())) {
    case FeaturesModel::Kind::Feature: return QStringLiteral("%1 of %2 on").arg(section.data(FeaturesModel::OnCountRole).toInt()).arg(count);
    case FeaturesModel::Kind::Tunable: return QStringLiteral("%1 of %2 changed").arg(section.data(FeaturesModel::ChangedCountRole).toInt()).arg(count);
    default: return QString::number(count);
    }
}

} // namespace

FeaturesPanel::FeaturesPanel(const Theme& theme, RunSource& source, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_source(source), m_scroll(new QScrollArea),
      m_note(makeLabel({}, {.text = "small", .ink = "2"})), m_foot(makeLabel({}, {.text = "small", .ink = "2"})),
      m_reset(new QPushButton(QStringLiteral("Reset"))), m_copy(new QPushButton(QStringLiteral("Copy as echo lines"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(QStringLiteral("Features"));
    m_note->setObjectName(QStringLiteral("reconstruction"));
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    column->addWidget(m_scroll, 1);
    buildFoot(column);

    connect(&m_model, &QAbstractItemModel::dataChanged, this, &FeaturesPanel::showChanges);
    connect(&m_source, &RunSource::runReset, this, &FeaturesPanel::takeRun);
    connect(&m_source, &RunSource::cursorMoved, this, &FeaturesPanel::takeValues);
    connect(&m_theme, &Theme::changed, this, &FeaturesPanel::rebuild); // margins and widths follow the text scale
    takeRun();
}

QSize FeaturesPanel::sizeHint() const { return {m_theme.px(292), m_theme.px(400)}; }

void FeaturesPanel::resizeEvent(QResizeEvent*) {
    // The whole name where there is room; the tool tip has it always.
    m_copy->setText(width() >= m_theme.px(370) ? QStringLiteral("Copy as echo lines") : QStringLiteral("Copy"));
}

void FeaturesPanel::buildFoot(QVBoxLayout* column) {
    auto* line = new QFrame;
    line->setProperty("fill", "line");
    line->setFixedHeight(1);
    column->addWidget(line);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(4);
    row->addWidget(m_foot, 1);
    for (auto* button : {m_copy, m_reset}) {
        button->setProperty("kind", "link");
        row->addWidget(button);
    }
    m_copy->setToolTip(QStringLiteral("Copy as echo lines for a real kernel"));
    m_copy->setAccessibleName(QStringLiteral("Copy as echo lines"));
    column->addLayout(row);
    connect(m_reset, &QPushButton::clicked, this, &FeaturesPanel::resetAll);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_model.echoLines().join(QLatin1Char('\n')) + QLatin1Char('\n')); });
}

void FeaturesPanel::takeRun() {
    const auto* history = m_source.history();
    const auto defaults = history ? defaultsOf(history->scenario()) : Tunables{};
    // A branch has the same rows; rebuilding would lose the scroll position and the flash.
    if (history && !m_sections.empty() && history->scenario().era == m_model.era() && defaults == m_model.defaults()) {
        takeValues();
        return;
    }
    if (history) m_model.reset(history->scenario().era, defaults);
    takeValues();
    rebuild();
}

void FeaturesPanel::takeValues() {
    if (m_source.history()) m_model.setValues(m_source.snapshot().features, m_source.snapshot().tunables);
}

void FeaturesPanel::rebuild() {
    m_sections.clear();
    m_note->setContentsMargins(m_theme.px(12), m_theme.px(8), m_theme.px(12), m_theme.px(4));
    m_note->setText(kReconstruction);
    m_note->setVisible(m_source.history() && is_reconstruction(era_info(m_model.era())));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, m_theme.px(4), 0, m_theme.px(4));
    column->setSpacing(0);
    if (!m_source.history()) {
        auto* empty = makeLabel(QStringLiteral("No run is open. Choose a machine and a workload."), {.ink = "2"});
        empty->setWordWrap(true);
        empty->setMargin(m_theme.px(12));
        column->addWidget(empty);
    } else {
        for (int s = 0; s < m_model.rowCount(); ++s) m_sections.push_back(buildSection(m_model.index(s, 0), column));
    }
    column->addStretch(1);
    // The old rows may be in the middle of a signal that led here.
    if (auto* old = m_scroll->takeWidget()) old->deleteLater();
    m_scroll->setWidget(content);
    content->show();
    updateCounts();
}

FeaturesPanel::Section FeaturesPanel::buildSection(const QModelIndex& index, QVBoxLayout* column) {
    Section section;
    const auto title = index.data(FeaturesModel::NameRole).toString();
    section.heading = new QToolButton;
    section.heading->setText(title);
    section.heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    section.heading->setProperty("kind", "heading");
    section.heading->setObjectName(title);
    section.count = makeLabel({}, {.text = "tiny", .ink = "2"});
    auto* head = new QHBoxLayout;
    head->setContentsMargins(m_theme.px(6), m_theme.px(4), m_theme.px(12), 0);
    head->addWidget(section.heading);
    head->addStretch(1);
    head->addWidget(section.count);
    column->addLayout(head);
    section.body = new QWidget;
    column->addWidget(section.body);
    if (!m_open.contains(title)) m_open[title] = openAtFirst(index);
    if (m_open[title]) fillSection(section, index);
    setOpen(section, title, m_open[title]);
    const auto row = static_cast<std::size_t>(index.row());
    connect(section.heading, &QToolButton::clicked, this, [this, title, row] {
        auto& current = m_sections[row];
        if (current.rows.empty()) fillSection(current, m_model.index(static_cast<int>(row), 0));
        m_open[title] = !m_open[title];
        setOpen(current, title, m_open[title]);
    });
    return section;
}

// Rows of closed sections are built when they are opened for the first time: costs alone are twenty sliders.
void FeaturesPanel::fillSection(Section& section, const QModelIndex& index) {
    auto* column = new QVBoxLayout(section.body);
    column->setContentsMargins(0, 0, 0, m_theme.px(4));
    column->setSpacing(0);
    for (int i = 0; i < m_model.rowCount(index); ++i) {
        section.rows.push_back(buildRow(m_model.index(i, 0, index)));
        column->addWidget(section.rows.back());
    }
}

SettingRow* FeaturesPanel::buildRow(const QModelIndex& index) {
    const auto entry = index.data(FeaturesModel::IndexRole).toInt();
    if (index.data(FeaturesModel::KindRole).toInt() == static_cast<int>(FeaturesModel::Kind::Tunable)) {
        auto* row = new TunableRow(m_theme, index);
        connect(row, &TunableRow::valueWanted, this, [this, entry](qint64 value) {
            emit tunableChanged({&all_tunables()[static_cast<std::size_t>(entry)], value});
        });
        return row;
    }
    auto* row = new FeatureRow(m_theme, index);
    connect(row, &FeatureRow::valueWanted, this, [this, entry, alive = QPointer(row), place = QPersistentModelIndex(index)](int value) {
        emit featureChanged({static_cast<Feature>(entry), static_cast<FeatureValue>(value)});
        if (alive && place.isValid()) alive->show(place); // nobody acted: the switch shows again what the run says
    });
    return row;
}

void FeaturesPanel::setOpen(const Section& section, const QString& title, bool open) {
    section.body->setVisible(open);
    bindIcon(section.heading, m_theme, open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), Token::Ink2, 14);
    section.heading->setAccessibleName(title + (open ? QStringLiteral(", open") : QStringLiteral(", closed")));
}

void FeaturesPanel::showChanges(const QModelIndex& index) {
    const auto parent = index.parent();
    if (!parent.isValid()) {
        updateCounts();
        return;
    }
    const auto section = static_cast<std::size_t>(parent.row());
    const auto entry = static_cast<std::size_t>(index.row());
    if (section >= m_sections.size() || entry >= m_sections[section].rows.size()) return;
    auto* row = m_sections[section].rows[entry];
    row->show(index);
    row->flash();
}

void FeaturesPanel::updateCounts() {
    for (std::size_t s = 0; s < m_sections.size(); ++s) m_sections[s].count->setText(countText(m_model.index(static_cast<int>(s), 0)));
    const auto changed = m_model.changedCount();
    const auto era = fromStd(era_info(m_model.era()).key);
    m_foot->setText(changed == 0 ? QStringLiteral("All as in %1").arg(era)
                                 : QStringLiteral("%1 %2 from %3").arg(changed).arg(changed == 1 ? QStringLiteral("differs") : QStringLiteral("differ"), era));
    m_reset->setEnabled(changed > 0);
    m_copy->setEnabled(!m_model.echoLines().isEmpty());
}

void FeaturesPanel::resetAll() {
    for (const auto& setting : m_model.featuresToReset()) emit featureChanged(setting);
    for (const auto& setting : m_model.tunablesToReset()) emit tunableChanged(setting);
}

} // namespace rqscope
