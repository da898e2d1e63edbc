// SPDX-License-Identifier: GPL-3.0-or-later
// The reconstruction of May 2016 (select.md 3.b): every switch alone, the three presets of the mails, both readings of
// ORDER_IDLE with OLD_IDLE.
#include "core/select/probe.h"

#include <QtTest>

using namespace rqscope;
using namespace rqscope::test;

namespace {

// smt4 (siblings i and i + 4), target and prev CPU 1, everything busy but `idle`.
Found ask(const char* idle, bool hint, std::initializer_list<FeatureSetting> features, PlaceEffects* effects = nullptr) {
    auto s = busy(smt4(), "0-7", Era::V4_8_IDLE_WIP);
    for (const auto cpu : mask(idle)) s.idle.set(cpu);
    for (const auto f : features) s.features.set(f);
    if (hint) light_hints(s);
    return sibling(s, 1, 1, effects);
}

constexpr FeatureSetting kOld{Feature::OLD_IDLE, 1}, kOrder{Feature::ORDER_IDLE, 1}, kNoCore{Feature::IDLE_CORE, 0},
    kRingOnly{Feature::ORDER_RING_ONLY, 1}, kForce{Feature::FORCE_CORE, 1}, kForceOnly{Feature::FORCE_CORE, 2}, kSmtOnly{Feature::SMT_ONLY, 1};

} // namespace

class TestIdleWip2016 : public QObject {
    Q_OBJECT
private slots:
    void asItComes() {
        PlaceEffects effects;
        QCOMPARE(ask("2,6", true, {}, &effects), (Found{2, R::IdleCore, {1, 1, 5, 2, 6}}));
        QVERIFY(!effects.no_idle_core);
        QCOMPARE(ask("7", true, {}, &effects), (Found{7, R::IdleCpu, {1, 1, 5, 2, 6, 3, 7, 0, 4, 1, 2, 3, 4, 5, 6, 7}}));
        QCOMPARE(effects.no_idle_core, std::optional{LlcId{0}});
        QCOMPARE(ask("0", false, {}, &effects), (Found{0, R::IdleCpu, {1, 1, 2, 3, 4, 5, 6, 7, 0}}));
        QCOMPARE(ask("", false, {}, &effects), (Found{1, R::NoIdleCpu, {1, 1, 2, 3, 4, 5, 6, 7, 0}}));
        QVERIFY(!effects.no_idle_core && !effects.walked);
    }

    void noIdleCore() { QCOMPARE(ask("3,7", true, {kNoCore}), (Found{3, R::IdleCpu, {1, 1, 2, 3}})); }

    void orderIdle() {
        QCOMPARE(ask("0,4,2,6", true, {kOrder}), (Found{0, R::IdleCore, {1, 0, 4}}));
        QCOMPARE(ask("0,2", false, {kOrder}), (Found{0, R::IdleCpu, {1, 0}}));
    }

    void forceCore() {
        QCOMPARE(ask("2,6", false, {kForce}), (Found{2, R::IdleCore, {1, 1, 5, 2, 6}}));
        QCOMPARE(ask("2", false, {kForce}), (Found{2, R::IdleCpu, {1, 1, 5, 2, 6, 3, 7, 0, 4, 1, 2}}));
        QCOMPARE(ask("2,6", false, {kForceOnly}), (Found{2, R::IdleCore, {1, 1, 5, 2, 6}}));
        QCOMPARE(ask("2", false, {kForceOnly}), (Found{1, R::ForcedCoreMissing, {1, 1, 5, 2, 6, 3, 7, 0, 4}}));
    }

    void smtOnly() {
        QCOMPARE(ask("2,5", false, {kSmtOnly}), (Found{5, R::IdleSmt, {1, 1, 5}}));
        QCOMPARE(ask("2,6", false, {kSmtOnly}), (Found{1, R::SmtOnlyTarget, {1, 1, 5}}));
    }

    void hintViaSdBusy() {
        const FeatureSetting above{Feature::HINT_VIA_SD_BUSY, 1};
        QCOMPARE(ask("2,6", true, {above}), (Found{2, R::IdleCpu, {1, 1, 2}})); // one cache: the hint reads 0
    }

    void zijlstraRun1() {
        QCOMPARE(ask("2,6", false, {kOld}), (Found{2, R::IdleGroup, {1, 2, 6}}));
        QCOMPARE(ask("5,7", false, {kOld}), (Found{5, R::IdleGroup, {1, 2, 3, 0, 5}}));
        QCOMPARE(ask("6-7", false, {kOld}), (Found{1, R::NoIdleGroup, {1, 2, 3, 0, 5}}));
        QCOMPARE(ask("2,6", true, {kOld}), (Found{2, R::IdleCore, {1, 1, 5, 2, 6}}));
    }

    // Run 2. By default the first CPU's own levels are walked: its sibling is where all end up.
    void zijlstraRun2() {
        QCOMPARE(ask("0,3-4,7", false, {kOld, kOrder}), (Found{0, R::IdleGroup, {1, 0, 4}}));
        QCOMPARE(ask("4-5,7", false, {kOld, kOrder}), (Found{4, R::IdleGroup, {1, 0, 2, 3, 0, 4}}));
        QCOMPARE(ask("5,7", false, {kOld, kOrder}), (Found{1, R::NoIdleGroup, {1, 0, 2, 3, 0, 4}}));
    }

    // The other reading: target's own lower levels, only the ring begins at the first CPU.
    void ringOnly() {
        QCOMPARE(ask("4-5,7", false, {kOld, kOrder, kRingOnly}), (Found{5, R::IdleGroup, {1, 0, 2, 3, 5}}));
        QCOMPARE(ask("0,4", false, {kOld, kOrder, kRingOnly}), (Found{0, R::IdleGroup, {1, 0, 4}}));
        QCOMPARE(ask("4", false, {kOld, kOrder, kRingOnly}), (Found{1, R::NoIdleGroup, {1, 0, 2, 3, 5}}));
    }

    void galbraith() {
        PlaceEffects effects;
        QCOMPARE(ask("2,6", true, {kSmtOnly}), (Found{2, R::IdleCore, {1, 1, 5, 2, 6}}));
        QCOMPARE(ask("5", true, {kSmtOnly}, &effects), (Found{5, R::IdleSmt, {1, 1, 5, 2, 6, 3, 7, 0, 4, 1, 5}}));
        QVERIFY(effects.no_idle_core.has_value());
    }
};

QTEST_APPLESS_MAIN(TestIdleWip2016)
#include "tst_idle_wip_2016.moc"
