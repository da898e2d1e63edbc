// SPDX-License-Identifier: GPL-3.0-or-later
// Small form under a chip of the top bar: labelled fields, one button, the reason when a value is refused. Used for the
// workload and the seed.
#pragma once

#include <QFrame>
#include <QStringList>

#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace rqscope {

class Theme;

class PopupForm : public QFrame {
    Q_OBJECT
public:
    PopupForm(const Theme& theme, const QString& button, QWidget* parent);
    void popupUnder(QWidget* anchor);
    void showProblems(const QStringList& lines);

signals:
    void accepted();

protected:
    QFormLayout* m_form;

private:
    QLabel* m_problems;
    QPushButton* m_accept;
};

class SeedForm : public PopupForm {
    Q_OBJECT
public:
    SeedForm(const Theme& theme, quint64 seed, QWidget* parent);

signals:
    void seedWanted(quint64 seed);

private:
    QLineEdit* m_seed;
};

// Generator and its keys, or the whole specification as text.
class WorkloadForm : public PopupForm {
    Q_OBJECT
public:
    WorkloadForm(const Theme& theme, const QString& spec, QWidget* parent = nullptr);
    [[nodiscard]] QString spec() const;

signals:
    void specWanted(const QString& spec);

private:
    void buildFields(const QString& generator, const QString& spec);
    struct Field {
        QString key;
        QLineEdit* edit;
    };
    QComboBox* m_generator;
    std::vector<Field> m_fields;
};

} // namespace rqscope
