// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/popup_form.h"

#include "theme/controls.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHash>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>

namespace rqscope {

namespace {

struct FieldText {
    const char *generator, *key, *label, *usual;
};
// Keys as CONTRACT's generators spell them; an empty field leaves the key out.
constexpr FieldText kFields[] = {
    {"forkstorm", "n", "children", "18"},          {"forkstorm", "run", "each runs", "200us"},
    {"forkstorm", "gap", "between forks", "250us"}, {"forkstorm", "block", "parent waits at the end (0, 1)", "1"},
    {"forkstorm", "parent", "parent's CPU", "0"},  {"forkstorm", "weight", "children's weight", ""},
    {"forkstorm", "tree", "first half forks two each (0, 1)", ""},
    {"hogs", "n", "tasks", "3"},                   {"hogs", "nice", "nice", "0"},
    {"periodic", "k", "sets of tasks", "4"},
};
constexpr auto kFreeText = "other";

QHash<QString, QString> keysOf(const QString& spec) {
    QHash<QString, QString> keys;
    for (const auto& part : spec.section(QLatin1Char(':'), 1).split(QLatin1Char(','), Qt::SkipEmptyParts))
        keys[part.section(QLatin1Char('='), 0, 0).trimmed()] = part.section(QLatin1Char('='), 1).trimmed();
    return keys;
}

} // namespace

PopupForm::PopupForm(const Theme& theme, const QString& button, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_form(new QFormLayout), m_problems(makeLabel({}, {.text = "small", .ink = "alarm"})),
      m_accept(new QPushButton(button)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("fill", "card");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(16), theme.px(12), theme.px(16), theme.px(12));
    column->setSpacing(theme.px(8));
    m_form->setHorizontalSpacing(theme.px(12));
    m_form->setVerticalSpacing(theme.px(6));
    column->addLayout(m_form);
    m_problems->setWordWrap(true);
    m_problems->hide();
    column->addWidget(m_problems);
    m_accept->setProperty("kind", "primary");
    m_accept->setObjectName(QStringLiteral("accept"));
    column->addWidget(m_accept, 0, Qt::AlignRight);
    connect(m_accept, &QPushButton::clicked, this, &PopupForm::accepted);
}

void PopupForm::popupUnder(QWidget* anchor) {
    adjustSize();
    auto corner = anchor->mapToGlobal(QPoint(0, anchor->height() + 4));
    const auto screen = anchor->screen()->availableGeometry();
    corner.setX(std::max(screen.left(), std::min(corner.x(), screen.right() - width())));
    move(corner);
    show();
}

void PopupForm::showProblems(const QStringList& lines) {
    m_problems->setText(lines.join(QLatin1Char('\n')));
    m_problems->setVisible(!lines.isEmpty());
    adjustSize();
}

SeedForm::SeedForm(const Theme& theme, quint64 seed, QWidget* parent)
    : PopupForm(theme, QStringLiteral("Run with this seed"), parent), m_seed(new QLineEdit(QString::number(seed))) {
    m_seed->setAccessibleName(QStringLiteral("Seed"));
    m_form->addRow(QStringLiteral("Seed"), m_seed);
    const auto accept = [this] {
        bool isNumber = false;
        const auto value = m_seed->text().trimmed().toULongLong(&isNumber);
        if (!isNumber) return showProblems({QStringLiteral("\"%1\" is not a whole number.").arg(m_seed->text().left(30))});
        emit seedWanted(value);
    };
    connect(this, &PopupForm::accepted, this, accept);
    connect(m_seed, &QLineEdit::returnPressed, this, accept);
    m_seed->setFocus();
}

WorkloadForm::WorkloadForm(const Theme& theme, const QString& spec, QWidget* parent)
    : PopupForm(theme, QStringLiteral("Run this workload"), parent), m_generator(new ThemedCombo(theme)) {
    const auto current = spec.section(QLatin1Char(':'), 0, 0);
    for (const auto& field : kFields)
        if (m_generator->findText(QLatin1String(field.generator)) < 0) m_generator->addItem(QLatin1String(field.generator));
    m_generator->addItem(QLatin1String(kFreeText));
    const auto row = m_generator->findText(current);
    m_generator->setCurrentIndex(row >= 0 ? row : m_generator->count() - 1);
    m_generator->setAccessibleName(QStringLiteral("Workload"));
    m_form->addRow(QStringLiteral("Workload"), m_generator);
    buildFields(m_generator->currentText(), spec);
    connect(m_generator, &QComboBox::currentTextChanged, this, [this, spec](const QString& generator) {
        buildFields(generator, spec);
        adjustSize();
    });
    connect(this, &PopupForm::accepted, this, [this] { emit specWanted(this->spec()); });
}

void WorkloadForm::buildFields(const QString& generator, const QString& spec) {
    while (m_form->rowCount() > 1) m_form->removeRow(1);
    m_fields.clear();
    const auto add = [this](const QString& key, const QString& label, const QString& value) {
        auto* edit = new QLineEdit(value);
        edit->setAccessibleName(label);
        edit->setObjectName(key);
        edit->setMinimumWidth(160);
        connect(edit, &QLineEdit::returnPressed, this, [this] { emit specWanted(this->spec()); });
        m_form->addRow(label, edit);
        m_fields.push_back({key, edit});
    };
    if (generator == QLatin1String(kFreeText)) {
        add({}, QStringLiteral("Specification or file"), spec);
        m_fields.back().edit->setMinimumWidth(340);
        return;
    }
    const auto same = spec.section(QLatin1Char(':'), 0, 0) == generator;
    const auto given = same ? keysOf(spec) : QHash<QString, QString>{};
    for (const auto& field : kFields) {
        if (generator != QLatin1String(field.generator)) continue;
        const auto key = QLatin1String(field.key);
        add(key, QLatin1String(field.label), same ? given.value(key) : QString(QLatin1String(field.usual)));
    }
}

QString WorkloadForm::spec() const {
    if (m_fields.size() == 1 && m_fields.front().key.isEmpty()) return m_fields.front().edit->text().trimmed();
    QStringList keys;
    QString generator = m_generator->currentText();
    for (const auto& field : m_fields)
        if (const auto value = field.edit->text().trimmed(); !value.isEmpty()) keys << field.key + QLatin1Char('=') + value;
    return generator + QLatin1Char(':') + keys.join(QLatin1Char(','));
}

} // namespace rqscope
