// What rings held when they came to the agent, as after it was started again.
#include "agent/drain/channel_merge.h"
#include "tests/support/test_segment.h"
#include "tests/unit/agent/drain/drained_names.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sla::drain {
namespace {

using support::TestSegment;
using support::TestWriter;

class OneChannel : public Resolver {
public:
    DrainedChannel& channel(const ring::ChannelDescription&) override { return only; }
    ThreadId thread(std::uint32_t tid, const std::string&) override { return {tid}; }
    void release_thread(ThreadId) override {}
    void notice(const std::string&) override {}

    DrainedChannel only;
};

// A moment at which what was written is surely seen by all: a quiet ring holds the watermark back no more, an unread row does.
StepClock when_all_is_visible() {
    return StepClock((time::read_stamp() & SLA_TICK_MASK) + kStoreBufferTicks);
}

// After an agent came again, with large rings full: what it holds of them at a time must not be all of them.
TEST(Backlog, TheBacklogOfANewRingIsTakenInPiecesAndNothingOfItIsLate) {
    constexpr std::uint64_t kMany = kPieceSlots * 20;
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    OneChannel names;
    DrainedChannel& channel = names.only;
    channel.closed = 1;
    ProgramDrain drain(program, names);
    const std::uint32_t number = segment.add_ring(segment.add_channel("a"), kPieceSlots * 32);
    {
        TestWriter writer(segment, number);
        for (std::uint64_t i = 0; i < kMany; i++) SLA_TICK(writer.channel(), i);
    }
    const StepClock clock = when_all_is_visible();
    const std::uint64_t watermark = clock.before(0);  // far ahead of what the ring holds, by other programs' events
    wire::EventBatch out;
    std::uint64_t most_waiting = 0;
    bool more = true;
    for (int step = 0; more; step++) {
        const ProgramDrain::Step stepped = drain.step(clock);
        more = stepped.more;
        most_waiting = std::max(most_waiting, waiting(channel));
        EXPECT_TRUE(!more || stepped.bound < clock.before(kStoreBufferTicks)) << "the watermark waits for the rest";
        ASSERT_TRUE(merge_up_to(watermark, kMany, channel, out));
        ASSERT_LE(step, 21);
    }
    EXPECT_LE(most_waiting, 2 * kPieceSlots);
    EXPECT_EQ(channel.ledger.events, kMany);
    EXPECT_EQ(channel.ledger.late, 0u);
    ASSERT_EQ(out.size(), kMany);
    EXPECT_TRUE(std::is_sorted(out.values.begin(), out.values.end()));
    EXPECT_FALSE(channel.catch_up_limit) << "it waits for nothing any more";
}

TEST(Backlog, ARingThatGoesOnForAnotherIsNotWaitedForByItsChannel) {
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    OneChannel names;
    names.only.closed = 1;
    ProgramDrain drain(program, names);
    const std::uint32_t number = segment.add_ring(segment.add_channel("a"), kPieceSlots * 4);
    segment.ring(number).follows = 1;
    {
        TestWriter writer(segment, number);
        for (std::size_t i = 0; i < 3 * kPieceSlots; i++) SLA_TICK(writer.channel());
    }
    const StepClock clock = when_all_is_visible();
    const ProgramDrain::Step step = drain.step(clock);
    EXPECT_EQ(step.taken, kPieceSlots);
    EXPECT_TRUE(step.more);
    EXPECT_FALSE(names.only.catch_up_limit);
    EXPECT_LT(step.bound, clock.before(kStoreBufferTicks)) << "the watermark waits for the rest";
}

// A channel with two rings of a thousand rows, all of the one before those of the other.
struct TwoFullRings {
    TwoFullRings() {
        const std::uint32_t index = segment.add_channel("a");
        for (int ring = 0; ring < 2; ring++) {
            TestWriter writer(segment, segment.add_ring(index, kPieceSlots));
            for (std::uint64_t i = 0; i < 1000; i++) SLA_TICK(writer.channel(), i);
        }
    }
    TestSegment segment;
    OneChannel names;
    ProgramDrain drain{std::make_shared<source::Program>(segment.view()), names};
};

// A smaller piece leaves the rest in the ring, and the bound with it.
TEST(Backlog, AStepTakesNoMoreOfEachRingThanItsPiece) {
    constexpr std::size_t kPiece = 300;
    TwoFullRings rings;
    ProgramDrain& drain = rings.drain;
    DrainedChannel& channel = rings.names.only;
    const StepClock clock = when_all_is_visible();
    std::size_t taken = 0;
    for (int round = 1; round <= 4; round++) {
        const ProgramDrain::Step step = drain.step(clock, StepShare(kPiece));
        taken += step.taken;
        EXPECT_EQ(step.taken, round < 4 ? 2 * kPiece : 200u);
        EXPECT_EQ(step.more, round < 4);
        EXPECT_EQ(step.bound < clock.before(kStoreBufferTicks), round < 4);
    }
    EXPECT_EQ(taken, 2000u);
    EXPECT_EQ(channel.ledger.events, 2000u);
    EXPECT_EQ(channel.ledger.lost(), 0u);
}

// While many rows wait, rings are read up to a little beyond the watermark, and come on together; nothing is lost by it.
TEST(Backlog, WhileManyRowsWaitRingsComeOnTogether) {
    constexpr std::uint64_t kApart = StepShare::kLongestReach / 100;
    constexpr int kRings = 40;
    constexpr std::uint64_t kRows = 1000;
    TestSegment segment;
    OneChannel names;
    ProgramDrain drain{std::make_shared<source::Program>(segment.view()), names};
    const std::uint32_t index = segment.add_channel("a");
    const std::uint64_t begin = (time::read_stamp() & SLA_TICK_MASK) - kApart * kRows - StepShare::kLongestReach;
    for (int ring = 0; ring < kRings; ring++) {
        TestWriter writer(segment, segment.add_ring(index, kPieceSlots));
        for (std::uint64_t i = 0; i < kRows; i++)
            sla_record_at(writer.channel(), SLA_CODE_TICK, begin + i * kApart + static_cast<std::uint64_t>(ring), 0, 0, 0);
    }
    const StepClock clock = StepClock(time::read_stamp() & SLA_TICK_MASK);
    StepShare share(100);
    ProgramDrain::Step step = drain.step(clock, share);
    EXPECT_EQ(step.taken, 100u * kRings);
    std::size_t taken = step.taken;
    std::size_t given = 0;
    int steps = 0;
    for (; taken < kRings * kRows && steps < 200; steps++) {  // as the pipeline does: what the watermark passed goes out
        wire::EventBatch out;
        EXPECT_TRUE(merge_up_to(step.bound, 1'000'000, names.only, out));
        given += out.size();
        EXPECT_LE(taken - given, (100u + 101u) * kRings) << "no more waits than came first, and is stamped within a reach";
        share.end_step(StepShare::kManyWaiting + 1, step.bound);
        step = drain.step(clock, share);
        EXPECT_TRUE(step.more);
        taken += step.taken;
    }
    EXPECT_EQ(taken, kRings * kRows);
    EXPECT_LT(steps, 30) << "not one ring after the other";
    EXPECT_EQ(names.only.ledger.events, kRings * kRows);
    EXPECT_EQ(names.only.ledger.lost(), 0u);
}

// Of one that is far ahead nothing more is read meanwhile.
TEST(Backlog, OfARingThatIsAheadNothingMoreIsReadWhileManyRowsWait) {
    constexpr std::uint64_t kApart = StepShare::kLongestReach / 10;
    TestSegment segment;
    OneChannel names;
    ProgramDrain drain{std::make_shared<source::Program>(segment.view()), names};
    const std::uint32_t index = segment.add_channel("a");
    const std::uint64_t begin = (time::read_stamp() & SLA_TICK_MASK) - kApart * 2001;
    for (std::uint64_t ring = 0; ring < 2; ring++) {
        TestWriter writer(segment, segment.add_ring(index, kPieceSlots));
        for (std::uint64_t i = 0; i < 1000; i++)
            sla_record_at(writer.channel(), SLA_CODE_TICK, begin + (ring * 1000 + i) * kApart, 0, 0, 0);
    }
    const StepClock clock = StepClock(time::read_stamp() & SLA_TICK_MASK);
    StepShare share(100);
    ProgramDrain::Step step = drain.step(clock, share);
    EXPECT_EQ(step.taken, 200u);
    int steps = 0;
    for (std::size_t left = 900; left > 0; steps++) {
        ASSERT_LT(steps, 200);
        wire::EventBatch out;
        EXPECT_TRUE(merge_up_to(step.bound, 10'000, names.only, out));
        share.end_step(StepShare::kManyWaiting + 1, step.bound);
        step = drain.step(clock, share);
        EXPECT_TRUE(step.is_left) << "the other one is still to be read";
        left -= std::min(left, step.taken);
    }
    EXPECT_EQ(names.only.ledger.events, 1100u) << "all of the one, the first piece of the other";
    wire::EventBatch out;
    EXPECT_TRUE(merge_up_to(step.bound, 10'000, names.only, out));
    std::size_t taken = 0;
    for (int i = 0; i < 100 && taken < 900; i++) taken += drain.step(clock).taken;
    EXPECT_EQ(taken, 900u);
    EXPECT_EQ(names.only.ledger.lost(), 0u);
}

// A program may give very many events one tick: its ring holds the watermark, and is read on all the same.
TEST(Backlog, ARingThatHoldsTheWatermarkIsReadHoweverManyOfItsRowsWait) {
    constexpr std::uint64_t kTick = 1'000'000;
    TestSegment segment;
    OneChannel names;
    ProgramDrain drain{std::make_shared<source::Program>(segment.view()), names};
    TestWriter writer(segment, segment.add_ring(segment.add_channel("a"), kPieceSlots));
    const auto mark = [&](std::uint64_t tick) { sla_record_at(writer.channel(), SLA_CODE_TICK, tick, 0, 0, 0); };
    for (int i = 0; i < 200; i++) mark(kTick);
    const StepClock clock = StepClock(time::read_stamp() & SLA_TICK_MASK);
    StepShare share;
    ProgramDrain::Step step = drain.step(clock, share);
    EXPECT_EQ(step.taken, 200u);
    for (int i = 0; i < 100; i++) mark(kTick);
    mark(kTick + 1000);
    share.end_step(StepShare::kManyWaiting + 1, step.bound);
    step = drain.step(clock, share);
    EXPECT_EQ(step.taken, 101u);
    EXPECT_FALSE(step.is_left);
}

// What thousands of rings hold is taken in steps of about kMuch, however far behind the agent is; and a few rings in full
// pieces.
TEST(Backlog, PiecesShrinkWhileStepsTakeMuchAndGrowBack) {
    StepShare share;
    EXPECT_EQ(share.piece(), kPieceSlots);
    const auto step_over = [&](std::size_t rings, std::size_t in_each) {
        const std::size_t taken = rings * std::min(in_each, share.piece());
        share.take(taken);
        share.end_step(0, 0);
        return taken;
    };
    constexpr std::size_t kDeep = 1'000'000;
    step_over(2000, kDeep);
    for (int i = 0; i < 20; i++) EXPECT_LE(step_over(2000, kDeep), StepShare::kMuch);
    EXPECT_GE(step_over(2000, kDeep), StepShare::kMuch / 4);
    for (int i = 0; i < 20; i++) step_over(100'000, kDeep);
    EXPECT_EQ(share.piece(), StepShare::kLeast);
    for (int i = 0; i < 20; i++) step_over(64, kDeep);
    EXPECT_EQ(share.piece(), kPieceSlots);
    for (int i = 0; i < 20; i++) step_over(20'000, 25);
    EXPECT_EQ(share.piece(), kPieceSlots) << "much in all is what counts";
}

TEST(Backlog, AnAgentOfLittleMemoryTakesLessAndLetsLessWait) {
    StepShare share;
    share.end_step(100'000, 0);
    EXPECT_FALSE(share.are_many_waiting());
    share.fit_memory(8 << 20);
    share.end_step(100'000, 0);
    EXPECT_TRUE(share.are_many_waiting());
    share.take(100'000);
    EXPECT_EQ(share.piece(), StepShare::kLeast);
    share.fit_memory(std::uint64_t{512} << 20);
    share.end_step(100'000, 0);
    EXPECT_FALSE(share.are_many_waiting()) << "--memory may be set while it runs";
}

// However long a thread that is stopped holds the watermark.
TEST(Backlog, WhatWaitsDoesNotGrowWithoutEndWhileTheWatermarkStands) {
    for (const std::uint64_t memory : {std::uint64_t{8} << 20, std::uint64_t{512} << 20}) {
        StepShare share;
        share.fit_memory(memory);
        constexpr std::uint64_t kRowsAMillisecond = 30'000;
        std::uint64_t waiting = 0;
        std::uint64_t most = 0;
        for (int step = 0; step < 2000; step++) {
            share.end_step(waiting, 0);
            waiting = share.are_many_waiting() ? share.until() / 3'000'000 * kRowsAMillisecond : waiting + kRowsAMillisecond;
            most = std::max(most, waiting);
        }
        EXPECT_LE(most, memory < (64U << 20) ? 600'000U : 9'000'000U);
    }
}

// The first step that meets thousands of full rings does not take all that they hold.
TEST(Backlog, AStepThatHasTakenMuchTakesSmallPiecesOfTheRest) {
    StepShare share;
    std::size_t taken = 0;
    for (int ring = 0; ring < 20'000; ring++) {
        const std::size_t piece = share.piece();
        share.take(piece);
        taken += piece;
    }
    EXPECT_LE(taken, StepShare::kMuch + kPieceSlots + 20'000 * StepShare::kLeast);
    share.end_step(0, 0);
    EXPECT_LT(share.piece(), kPieceSlots) << "the next one begins with less";
    EXPECT_GT(share.piece(), 0u);
}

}  // namespace
}  // namespace sla::drain
