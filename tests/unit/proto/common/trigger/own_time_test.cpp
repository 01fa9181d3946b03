// Triggers on channels whose source makes up its time: what is over there goes by that time alone. 1 tick is 1 ns.
#include "proto/common/trigger/engine.h"
#include "proto/common/trigger/parser.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sla::trigger {
namespace {

using HitTicks = std::vector<std::uint64_t>;
constexpr TimeSource kGuest{7};
constexpr TimeSource kOtherGuest{9};
constexpr std::uint32_t kGuestIrq = 0, kHostIrq = 1, kGuestPort = 2, kOtherIrq = 3;

class OwnTime : public testing::Test {
protected:
    void look_for(const std::string& text) {
        engine_ = std::make_unique<Engine>(Trigger(*parse_expression(text)), 1e9, [this](const Hit& hit) {
            if (hit.certain) hits_.push_back(hit.tick);
            times_of_hits_.push_back(hit.time);
            return hit.tick + blind_for_;
        });
        engine_->add_channel({kGuestIrq}, "guest.irq", kGuest);
        engine_->add_channel({kHostIrq}, "host.irq");
        engine_->add_channel({kGuestPort}, "guest.port", kGuest);
        engine_->add_channel({kOtherIrq}, "other.irq", kOtherGuest);
    }
    void feed(std::uint64_t by_machine, std::uint64_t by_guest, const std::map<std::uint32_t, HitTicks>& rows = {}) {
        std::vector<wire::EventBatch> batches;
        for (const auto& [channel, ticks] : rows) {
            wire::EventBatch& batch = batches.emplace_back();
            batch.channel = {channel};
            for (const std::uint64_t tick : ticks) batch.add(tick, SLA_CODE_TICK, 0, 1);
        }
        std::vector<Rows> fed;
        for (const wire::EventBatch& batch : batches) fed.push_back(Rows::of(batch));
        known_.set(kMachineTime, by_machine);
        known_.set(kGuest, by_guest);
        engine_->feed(fed, known_);
    }

    KnownTimes known_;
    HitTicks hits_;
    std::vector<TimeSource> times_of_hits_;
    std::uint64_t blind_for_ = 0;
    std::unique_ptr<Engine> engine_;
};

TEST_F(OwnTime, ASlowGuestIsNotSilentBecauseTheMachinesTimeGoesOn) {
    look_for("gap guest.irq > 100ns");
    feed(10'000, 1000, {{kGuestIrq, {950, 1000}}});
    feed(20'000, 1090, {{kGuestIrq, {1090}}});
    feed(30'000, 1190);
    EXPECT_EQ(hits_, HitTicks{}) << "100 ns is not more than 100 ns";
    feed(30'000, 1200);
    EXPECT_EQ(hits_, HitTicks{1191});
    EXPECT_EQ(times_of_hits_, std::vector<TimeSource>{kGuest});
}

TEST_F(OwnTime, AFastGuestIsSilentBeforeTheMachineGetsThere) {
    look_for("gap guest.irq > 100ns");
    feed(10, 5000, {{kGuestIrq, {2000, 2050, 2300, 4990}}});
    EXPECT_EQ(hits_, (HitTicks{2151, 2401}));
}

TEST_F(OwnTime, AStageThatIsToFollowWithinATimeHasThatOfTheGuest) {
    look_for("guest.irq then guest.port within 50ns");
    feed(10'000, 1000, {{kGuestIrq, {1000}}});
    feed(20'000, 1020);
    feed(30'000, 1050, {{kGuestPort, {1050}}});
    EXPECT_EQ(hits_, HitTicks{1050});
    feed(40'000, 2000, {{kGuestIrq, {2000}}});
    feed(40'000, 2051);
    feed(40'000, 2060, {{kGuestPort, {2055}}});
    EXPECT_EQ(hits_, HitTicks{1050}) << "too late";
}

TEST_F(OwnTime, ATimerThatAGuestsEventStartsRunsByItsTime) {
    const auto sequencer = parse_sequencer(
        "level idle\n  if guest.irq start t, goto busy\nlevel busy\n  if timer t > 50ns trigger\n  else stay\n");
    ASSERT_TRUE(sequencer.ok()) << sequencer.error().message;
    look_for("guest.irq");
    engine_ = std::make_unique<Engine>(Trigger(*sequencer), 1e9, [this](const Hit& hit) {
        hits_.push_back(hit.tick);
        return std::uint64_t{0};
    });
    engine_->add_channel({kGuestIrq}, "guest.irq", kGuest);
    feed(10'000, 1000, {{kGuestIrq, {1000}}});
    feed(20'000, 1040);
    EXPECT_EQ(hits_, HitTicks{});
    feed(20'000, 1100);
    EXPECT_EQ(hits_, HitTicks{1051});
}

TEST_F(OwnTime, AHitThatADeadlineMakesIsOfTheTimeOfTheEventThatSetIt) {
    blind_for_ = 10;
    look_for("guest.irq then gap guest.port > 100ns");
    feed(100'000'000, 5000, {{kGuestIrq, {1000, 2000, 3000}}});
    EXPECT_EQ(hits_, (HitTicks{1101, 2101, 3101})) << "it looks away for 10 ns from each";
    EXPECT_EQ(times_of_hits_, std::vector<TimeSource>(3, kGuest));
}

TEST_F(OwnTime, AGuestOfWhichNothingWasKnownBeforeItEndedIsNotSilent) {
    look_for("guest.irq then gap guest.port > 100ns");
    KnownTimes known(100'000'000);
    known.end(kGuest);
    wire::EventBatch batch;
    batch.channel = {kGuestIrq};
    batch.add(1000, SLA_CODE_TICK, 0, 1);
    const std::vector<Rows> rows = {Rows::of(batch)};
    engine_->feed(rows, known);
    EXPECT_EQ(hits_, HitTicks{});
}

TEST_F(OwnTime, RateIsLookedAtByTheGuestsTime) {
    look_for("rate guest.irq < 20e6/s over 100ns");
    feed(10'000, 1000, {{kGuestIrq, {800, 850, 900, 950, 1000}}});
    feed(50'000, 1040);
    EXPECT_EQ(hits_, HitTicks{}) << "no time has gone by there";
    feed(50'000, 1100);
    EXPECT_EQ(hits_.size(), 1u);
}

TEST_F(OwnTime, WhatLooksAtSeveralTimesWaitsForTheSlowestThatGoesOn) {
    look_for("gap channel ~ '*.irq' > 100ns");
    known_.set(kOtherGuest, 10);
    known_.end(kOtherGuest);
    feed(1000, 500, {{kGuestIrq, {500}}, {kHostIrq, {1000}}});
    feed(5000, 600);
    EXPECT_EQ(hits_, HitTicks{}) << "the guest may still have an event at 1050";
    feed(5000, 1200);
    EXPECT_EQ(hits_, HitTicks{1101});
}

TEST_F(OwnTime, AGuestThatIsGoneIsNotSilent) {
    look_for("gap guest.* > 100ns");
    feed(10'000, 1000, {{kGuestIrq, {950, 1000}}});
    known_.end(kGuest);
    feed(90'000, 1000);
    EXPECT_EQ(hits_, HitTicks{});
}

TEST_F(OwnTime, TheMachinesChannelsKeepTheirDeadlinesBesideAGuestThatStandsStill) {
    look_for("gap host.irq > 100ns or gap guest.irq > 100ns");
    feed(1000, 500, {{kGuestIrq, {500}}, {kHostIrq, {1000}}});
    feed(2000, 500);
    EXPECT_EQ(hits_, HitTicks{1101});
    EXPECT_EQ(times_of_hits_, std::vector<TimeSource>{kMachineTime});
}

TEST_F(OwnTime, ItLooksAwayByEachTimeForAsLong) {
    look_for("guest.irq or host.irq");
    engine_->learn(known_);
    feed(10'000, 1000);
    engine_->look_away(10'100, kMachineTime, 10'000);
    feed(10'099, 1050, {{kGuestIrq, {1050}}, {kHostIrq, {10'099}}});
    EXPECT_EQ(hits_, HitTicks{});
    feed(10'101, 1200, {{kGuestIrq, {1100}}, {kHostIrq, {10'100}}});
    EXPECT_EQ(hits_, (HitTicks{1100, 10'100}));
}

TEST_F(OwnTime, AHitMakesItLookAwayByTheTimeOfTheHit) {
    blind_for_ = 100;
    look_for("guest.irq");
    feed(10'000, 2000, {{kGuestIrq, {1000, 1050, 1099, 1100, 1150, 1300}}});
    EXPECT_EQ(hits_, (HitTicks{1000, 1100, 1300}));
}

TEST_F(OwnTime, DeadlinesOfAGuestFarBehindTheMachineAreNoCircle) {
    look_for("gap host.irq > 100ns or gap guest.irq > 100ns");
    feed(1'000'000'000, 1, {{kHostIrq, {999'999'000}}});
    HitTicks ticks;
    for (std::uint64_t i = 1; i <= 20'000; ++i) ticks.push_back(i * 1000);
    feed(1'000'000'000, 20'001'000, {{kGuestIrq, ticks}});
    EXPECT_FALSE(engine_->goes_in_circles());
    EXPECT_EQ(hits_.size(), 20'001u) << "one of the host, and one a row of the guest";
}

TEST_F(OwnTime, OneThatBeginsAnewIsTakenAsANewOne) {
    look_for("gap guest.irq > 100ns");
    feed(10'000, 1000, {{kGuestIrq, {1000}}});
    engine_->remove_channel({kGuestIrq});
    engine_->remove_channel({kGuestPort});
    known_.forget(kGuest);
    EXPECT_EQ(engine_->place_count(), 1u);
    engine_->add_channel({20}, "guest.irq", kGuest);
    feed(10'000, 1050, {{20, {1050}}});
    feed(20'000, 1060);
    EXPECT_EQ(hits_, HitTicks{});
    feed(20'000, 1200);
    EXPECT_EQ(hits_, HitTicks{1151});
}

}  // namespace
}  // namespace sla::trigger
