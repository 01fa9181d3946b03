#include "agent/drain/ring_feed.h"

#include "proto/time/tick_clock.h"
#include "tests/support/test_segment.h"

#include <gtest/gtest.h>

namespace sla::drain {
namespace {

using support::TestSegment;
using support::TestWriter;

constexpr std::uint64_t kSkew = 1000;
std::uint64_t clock_now = 0;

class RingFeedTest : public testing::Test {
protected:
    RingFeed open(std::uint32_t number) {
        ring::RingReader reader(view_, number);
        EXPECT_TRUE(reader.open().ok());
        return RingFeed(std::move(reader));
    }
    // At this moment, which does not pass meanwhile. Whatever is in the ring: nothing is promised of what is still to come,
    // and no row lies where the watermark will never get.
    void drain_at(RingFeed& feed, std::uint64_t now, std::uint64_t closed = 0) {
        clock_now = now;
        const StepClock clock(now, kSkew, [] { return clock_now; });
        ASSERT_TRUE(feed.drain(clock, closed, run_, ledger_).ok());
        EXPECT_LE(feed.bound(), clock.latest());
        EXPECT_EQ(run_.count_up_to(clock.latest()), run_.size());
    }
    // After real markers.
    void drain(RingFeed& feed, std::uint64_t closed = 0) { drain_at(feed, time::read_stamp() & SLA_TICK_MASK, closed); }
    wire::EventBatch rows() {
        wire::EventBatch out;
        run_.give(run_.size(), out);
        return out;
    }

    TestSegment segment_;
    std::uint32_t channel_ = segment_.add_channel("test");
    ring::SegmentView view_ = segment_.view();
    drain::Run run_{1};
    LossLedger ledger_;
};

TEST_F(RingFeedTest, LossesBecomeGapRowsBetweenTheEventsTheyLieBetween) {
    std::uint32_t number = segment_.add_ring(channel_, 4);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    for (std::uint64_t i = 0; i < 9; i++) SLA_TICK(writer.channel(), i);
    const std::uint64_t all_made = time::read_stamp();
    const std::uint64_t last_lost = segment_.ring(number).lost_last_tick;
    drain(feed);
    SLA_TICK(writer.channel(), 9);
    drain(feed);
    wire::EventBatch out = rows();
    EXPECT_EQ(out.values, (std::vector<std::uint64_t>{0, 1, 2, 3, 5, 9}))
        << "the gap is told once, in the pass that finds it";
    EXPECT_EQ(out.codes[4], SLA_CODE_GAP);
    ASSERT_EQ(out.extras.size(), 1u);
    EXPECT_EQ(out.extras[0].cause, wire::LossCause::kOverrun);
    EXPECT_GT(last_lost, out.ticks[4]);
    EXPECT_LT(last_lost, all_made);
    EXPECT_EQ(out.extras[0].until_tick, last_lost) << "not the moment in which it was found";
    EXPECT_EQ(ledger_.events, 5u);
    EXPECT_EQ(ledger_.overrun, 5u);
    for (std::size_t i = 1; i < out.size(); i++) EXPECT_GE(out.ticks[i], out.ticks[i - 1]);
}

TEST_F(RingFeedTest, EventsWithDetailsKeepThemAcrossLossesAndStepsAndTheEndOfTheRing) {
    std::uint32_t number = segment_.add_ring(channel_, 8, SLA_WIDTH_WIDE);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    std::vector<wire::Details> expected;
    std::uint64_t tick = 100;
    for (const std::size_t count : {3U, 7U, 8U, 11U, 1U, 8U}) {
        for (std::size_t i = 0; i < count; i++, tick += 10) {
            const wire::Details words{tick, i % 2 == 0 ? 0 : ~tick};
            sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, tick, tick + 1, words[0], words[1]);
            if (i < 8) expected.push_back(words);
        }
        do {
            drain_at(feed, tick + 2 * kSkew);
        } while (feed.has_more());
    }
    const wire::EventBatch out = rows();
    std::size_t next = 0;
    for (std::size_t i = 0; i < out.size(); i++) {
        if (out.codes[i] == SLA_CODE_GAP) continue;
        ASSERT_LT(next, expected.size());
        EXPECT_EQ(out.details_of(i), expected[next]);
        EXPECT_EQ(out.ticks[i], expected[next++][0]);
    }
    EXPECT_EQ(next, expected.size());
    EXPECT_EQ(ledger_.events, expected.size());
    EXPECT_EQ(ledger_.overrun, 3u);
}

TEST_F(RingFeedTest, LossesThatGoOnWhileTheyAreAccountedForLieOneBehindTheOther) {
    std::uint32_t number = segment_.add_ring(channel_, 2);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    const auto mark = [&](std::initializer_list<std::uint64_t> ticks) {
        for (std::uint64_t tick : ticks) sla_record_at(writer.channel(), SLA_CODE_TICK, tick, 0, 0, 0);
    };
    mark({100, 200, 300, 400});
    drain_at(feed, 1000);
    segment_.ring(number).tail = 0;  // as if it were full still
    mark({500, 600});
    drain_at(feed, 2000);
    const wire::EventBatch out = rows();
    EXPECT_EQ(out.ticks, (std::vector<std::uint64_t>{100, 200, 300, 400}));
    ASSERT_EQ(out.extras.size(), 2u);
    EXPECT_EQ(out.extras[0].until_tick, 400u);
    EXPECT_EQ(out.extras[1].until_tick, 600u);
    EXPECT_EQ(ledger_.overrun, 4u);
}

TEST_F(RingFeedTest, ALossThatTheProgramReportsEndsWithItsLastEvent) {
    std::uint32_t number = segment_.add_ring(channel_, 2 * kPieceSlots);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    for (std::uint64_t i = 0; i < 2 * kPieceSlots + 5; i++) SLA_TICK(writer.channel(), i);
    drain(feed);
    SLA_TICK(writer.channel(), 9);
    while (feed.has_more()) drain(feed);
    wire::EventBatch out = rows();
    ASSERT_EQ(out.size(), 2 * kPieceSlots + 2);
    ASSERT_EQ(out.codes[2 * kPieceSlots], SLA_CODE_GAP);
    EXPECT_EQ(out.values[2 * kPieceSlots], 5u);
    EXPECT_EQ(out.extras.at(0).until_tick, segment_.ring(number).lost_last_tick);
    EXPECT_LT(out.extras.at(0).until_tick, out.ticks.back());
}

TEST_F(RingFeedTest, WhereAnOlderProgramDoesNotSayItALossEndsAtTheEventBehindIt) {
    std::uint32_t number = segment_.add_ring(channel_, 2 * kPieceSlots);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    for (std::uint64_t i = 0; i < 2 * kPieceSlots + 5; i++) SLA_TICK(writer.channel(), i);
    drain(feed);
    SLA_TICK(writer.channel(), 9);
    segment_.ring(number).lost_last_tick = 0;
    while (feed.has_more()) drain(feed);
    wire::EventBatch out = rows();
    EXPECT_EQ(out.extras.at(0).until_tick, out.ticks.back());
}

TEST_F(RingFeedTest, WhatStillLiesInTheRingIsWaitedForHoweverOldItIs) {
    std::uint32_t number = segment_.add_ring(channel_, 2 * kPieceSlots);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    for (std::size_t i = 0; i < 2 * kPieceSlots; i++) SLA_TICK(writer.channel(), i);
    std::uint64_t much_later = __builtin_ia32_rdtsc() + 10 * kTimeoutTicks;
    drain_at(feed, much_later);
    EXPECT_TRUE(feed.has_more());
    wire::EventBatch first = rows();
    ASSERT_EQ(first.size(), kPieceSlots);
    EXPECT_LT(feed.bound(), first.ticks.back());
    drain_at(feed, much_later, feed.bound());
    EXPECT_EQ(rows().size(), kPieceSlots);
    EXPECT_EQ(ledger_.lost(), 0u);
    EXPECT_EQ(feed.bound(), much_later - kStoreBufferTicks);
}

TEST_F(RingFeedTest, ARingThatNeverBecomesEmptyHoldsTheBoundForNoMoreThanOneRound) {
    std::uint32_t number = segment_.add_ring(channel_, 2 * kPieceSlots);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    std::uint64_t now = 1'000'000'000;
    for (int step = 0; step < 10; step++, now += 1'000'000) {
        const std::size_t marks = step == 0 ? 2 * kPieceSlots : kPieceSlots;
        for (std::size_t i = 0; i < marks; i++) sla_record_at(writer.channel(), SLA_CODE_TICK, 1000, 0, 0, 0);
        drain_at(feed, now, feed.bound());
        ASSERT_TRUE(feed.has_more());
    }
    EXPECT_GT(feed.bound(), now - 5'000'000) << "old stamps without end";
    EXPECT_GT(ledger_.late, 0u);
}

TEST_F(RingFeedTest, AnEmptyQuietRingBoundsNothingButTheStoreBuffer) {
    RingFeed feed = open(segment_.add_ring(channel_, 4));
    drain_at(feed, 10'000'000);
    EXPECT_EQ(feed.bound(), 10'000'000 - kStoreBufferTicks);
}

TEST_F(RingFeedTest, AHalfDoneMarkerHoldsTheBoundButNotForEver) {
    std::uint32_t number = segment_.add_ring(channel_, 4);
    RingFeed feed = open(number);
    std::uint64_t start = 1'000'000'000'000;
    drain_at(feed, start);
    segment_.ring(number).reserve = 1;
    drain_at(feed, start + 1'000'000);
    EXPECT_EQ(feed.bound(), start - kStoreBufferTicks) << "the marker may have stamped right after we looked";
    drain_at(feed, start + 2 * kTimeoutTicks);
    EXPECT_EQ(feed.bound(), start + kTimeoutTicks);
}

TEST_F(RingFeedTest, AnEventBehindTheWatermarkIsCountedAsLate) {
    std::uint32_t number = segment_.add_ring(channel_, 8);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, 1000, 1, 0, 0);
    sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, 2000, 2, 0, 0);
    drain_at(feed, 5000, 1500);
    wire::EventBatch out = rows();
    ASSERT_EQ(out.size(), 2u);
    EXPECT_EQ(out.values[0], 2u);
    EXPECT_EQ(out.codes[1], SLA_CODE_GAP);
    EXPECT_EQ(out.extras[0].cause, wire::LossCause::kLate);
    EXPECT_EQ(out.extras[0].until_tick, 0u) << "it lies before its row";
    EXPECT_EQ(ledger_.late, 1u);
    EXPECT_EQ(ledger_.events, 1u);
}

TEST_F(RingFeedTest, ASourceThatPublishesOutOfOrderIsSorted) {
    std::uint32_t number = segment_.add_ring(channel_, 8);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    for (std::uint64_t tick : {500, 300, 400, 600}) {
        sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, tick, tick, 0, 0);
    }
    drain_at(feed, 1000);
    EXPECT_EQ(rows().ticks, (std::vector<std::uint64_t>{300, 400, 500, 600}));
}

// A flight recorder that went round before anybody looked: the machine's boot is not when that happened.
TEST_F(RingFeedTest, WhatWasOverwrittenBeforeTheFirstLookLiesBehindTheAttaching) {
    const std::uint32_t number = segment_.add_ring(channel_, 4, SLA_WIDTH_PLAIN, SLA_OVERWRITE);
    const std::uint64_t attached = time::read_stamp() & SLA_TICK_MASK;
    segment_.header().attached_tick = attached;
    TestWriter writer(segment_, number);
    for (std::uint64_t i = 0; i < 9; i++) SLA_TICK(writer.channel(), i);
    RingFeed feed = open(number);
    drain(feed);
    const wire::EventBatch out = rows();
    ASSERT_EQ(out.codes.front(), SLA_CODE_GAP);
    EXPECT_EQ(out.ticks.front(), attached);
    EXPECT_EQ(out.values.front() + out.size() - 1, 9u);
    EXPECT_TRUE(std::is_sorted(out.ticks.begin(), out.ticks.end()));
}

// By an agent that died, or in a time of its own: no later than the event behind it.
TEST_F(RingFeedTest, WhatWasOverwrittenBeforeAnAttachingLiesBeforeWhatIsLeft) {
    for (const bool is_own : {false, true}) {
        const std::uint32_t number = segment_.add_ring(channel_, 4, SLA_WIDTH_PLAIN, SLA_OVERWRITE);
        TestWriter writer(segment_, number);
        for (std::uint64_t i = 0; i < 9; i++) SLA_TICK(writer.channel(), i);
        segment_.header().attached_tick = time::read_stamp() & SLA_TICK_MASK;
        segment_.header().stamp_clock = is_own ? SLA_STAMP_OWN : SLA_STAMP_TSC;
        RingFeed feed = open(number);
        drain(feed);
        const wire::EventBatch out = rows();
        ASSERT_EQ(out.codes.front(), SLA_CODE_GAP);
        EXPECT_EQ(out.ticks.front(), out.ticks[1]) << is_own;
        EXPECT_GT(out.values[1], 0u);
    }
}

TEST_F(RingFeedTest, DamageInFrontOfAllElseLiesNoEarlierThanTheAttaching) {
    const std::uint32_t number = segment_.add_ring(channel_, 8);
    const std::uint64_t attached = time::read_stamp() & SLA_TICK_MASK;
    segment_.header().attached_tick = attached;
    TestWriter writer(segment_, number);
    for (std::uint64_t i = 0; i < 3; i++) SLA_TICK(writer.channel(), i);
    auto* slots = reinterpret_cast<std::uint64_t*>(segment_.at(segment_.ring(number).offset));
    slots[0] = std::uint64_t{13} << SLA_TICK_BITS | (slots[0] & SLA_TICK_MASK);
    RingFeed feed = open(number);
    drain(feed);
    const wire::EventBatch out = rows();
    ASSERT_EQ(out.size(), 3u);
    EXPECT_EQ(out.codes.front(), SLA_CODE_GAP);
    EXPECT_EQ(out.ticks.front(), attached);
}

TEST_F(RingFeedTest, NonsenseCodesAreCountedAsDamaged) {
    std::uint32_t number = segment_.add_ring(channel_, 8);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    for (std::uint64_t i = 0; i < 3; i++) SLA_TICK(writer.channel(), i);
    auto* slots = reinterpret_cast<std::uint64_t*>(segment_.at(segment_.ring(number).offset));
    slots[2] = std::uint64_t{13} << SLA_TICK_BITS | (slots[2] & SLA_TICK_MASK);
    drain(feed);
    EXPECT_EQ(ledger_.events, 2u);
    EXPECT_EQ(ledger_.damaged, 1u);
    EXPECT_EQ(rows().size(), 3u) << "two events and a gap row";
}

TEST_F(RingFeedTest, AStampInTheFutureIsDamageInItsPlaceAndTheRingGoesOn) {
    std::uint32_t number = segment_.add_ring(channel_, 8);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    const std::uint64_t now = 1'000'000;
    for (std::uint64_t tick : {now, now * 1000, SLA_TICK_MASK, now + 10}) {
        sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, tick, tick, 0, 0);
    }
    drain_at(feed, now + 20);
    wire::EventBatch out = rows();
    EXPECT_EQ(out.ticks, (std::vector<std::uint64_t>{now, now, now + 10}));
    EXPECT_EQ(out.codes[1], SLA_CODE_GAP);
    EXPECT_EQ(out.values[1], 2u);
    ASSERT_EQ(out.extras.size(), 1u);
    EXPECT_EQ(out.extras[0].cause, wire::LossCause::kDamaged);
    EXPECT_EQ(out.extras[0].until_tick, now + 10) << "between its neighbours";
    EXPECT_EQ(ledger_.damaged, 2u);
    EXPECT_EQ(ledger_.events, 2u);
    for (std::uint64_t i = 30; i < 30 + 100; i++) {
        sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, now + i, i, 0, 0);
    }
    do drain_at(feed, now + 200);
    while (feed.has_more());
    EXPECT_EQ(feed.bound(), now + 200 - kStoreBufferTicks);
    EXPECT_EQ(run_.count_up_to(now + 200), 9u) << "eight events, and a gap row that the watermark reaches";
    EXPECT_EQ(ledger_.overrun, 92u);
}

TEST_F(RingFeedTest, WhatAnotherCoresClockMayBeAheadIsNoDamage) {
    std::uint32_t number = segment_.add_ring(channel_, 8);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    const std::uint64_t ahead = kSkew + kEarlyReadTicks;
    sla_record_at(writer.channel(), SLA_CODE_TICK, 5000 + ahead, 0, 0, 0);
    sla_record_at(writer.channel(), SLA_CODE_TICK, 5001 + ahead, 0, 0, 0);
    drain_at(feed, 5000);
    EXPECT_EQ(ledger_.events, 1u);
    EXPECT_EQ(ledger_.damaged, 1u);
}

TEST_F(RingFeedTest, AnEventMarkedSinceTheStepBeganIsNoDamage) {
    std::uint32_t number = segment_.add_ring(channel_, 8);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    const std::uint64_t begun = time::read_stamp() & SLA_TICK_MASK;
    while ((time::read_stamp() & SLA_TICK_MASK) < begun + 10 * kEarlyReadTicks) {
    }
    SLA_TICK(writer.channel(), 7);
    ASSERT_TRUE(feed.drain(StepClock(begun), 0, run_, ledger_).ok());
    EXPECT_EQ(rows().values, (std::vector<std::uint64_t>{7}));
    EXPECT_EQ(ledger_.damaged, 0u);
}

TEST_F(RingFeedTest, ALossThatTheProgramPutsIntoTheFutureLiesWhereItWasFound) {
    std::uint32_t number = segment_.add_ring(channel_, 4);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    for (std::uint64_t i = 1; i <= 9; i++) sla_record_at(writer.channel(), SLA_CODE_TICK, i * 100, 0, 0, 0);
    segment_.ring(number).lost_first_tick = SLA_TICK_MASK - 5;
    drain_at(feed, 2000);
    EXPECT_EQ(run_.count_up_to(2000), 5u);
    EXPECT_EQ(ledger_.overrun, 5u);
    sla_record_at(writer.channel(), SLA_CODE_TICK, 1000, 0, 0, 0);
    drain_at(feed, 3000);
    EXPECT_EQ(run_.count_up_to(3000), 6u);
}

TEST_F(RingFeedTest, AValueOfACodeThatHasNoneIsNotLetThrough) {
    std::uint32_t number = segment_.add_ring(channel_, 8);
    TestWriter writer(segment_, number);
    RingFeed feed = open(number);
    SLA_TICK(writer.channel());
    reinterpret_cast<std::uint64_t*>(segment_.at(segment_.ring(number).offset))[1] = 77;
    drain(feed);
    EXPECT_EQ(rows().values, (std::vector<std::uint64_t>{0}));
}

}  // namespace
}  // namespace sla::drain
