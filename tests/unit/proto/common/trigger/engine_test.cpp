// The sentences of proto/common/trigger/README.md, one by one. 1 tick is 1 ns.
#include "proto/common/trigger/engine.h"

#include "proto/common/trigger/parser.h"

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace sla::trigger {

bool operator==(const Hit& a, const Hit& b) {
    return a.tick == b.tick && a.certain == b.certain;
}
void PrintTo(const Hit& hit, std::ostream* out) {
    *out << (hit.certain ? "" : "?") << hit.tick;
}

namespace {

using Ticks = std::vector<std::uint64_t>;

// Channels a, b, c have the ids 0, 1, 2; every feed is one step of the agent.
class Watch {
public:
    explicit Watch(const std::string& text, bool is_file = false)
        : engine_(is_file ? Trigger(*parse_sequencer(text)) : Trigger(*parse_expression(text)), 1e9, [this](const Hit& hit) {
              if (hit.certain)
                  hits.push_back(hit.tick);
              else
                  cannot_tell.push_back(hit.tick);
              return blind_for == 0 ? 0 : hit.tick + blind_for;
          }) {
        const char* names[] = {"a", "b", "c", "irq.0", "irq.1"};
        for (std::uint32_t id = 0; id < 5; ++id) engine_.add_channel(ChannelId{id}, names[id]);
    }
    Watch& add(std::uint32_t channel, std::uint64_t tick, std::uint8_t code = SLA_CODE_TICK, std::uint64_t value = 0,
               std::uint32_t thread = 1) {
        wire::EventBatch& batch = batches_[channel];
        batch.channel = ChannelId{channel};
        batch.add(tick, code, value, thread);
        newest_ = std::max(newest_, tick);
        return *this;
    }
    Watch& loss(std::uint32_t channel, std::uint64_t tick, std::uint64_t until = 0) {
        add(channel, tick, SLA_CODE_GAP, 1);
        wire::Extra extra;
        extra.position = static_cast<std::uint32_t>(batches_[channel].size() - 1);
        extra.until_tick = until;
        batches_[channel].extras.push_back(extra);
        return *this;
    }
    Watch& feed(std::uint64_t watermark = 0) {
        std::vector<Rows> rows;
        for (const auto& [channel, batch] : batches_) rows.push_back(Rows::of(batch));
        engine_.feed(rows, std::max(watermark, newest_));
        batches_.clear();
        return *this;
    }
    // What was added stands before all that is fed.
    Watch& recall() {
        for (const auto& [channel, batch] : batches_) engine_.recall(Rows::of(batch));
        batches_.clear();
        return *this;
    }
    Engine& engine() { return engine_; }

    Ticks hits;
    Ticks cannot_tell;
    std::uint64_t blind_for = 0;

private:
    std::map<std::uint32_t, wire::EventBatch> batches_;
    std::uint64_t newest_ = 0;
    Engine engine_;
};

constexpr std::uint32_t a = 0, b = 1, irq0 = 3, irq1 = 4;

TEST(EnginePlaces, AChannelThatIsGoneLeavesItsPlaceToTheNext) {
    Engine engine(Trigger(*parse_expression("short.*")), 1e9, [](const Hit&) { return std::uint64_t{0}; });
    for (std::uint32_t id = 1; id <= 1000; ++id) {
        EXPECT_TRUE(engine.add_channel(ChannelId{id}, "short.lived"));
        engine.remove_channel(ChannelId{id});
        EXPECT_FALSE(engine.wants(ChannelId{id}));
    }
    EXPECT_EQ(engine.place_count(), 1u);
}

TEST(TriggerEngine, StagesFollowEachOtherOverChannels) {
    Watch watch("a then b");
    watch.add(b, 5).add(a, 10).add(a, 12).add(b, 20).add(b, 30).add(a, 40).add(b, 41).feed();
    EXPECT_EQ(watch.hits, (Ticks{20, 41}));
}

TEST(TriggerEngine, OfEqualTicksTheLowerChannelComesFirst) {
    Watch forward("a then b");
    forward.add(a, 10).add(b, 10).feed();
    EXPECT_EQ(forward.hits, (Ticks{10}));
    Watch backward("b then a");
    backward.add(a, 10).add(b, 10).feed();
    EXPECT_EQ(backward.hits, (Ticks{}));
}

TEST(TriggerEngine, WhatIsRecalledSaysWhatHeldAndIsNoEvent) {
    Watch silence("gap a > 10ns");
    silence.add(a, 5).recall().add(a, 100).add(a, 105).feed(200);
    EXPECT_EQ(silence.hits, (Ticks{116}));
    Watch distance("delta a -> b > 10ns");
    distance.add(a, 5).recall().add(b, 100).feed();
    EXPECT_EQ(distance.hits, (Ticks{}));
    Watch stages("a then b");
    stages.add(a, 5).recall().add(b, 100).feed();
    EXPECT_EQ(stages.hits, (Ticks{}));
    Watch open("width a > 10ns");
    open.add(a, 5, SLA_CODE_BEGIN).recall().add(a, 100, SLA_CODE_END).feed();
    EXPECT_EQ(open.hits, (Ticks{100})) << "its begin is there";
    Watch rising("a rises");
    rising.add(a, 5, SLA_CODE_LEVEL, 1).recall().add(a, 100, SLA_CODE_LEVEL, 1).feed();
    EXPECT_EQ(rising.hits, (Ticks{})) << "it was high";
    Watch both("b and a == 7");
    both.add(a, 5, SLA_CODE_VALUE_SIGNED, 7).recall().add(b, 100).feed();
    EXPECT_EQ(both.hits, (Ticks{100})) << "that is its newest number";
    Watch lossy("gap a > 10ns");
    lossy.loss(a, 5, 120).recall().add(a, 100).feed(112);
    EXPECT_EQ(lossy.hits, (Ticks{}));
    EXPECT_EQ(lossy.cannot_tell, (Ticks{111})) << "that loss is not over";
    Watch unknown("a");
    Rows of_none;
    of_none.channel = ChannelId{77};
    unknown.engine().recall(of_none);
}

TEST(TriggerEngine, OneRowTakesItOneStageOn) {
    Watch watch("a then a then a");
    watch.add(a, 1).add(a, 2).add(a, 3).add(a, 4).feed();
    EXPECT_EQ(watch.hits, (Ticks{3}));
}

TEST(TriggerEngine, TimeRunsOutWithoutAnyFurtherRow) {
    Watch watch("a then b within 10ns");
    watch.add(a, 100).feed();
    EXPECT_EQ(watch.engine().level(), 1u);
    watch.feed(110);
    EXPECT_EQ(watch.engine().level(), 1u) << "10 ns later is still within";
    watch.feed(111);
    EXPECT_EQ(watch.engine().level(), 0u);
    watch.add(a, 200).add(b, 210).feed();
    EXPECT_EQ(watch.hits, (Ticks{210}));
}

TEST(TriggerEngine, ARowThatComesTooLateCountsForTheFirstStage) {
    Watch watch("a then a within 10ns");
    watch.add(a, 100).add(a, 120).add(a, 125).feed();
    EXPECT_EQ(watch.hits, (Ticks{125}));
}

TEST(TriggerEngine, NTimesWithinATimeSlides) {
    Watch watch("3 x a within 10ns");
    watch.add(a, 0).add(a, 8).add(a, 16).add(a, 20).add(a, 26).feed();
    EXPECT_EQ(watch.hits, (Ticks{26})) << "16, 20 and 26";
}

TEST(TriggerEngine, AGapHappensOneTickAfterItsTimeAndOnceASilence) {
    Watch watch("gap a > 50ns");
    watch.feed(1000);
    EXPECT_EQ(watch.hits, (Ticks{})) << "a channel that never spoke is not silent";
    watch.add(a, 1000).add(a, 1050).feed(1100);
    EXPECT_EQ(watch.hits, (Ticks{})) << "exactly 50 ns is not more than 50 ns";
    watch.feed(1101).feed(5000);
    EXPECT_EQ(watch.hits, (Ticks{1101}));
}

TEST(TriggerEngine, AGapInALaterStageBeginsWithTheStage) {
    Watch watch("a then gap b > 50ns");
    watch.add(b, 10).add(a, 1000).feed(1051);
    EXPECT_EQ(watch.hits, (Ticks{1051}));
}

TEST(TriggerEngine, WidthsAreMatchedByThreadInnermostFirst) {
    Watch watch("width a > 50ns");
    watch.add(a, 0, SLA_CODE_BEGIN, 0, 1).add(a, 10, SLA_CODE_BEGIN, 0, 2).add(a, 20, SLA_CODE_BEGIN, 0, 1);
    watch.add(a, 60, SLA_CODE_END, 0, 1).add(a, 61, SLA_CODE_END, 0, 2).add(a, 62, SLA_CODE_END, 0, 1).feed();
    EXPECT_EQ(watch.hits, (Ticks{61, 62})) << "40 ns, 51 ns, 62 ns";
}

// A server may have a thread for each request.
TEST(TriggerEngine, AWidthIsKnownHoweverManyThreadsHaveComeAndGoneMeanwhile) {
    Watch watch("width a > 1ms");
    watch.add(a, 1, SLA_CODE_BEGIN, 0, 1);
    for (std::uint32_t thread = 2; thread < 70'000; ++thread) {
        watch.add(a, 10 * std::uint64_t{thread}, SLA_CODE_BEGIN, 0, thread);
        watch.add(a, 10 * std::uint64_t{thread} + 5, SLA_CODE_END, 0, thread);
    }
    watch.add(a, 2'000'000, SLA_CODE_END, 0, 1).add(a, 2'000'001, SLA_CODE_END, 0, 2).feed();
    EXPECT_EQ(watch.hits, (Ticks{2'000'000}));
    EXPECT_EQ(watch.cannot_tell, Ticks{}) << "an end that nothing began is none";
}

TEST(TriggerEngine, OfVeryManyThreadsThatAreAllWithinASpanItCannotTell) {
    Watch watch("width a > 1ms");
    for (std::uint32_t thread = 1; thread < 70'000; ++thread) watch.add(a, thread, SLA_CODE_BEGIN, 0, thread);
    watch.add(a, 2'000'000, SLA_CODE_END, 0, 1).add(a, 2'000'001, SLA_CODE_END, 0, 69'999).feed();
    EXPECT_EQ(watch.hits, (Ticks{2'000'001}));
    EXPECT_EQ(watch.cannot_tell, (Ticks{2'000'000}));
}

TEST(TriggerEngine, AWidthOfALevelIsItsHighTime) {
    Watch watch("width a < 10ns");
    watch.add(a, 0, SLA_CODE_LEVEL, 1).add(a, 5, SLA_CODE_LEVEL, 1).add(a, 12, SLA_CODE_LEVEL, 0);
    watch.add(a, 20, SLA_CODE_LEVEL, 1).add(a, 29, SLA_CODE_LEVEL, 0).feed();
    EXPECT_EQ(watch.hits, (Ticks{29}));
}

TEST(TriggerEngine, ADeltaGoesFromTheNewestStartAndServesOnce) {
    Watch watch("delta a -> b > 10ns");
    watch.add(a, 0).add(a, 50).add(b, 55).add(b, 90).add(a, 100).add(b, 111).feed();
    EXPECT_EQ(watch.hits, (Ticks{111}));
}

TEST(TriggerEngine, LevelsRiseAndFallAndNumbersChange) {
    Watch rises("a rises");
    rises.add(a, 1, SLA_CODE_LEVEL, 1).add(a, 2, SLA_CODE_LEVEL, 0).add(a, 3, SLA_CODE_LEVEL, 1).feed();
    EXPECT_EQ(rises.hits, (Ticks{3})) << "what was before the first level nobody knows";
    Watch changes("a changes");
    changes.add(a, 1, SLA_CODE_VALUE_SIGNED, 7).add(a, 2, SLA_CODE_VALUE_SIGNED, 7);
    changes.add(a, 3, SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(-7)).feed();
    EXPECT_EQ(changes.hits, (Ticks{3}));
}

TEST(TriggerEngine, NumbersAreComparedExactlyWhateverTheirType) {
    Watch watch("a > 9007199254740993");
    watch.add(a, 1, SLA_CODE_VALUE_SIGNED, 9007199254740993).add(a, 2, SLA_CODE_VALUE_UNSIGNED, 9007199254740994);
    watch.add(a, 3, SLA_CODE_VALUE_SIGNED, static_cast<std::uint64_t>(-1))
        .add(a, 4, SLA_CODE_VALUE_FLOAT, wire::as_bits(1e300));
    watch.add(a, 5, SLA_CODE_VALUE_FLOAT, 0x7ff8000000000000).add(a, 6, SLA_CODE_TICK).feed();
    EXPECT_EQ(watch.hits, (Ticks{2, 4}));
}

TEST(TriggerEngine, AnAndNeedsOnePartToHappenWhileTheOthersHold) {
    Watch watch("a > 5 and b");
    watch.add(b, 1).add(a, 2, SLA_CODE_VALUE_SIGNED, 9).add(b, 3).add(a, 4, SLA_CODE_VALUE_SIGNED, 1).add(b, 5).feed();
    EXPECT_EQ(watch.hits, (Ticks{3}));
}

TEST(TriggerEngine, ARateHappensWhenItBeginsToHold) {
    Watch watch("rate a >= 3/s over 1s");
    const std::uint64_t s = 1'000'000'000;
    watch.add(a, s).add(a, s + 1).add(a, s + 2).add(a, s + 3).feed(10 * s);
    EXPECT_EQ(watch.hits, (Ticks{s + 2}));
    watch.add(a, 20 * s).add(a, 20 * s + 1).add(a, 21 * s).feed();
    EXPECT_EQ(watch.hits, (Ticks{s + 2, 21 * s})) << "both ends of the window belong to it";
}

TEST(TriggerEngine, ARateOfZeroHappensInTime) {
    Watch watch("rate a == 0/s over 100ns");
    watch.feed(500);
    EXPECT_EQ(watch.hits, (Ticks{})) << "nothing was ever heard of it";
    watch.add(a, 1000).feed(2000);
    EXPECT_EQ(watch.hits, (Ticks{1101}));
}

TEST(TriggerEngine, PatternsCountAsOneStreamAndTakeChannelsThatComeLater) {
    Watch watch("3 x irq.* within 10ns");
    watch.add(irq0, 1).add(irq1, 2).add(irq0, 3).feed();
    EXPECT_EQ(watch.hits, (Ticks{3}));
    EXPECT_TRUE(watch.engine().add_channel(ChannelId{9}, "irq.9"));
    EXPECT_FALSE(watch.engine().add_channel(ChannelId{10}, "net.rx"));
    watch.add(9, 11).add(9, 12).add(irq0, 13).feed();
    EXPECT_EQ(watch.hits, (Ticks{3, 13}));
}

TEST(TriggerEngine, ALossInsideAnIntervalMeansThatNobodyCanTell) {
    Watch watch("delta a -> b > 10ns");
    watch.add(a, 0).loss(a, 5).add(b, 20).feed();
    EXPECT_EQ(watch.hits, (Ticks{}));
    EXPECT_EQ(watch.cannot_tell, (Ticks{20}));
    watch.add(a, 30).add(b, 50).feed();
    EXPECT_EQ(watch.hits, (Ticks{50})) << "what begins behind the loss is certain again";
}

TEST(TriggerEngine, ALossOnTheChannelItWaitsForMayHaveBeenIt) {
    Watch watch("a then b");
    watch.loss(b, 5).add(a, 10).loss(b, 15).add(b, 20).feed();
    EXPECT_EQ(watch.cannot_tell, (Ticks{15})) << "at 5 it was not waiting for b";
    EXPECT_EQ(watch.hits, (Ticks{20}));
}

TEST(TriggerEngine, ALossWithoutAnEndReachesToTheNextRowOfItsThread) {
    Watch watch("delta a -> b > 10ns");
    watch.loss(a, 0).add(a, 10, SLA_CODE_TICK, 0, 2).add(b, 30).feed();
    EXPECT_EQ(watch.cannot_tell, (Ticks{30})) << "thread 1 may have marked a between 10 and 30";
    watch.add(a, 40, SLA_CODE_TICK, 0, 1).add(a, 50, SLA_CODE_TICK, 0, 2).add(b, 70).feed();
    EXPECT_EQ(watch.hits, (Ticks{70}));
}

TEST(TriggerEngine, ADeltaRemembersALossThatReachesOverTheEventBefore) {
    Watch open("delta a -> b < 50ns");
    open.loss(a, 5).add(b, 10).add(b, 20).add(b, 40).add(a, 50).add(b, 60).add(b, 70).feed();
    EXPECT_EQ(open.cannot_tell, (Ticks{10, 20, 40}));
    EXPECT_EQ(open.hits, (Ticks{60}));
    Watch closed("delta a -> b < 50ns");
    closed.loss(a, 5, 25).add(b, 10).add(b, 20).add(b, 30).add(b, 40).feed();
    EXPECT_EQ(closed.cannot_tell, (Ticks{10, 20, 30})) << "it is over at 25";
    Watch other("delta a -> b < 50ns");
    other.add(a, 5).loss(b, 7, 25).add(b, 10).add(b, 20).feed();
    EXPECT_EQ(other.cannot_tell, (Ticks{7, 10})) << "of what ends it nothing has begun at 20";
    Watch cut("delta a -> b < 50ns");
    cut.loss(a, 5, 15).recall().add(b, 10).add(b, 20).add(b, 30).feed();
    EXPECT_EQ(cut.cannot_tell, (Ticks{10, 20}));
}

TEST(TriggerEngine, ALevelThatMayHaveRisenBeforeIsNoStartThatADeltaIsSureOf) {
    const auto level = [](Watch& watch, std::uint32_t channel, std::uint64_t tick, std::uint64_t value) {
        watch.add(channel, tick, SLA_CODE_LEVEL, value);
    };
    Watch begin("delta a -> b < 15ns");
    level(begin, a, 10, 1);
    begin.loss(a, 20);
    level(begin, a, 30, 1);
    begin.add(b, 40);
    level(begin, a, 50, 0);
    level(begin, a, 60, 1);
    begin.add(b, 70).feed();
    EXPECT_EQ(begin.cannot_tell, (Ticks{40}));
    EXPECT_EQ(begin.hits, (Ticks{70}));
    Watch first("delta a -> b < 15ns");
    level(first.loss(a, 20), a, 30, 1);
    first.add(b, 40).feed();
    EXPECT_EQ(first.cannot_tell, (Ticks{40})) << "nothing was known before the loss";
    Watch end("delta a -> b < 50ns");
    level(end, b, 5, 1);
    end.loss(b, 7).add(b, 8, SLA_CODE_TICK).feed();
    end.add(a, 10);
    level(end, b, 30, 1);
    level(end, b, 35, 0);
    level(end, b, 40, 1);
    level(end.add(a, 50), b, 55, 0);
    level(end, b, 60, 1);
    end.feed();
    EXPECT_EQ(end.cannot_tell, (Ticks{30, 40})) << "one of them is the first behind 10";
    EXPECT_EQ(end.hits, (Ticks{60}));
    Watch inside("delta a -> b < 15ns");
    level(inside.loss(a, 20, 40), a, 30, 0);
    level(inside, a, 50, 1);
    inside.add(b, 55).feed();
    EXPECT_EQ(inside.cannot_tell, (Ticks{55})) << "it may have risen at 35, behind the last low row";
}

TEST(TriggerEngine, ThePulseBehindALowRowInALossMayHaveBegunBefore) {
    Watch pulse("width a > 5ns");
    pulse.loss(a, 20, 40).add(a, 30, SLA_CODE_LEVEL, 0).add(a, 50, SLA_CODE_LEVEL, 1).add(a, 60, SLA_CODE_LEVEL, 0).feed();
    EXPECT_EQ(pulse.cannot_tell, (Ticks{20, 30, 60}));
    EXPECT_EQ(pulse.hits, (Ticks{}));
    Watch hidden("width a > 5ns");
    hidden.loss(a, 20, 40).add(a, 30, SLA_CODE_LEVEL, 0).add(a, 50, SLA_CODE_LEVEL, 0).feed();
    EXPECT_EQ(hidden.cannot_tell, (Ticks{20, 30, 50})) << "a whole pulse may lie between them";
}

TEST(TriggerEngine, ARateThatIsKnownAgainBehindALossMayHaveHeldAllTheTime) {
    Watch below("rate a < 100e6/s over 20ns");
    below.add(a, 0).loss(a, 50, 60).add(a, 60).add(a, 100).add(a, 200).feed(300);
    EXPECT_EQ(below.hits, (Ticks{21}));
    EXPECT_EQ(below.cannot_tell, (Ticks{81}));
    Watch begun("rate a < 50e6/s over 20ns");
    begun.add(a, 0).add(a, 10).add(a, 20).add(a, 30).loss(a, 31, 50).feed(300);
    EXPECT_EQ(begun.cannot_tell, (Ticks{51})) << "it may hold from there on";
    EXPECT_EQ(begun.hits, (Ticks{71})) << "it did not hold before the loss, and does now";
}

TEST(TriggerEngine, ItLooksAwayUntilItIsAskedToLookAgain) {
    Watch watch("a");
    watch.blind_for = 10;
    watch.add(a, 1).add(a, 5).add(a, 10).add(a, 11).add(a, 12).add(a, 30).feed();
    EXPECT_EQ(watch.hits, (Ticks{1, 11, 30}));
}

TEST(TriggerEngine, RowsFromBeforeTheWatermarkAreTakenWhenTheyCome) {
    Watch watch("a then b");
    watch.add(a, 1000).feed(2000);
    watch.add(b, 500).feed();
    EXPECT_EQ(watch.hits, (Ticks{500}));
}

TEST(TriggerEngine, LevelsCountAndTime) {
    Watch watch(
        "level idle\n if a start t, goto busy\n"
        "level busy\n if timer t > 100ns trigger\n else if b add n, goto more\n"
        "level more\n if counter n >= 2 trigger, goto idle\n else if b add n\n else if a goto busy\n",
        true);
    watch.add(a, 10).feed(200);
    EXPECT_EQ(watch.hits, (Ticks{111})) << "the timer, with no row";
    watch.add(a, 300).add(b, 301).add(b, 302).add(b, 303).feed();
    EXPECT_EQ(watch.hits, (Ticks{111, 303})) << "a counter is looked at by the row after the one that added";
}

TEST(TriggerEngine, ElseIsAnyOtherRowOfAChannelThatIsNamed) {
    Watch watch("level one\n if a stay\n else trigger\nlevel two\n if b stay\n", true);
    watch.add(a, 1).add(b, 2).add(2, 3).feed();
    EXPECT_EQ(watch.hits, (Ticks{2})) << "channel c is not named anywhere";
}

TEST(TriggerEngine, SixteenLevelsAndMoreFollowEachOther) {
    std::string text = "a";
    for (int i = 0; i < 40; ++i) text += i % 2 == 0 ? " then b" : " then a";
    Watch watch(text);
    for (std::uint64_t tick = 0; tick < 41; ++tick) watch.add(tick % 2 == 0 ? a : b, tick).feed();
    EXPECT_EQ(watch.hits, (Ticks{40}));
}

TEST(TriggerEngine, AFileThatGoesInCirclesIsStopped) {
    Watch watch("level one\n if gap a > 0ns goto two\nlevel two\n if gap a > 0ns goto one\n", true);
    watch.add(a, 1).feed(10'000'000'000);
    EXPECT_TRUE(watch.engine().goes_in_circles());
}

TEST(TriggerEngine, DeadlinesThatEventsMakeAreNoCirclesHoweverManyThereAre) {
    Watch watch("a then b within 1ns");
    for (std::uint64_t tick = 0; tick < 3'000'000; tick += 30) watch.add(a, tick);  // 33,000 a millisecond, each too late
    watch.add(a, 3'000'000).add(b, 3'000'001).feed();
    EXPECT_FALSE(watch.engine().goes_in_circles());
    EXPECT_EQ(watch.hits, (Ticks{3'000'001}));
}

TEST(TriggerEngine, ACircleIsFoundAlsoWhereEventsComeAllTheTime) {
    Watch watch(
        "level one\n if gap a > 0ns goto two\n else if b stay\nlevel two\n if gap a > 0ns goto one\n else if b stay\n",
        true);
    for (std::uint64_t tick = 0; tick < 3'000'000; tick += 100) watch.add(b, tick);
    watch.add(a, 1).feed();
    EXPECT_TRUE(watch.engine().goes_in_circles());
}

TEST(TriggerEngine, TimesFollowABetterKnownClock) {
    Watch watch("gap a > 100ns");
    watch.engine().retime(2e9);
    watch.add(a, 1000).feed(1200);
    EXPECT_EQ(watch.hits, (Ticks{}));
    watch.feed(1201);
    EXPECT_EQ(watch.hits, (Ticks{1201}));
}

}  // namespace
}  // namespace sla::trigger
