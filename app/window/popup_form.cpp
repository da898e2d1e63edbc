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
// Keys as CONTRACT's generators spell them; an empty field leaves the key out. "N" is a value without a key, "-x" an option of
// a command line, "--x" one without a value: there if the field says 1.
constexpr FieldText kFields[] = {
    {"forkstorm", "n", "children", "18"},          {"forkstorm", "run", "each runs", "200us"},
    {"forkstorm", "gap", "between forks", "250us"}, {"forkstorm", "block", "parent waits at the end (0, 1)", "1"},
    {"forkstorm", "parent", "parent's CPU", "0"},  {"forkstorm", "weight", "children's weight", ""},
    {"forkstorm", "tree", "first half forks two each (0, 1)", ""},
    {"hackbench", "-g", "groups", "10"},           {"hackbench", "-f", "senders, receivers in each", "20"},
    {"hackbench", "-l", "loops", "100"},           {"hackbench", "-s", "bytes in a message", "100"},
    {"hackbench", "--pipe", "pipes, not sockets (0, 1)", "0"},
    {"hackbench", "--threads", "threads, not processes (0, 1)", "0"},
    {"hogs", "n", "tasks", "3"},                   {"hogs", "nice", "nice", "0"},
    {"periodic", "k", "sets of tasks", "4"},
    {"pound_times", "N", "threads", "32"},         {"pound_times", "calls", "calls of all threads", "5000000"},
    {"pound_clock_gettime", "N", "threads", "32"}, {"pound_clock_gettime", "calls", "calls of all threads", "5000000"},
};
constexpr auto kFreeText = "other";

QHash<QString, QString> keysOf(const QString& spec) {
    QHash<QString, QString> keys;
    const auto tail = spec.section(QLatin1Char(':'), 1).trimmed();
    if (tail.startsWith(QLatin1Char('-'))) {
        const auto words = tail.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        for (qsizetype i = 0; i < words.size(); ++i) {
            const bool flag = words[i].startsWith(QLatin1String("--"));
            keys[words[i]] = flag ? QStringLiteral("1") : words.value(i + 1);
            if (!flag) ++i;
        }
        return keys;
    }
    for (const auto& part : tail.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const bool bare = !part.contains(QLatin1Char('='));
        keys[bare ? QStringLiteral("N") : part.section(QLatin1Char('='), 0, 0).trimmed()] = part.section(QLatin1Char('='), bare ? 0 : 1).trimmed();
    }
    return keys;
}

// Whether the fields can say all that the specification says.
bool fits(const QString& spec) {
    const auto generator = spec.section(QLatin1Char(':'), 0, 0);
    const auto keys = keysOf(spec);
    return std::all_of(keys.keyBegin(), keys.keyEnd(), [&](const QString& key) {
        return std::any_of(std::begin(kFields), std::end(kFields),
                           [&](const FieldText& f) { return generator == QLatin1String(f.generator) && key == QLatin1String(f.key); });
    });
}

QString argument(const QString& key, const QString& value) {
    if (key.startsWith(QLatin1String("--"))) return value == QLatin1String("1") ? key : QString();
    if (key.startsWith(QLatin1Char('-'))) return key + QLatin1Char(' ') + value;
    return key == QLatin1String("N") ? value : key + QLatin1Char('=') + value;
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
    const auto row = fits(spec) ? m_generator->findText(current) : -1;
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
    QStringList arguments;
    bool options = false;
    for (const auto& field : m_fields) {
        const auto value = field.edit->text().trimmed();
        options = options || field.key.startsWith(QLatin1Char('-'));
        if (const auto text = value.isEmpty() ? QString() : argument(field.key, value); !text.isEmpty()) arguments << text;
    }
    return m_generator->currentText() + QLatin1Char(':') + arguments.join(options ? QLatin1Char(' ') : QLatin1Char(','));
}

} // namespace rqscope
