// SPDX-License-Identifier: GPL-3.0-or-later
// The column rule on real and made machines: rows, widths, order and gaps, closing, and that nothing ever leaves the width.
#include "views/domains/fake_run.h"

#include "domains/domain_model.h"
#include "plot/cpu_axis.h"
#include "plot/row_cut.h"

#include <QtTest>

#include <algorithm>

using namespace rqscope;

namespace {

using Folds = std::vector<AxisShape::Fold>;

CpuAxis axisOf(const DomainModel& model, int width, Folds folds = {}, double scale = 1.0) {
    folds.resize(model.nodes().size(), AxisShape::Fold::Auto);
    return CpuAxis(model.shape(folds, {}), {width, scale});
}

DomainModel modelOf(const fake::Domains& domains) { return DomainModel(domains, domains->nr_cpu_ids); }

int gapBefore(const CpuAxis& axis, CpuId left, CpuId right) {
    return axis.column(right)->x - axis.column(left)->x - axis.column(left)->width;
}

} // namespace

class TestCpuAxis : public QObject {
    Q_OBJECT
private slots:
    void columnRule_data();
    void columnRule();
    void staysInside_data();
    void staysInside();
    void gaps();
    void denseGaps();
    void closing();
    void closesByItself();
    void cpuAt();
    void rowCuts();
};

void TestCpuAxis::columnRule_data() {
    QTest::addColumn<fake::Domains>("domains");
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("column");
    const auto box4 = fake::domainsOf("box-4cpu"), xeon8 = fake::domainsOf("xeon-2s-8cpu"),
               ivb40 = fake::domainsOf("ivb-ep-40cpu");
    const auto zen256 = fake::domainsOf("zen3-2s-nps1", DomainProfile::V6_12), made384 = fake::domainsOf(2, 12, 8, 2);
    QTest::addRow("4 at 852") << box4 << 852 << 1 << 140;
    QTest::addRow("4 at 1152") << box4 << 1152 << 1 << 140;
    QTest::addRow("8 at 852") << xeon8 << 852 << 1 << 100;
    QTest::addRow("8 at 1152") << xeon8 << 1152 << 1 << 137;
    QTest::addRow("40 at 852") << ivb40 << 852 << 1 << 18;
    QTest::addRow("40 at 1152") << ivb40 << 1152 << 1 << 25;
    QTest::addRow("256 at 852") << zen256 << 852 << 2 << 5;
    QTest::addRow("256 at 1152") << zen256 << 1152 << 2 << 7;
    QTest::addRow("384 at 852") << made384 << 852 << 4 << 6;
    QTest::addRow("384 at 1152") << made384 << 1152 << 3 << 6;
}

void TestCpuAxis::columnRule() {
    QFETCH(fake::Domains, domains);
    QFETCH(int, width);
    QVERIFY(domains);
    const auto model = modelOf(domains);
    const auto axis = axisOf(model, width);
    QTEST(axis.rows(), "rows");
    QTEST(axis.columnWidth(), "column");
    QVERIFY(axis.rows() == 1 || axis.columnWidth() >= CpuAxis::kWanted);
}

void TestCpuAxis::staysInside_data() {
    QTest::addColumn<fake::Domains>("domains");
    for (const auto* name :
         {"box-4cpu", "xeon-2s-8cpu", "ivb-ep-40cpu", "zen3-2s-nps1", "zen3-2s-nps4", "power8-smt8-160cpu", "ring-4node",
          "line-4node", "kunpeng920-96cpu", "single-cpu", "jacobsville-24cpu", "trigear-8cpu", "box-60cpu-smt"})
        for (const auto profile : {DomainProfile::V4_7, DomainProfile::V5_19, DomainProfile::V6_12})
            QTest::addRow("%s %s", name, name_of(profile).data()) << fake::domainsOf(name, profile);
}

void TestCpuAxis::staysInside() {
    QFETCH(fake::Domains, domains);
    QVERIFY(domains);
    const auto model = modelOf(domains);
    for (const auto width : {320, 588, 784, 852, 1152, 1800}) {
        const auto axis = axisOf(model, width);
        QVERIFY(axis.rows() >= 1 && axis.rows() <= CpuAxis::kMaxRows);
        QCOMPARE(axis.order().size(), static_cast<std::size_t>(domains->nr_cpu_ids));
        const CpuAxis::Column* last = nullptr;
        for (const auto cpu : axis.order()) {
            const auto* column = axis.column(cpu);
            QVERIFY(column && column->x >= 0 && column->width >= 1);
            if (axis.columnWidth() > 1) QVERIFY2(column->x + column->width <= width, qPrintable(QString::number(width)));
            const bool sameClosed = last && last->group && last->group == column->group;
            if (last && last->row == column->row && !sameClosed) QVERIFY(column->x > last->x + last->width - 1);
            if (last) QVERIFY(column->row >= last->row);
            last = column;
        }
        // Frames hold their columns and do not cross each other.
        for (std::uint32_t g = 0; g < model.nrNested(); ++g)
            for (const auto& extent : axis.extents(g)) {
                QVERIFY(extent.left >= 0 && extent.left < extent.right);
                if (axis.columnWidth() > 1) QVERIFY(extent.right <= width);
                for (const auto cpu : model.nodes()[g].span)
                    if (axis.column(cpu)->row == extent.row)
                        QVERIFY(axis.column(cpu)->x >= extent.left &&
                                axis.column(cpu)->x + axis.column(cpu)->width <= extent.right);
            }
    }
}

void TestCpuAxis::gaps() {
    const auto model = modelOf(fake::domainsOf("ivb-ep-40cpu"));
    const auto axis = axisOf(model, 1152);
    QCOMPARE(gapBefore(axis, CpuId{0}, CpuId{20}), 1);    // siblings
    QCOMPARE(gapBefore(axis, CpuId{20}, CpuId{1}), 4);    // cores
    QVERIFY(gapBefore(axis, CpuId{29}, CpuId{10}) >= 24); // nodes
    const auto xeon = modelOf(fake::domainsOf("xeon-2s-8cpu"));
    QVERIFY(gapBefore(axisOf(xeon, 852), CpuId{3}, CpuId{4}) >= 12);
}

void TestCpuAxis::denseGaps() {
    const auto model = modelOf(fake::domainsOf("zen3-2s-nps1", DomainProfile::V6_12));
    const auto axis = axisOf(model, 852);
    QVERIFY(axis.dense());
    QCOMPARE(gapBefore(axis, CpuId{0}, CpuId{128}), 1);
    QVERIFY(gapBefore(axis, CpuId{128}, CpuId{1}) >= 1);
    QVERIFY(gapBefore(axis, CpuId{135}, CpuId{8}) >= 10);
    QCOMPARE(axis.column(CpuId{64})->row, 1);
    QCOMPARE(axis.column(CpuId{64})->x, axis.column(CpuId{0})->x); // rows stand under each other
}

void TestCpuAxis::closing() {
    const auto model = modelOf(fake::domainsOf("xeon-2s-8cpu"));
    Folds folds(model.nodes().size(), AxisShape::Fold::Auto);
    const auto box = *model.box(CpuId{4});
    folds[box] = AxisShape::Fold::Closed;
    const auto axis = axisOf(model, 852, folds);
    QVERIFY(axis.closed(box));
    QCOMPARE(axis.column(CpuId{4})->x, axis.column(CpuId{7})->x);
    QCOMPARE(axis.column(CpuId{4})->width, 3 * axis.column(CpuId{0})->width);
    QCOMPARE(axis.column(CpuId{5})->group, std::optional(box));
    // Closing the outer box hides the inner ones.
    folds[model.nodes()[box].parent.value()] = AxisShape::Fold::Closed;
    const auto shut = axisOf(model, 852, folds);
    QVERIFY(shut.hidden(box) && shut.extents(box).empty());
    QCOMPARE(shut.column(CpuId{0})->x, shut.column(CpuId{7})->x);
}

void TestCpuAxis::closesByItself() {
    const auto model = modelOf(fake::domainsOf("zen3-2s-nps1", DomainProfile::V6_12));
    const auto narrow = axisOf(model, 400);
    QVERIFY(narrow.closed(*model.box(CpuId{0})));
    QVERIFY(narrow.columnWidth() >= CpuAxis::kLeast);
    Folds folds(model.nodes().size(), AxisShape::Fold::Auto);
    folds[*model.box(CpuId{0})] = AxisShape::Fold::Open; // the user's word counts
    const auto one = axisOf(model, 400, folds);
    QVERIFY(!one.closed(*model.box(CpuId{0})) && one.closed(*model.box(CpuId{8})));
}

void TestCpuAxis::cpuAt() {
    const auto model = modelOf(fake::domainsOf("ivb-ep-40cpu"));
    const auto axis = axisOf(model, 852);
    for (const auto cpu : axis.order()) {
        const auto& column = *axis.column(cpu);
        QCOMPARE(axis.cpuAt(column.row, column.x), std::optional(cpu));
        QCOMPARE(axis.cpuAt(column.row, column.x + column.width - 1), std::optional(cpu));
    }
    QVERIFY(!axis.cpuAt(0, -20) && !axis.cpuAt(0, 5000) && !axis.cpuAt(3, 100));
    QVERIFY(!CpuAxis().cpuAt(0, 0));
}

void TestCpuAxis::rowCuts() {
    const std::vector<int> units(8, 1);
    std::vector<bool> cuts(8, false);
    QCOMPARE(cutRows(units, cuts, 4), (std::vector<std::size_t>{0}));
    cuts[2] = cuts[4] = cuts[6] = true;
    QCOMPARE(cutRows(units, cuts, 2), (std::vector<std::size_t>{0, 4}));
    QCOMPARE(cutRows(units, cuts, 4), (std::vector<std::size_t>{0, 2, 4, 6}));
    QCOMPARE(cutRows(units, cuts, 3).size(), std::size_t{2}); // three rows would be no shorter than two
}

QTEST_MAIN(TestCpuAxis)
#include "tst_cpu_axis.moc"
