// What rings held when they came to the agent, as after it was started again.
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
    const StepClock clock = StepClock(time::read_stamp() & SLA_TICK_MASK);
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
    const StepClock clock = StepClock(time::read_stamp() & SLA_TICK_MASK);
    const ProgramDrain::Step step = drain.step(clock);
    EXPECT_EQ(step.taken, kPieceSlots);
    EXPECT_TRUE(step.more);
    EXPECT_FALSE(names.only.catch_up_limit);
    EXPECT_LT(step.bound, clock.before(kStoreBufferTicks)) << "the watermark waits for the rest";
}

}  // namespace
}  // namespace sla::drain
