// Rings with a little in them, which is left where it is for a while.
#include "agent/drain/channel_merge.h"
#include "tests/support/test_segment.h"
#include "tests/unit/agent/drain/drained_names.h"

#include <gtest/gtest.h>

namespace sla::drain {
namespace {

using support::TestSegment;
using support::TestWriter;

constexpr std::uint32_t kCapacity = 1024;
constexpr std::uint64_t kLittle = kCapacity / StepShare::kPartLeft;

class LittleLeft : public testing::Test {
protected:
    LittleLeft() { share_.leave_little(true); }
    void mark(std::uint64_t count) {
        TestWriter writer(segment_, ring_);
        for (std::uint64_t i = 0; i < count; i++) SLA_TICK(writer.channel(), i);
    }
    // Whatever a new ring holds is taken at once; from then on a little of it is left.
    void begin() {
        step();
        mark(1);
        ASSERT_EQ(step().taken, 1u);
    }
    // As a pipeline steps: its watermark never goes back.
    ProgramDrain::Step step() {
        const ProgramDrain::Step stepped = drain_.step(at_present(), share_);
        watermark_ = std::max(watermark_, stepped.bound);
        share_.end_step(0, watermark_);
        return stepped;
    }

    TestSegment segment_;
    std::uint32_t ring_ = segment_.add_ring(segment_.add_channel("a"), kCapacity);
    std::shared_ptr<source::Program> program_ = std::make_shared<source::Program>(segment_.view());
    Names names_;
    ProgramDrain drain_{program_, names_};
    StepShare share_;
    std::uint64_t watermark_ = 0;
};

TEST_F(LittleLeft, WhatANewRingHoldsIsTakenAtOnce) {
    mark(5);
    EXPECT_EQ(step().taken, 5u);
}

TEST_F(LittleLeft, LaterALittleIsLeftUntilItIsMuch) {
    begin();
    mark(kLittle);
    ProgramDrain::Step stepped = step();
    EXPECT_EQ(stepped.taken, 0u);
    EXPECT_EQ(stepped.left_rings, 1u);
    EXPECT_EQ(stepped.busy_rings, 1u);
    EXPECT_FALSE(stepped.more);
    mark(1);
    stepped = step();
    EXPECT_EQ(stepped.taken, kLittle + 1);
    EXPECT_EQ(stepped.left_rings, 0u);
}

TEST_F(LittleLeft, ItIsTakenOnceNothingIsToBeLeft) {
    begin();
    mark(3);
    EXPECT_EQ(step().taken, 0u);
    share_.leave_little(false);
    EXPECT_EQ(step().taken, 3u);
    EXPECT_EQ(names_.channels["a"].ledger.late, 0u);
}

TEST_F(LittleLeft, TheWatermarkWaitsForWhatIsLeft) {
    begin();
    const std::uint64_t before = watermark_;
    mark(3);
    step();
    step();
    EXPECT_EQ(watermark_, before);
    share_.leave_little(false);
    step();
    EXPECT_GT(watermark_, before);
    DrainedChannel& channel = names_.channels["a"];
    ASSERT_EQ(channel.runs.size(), 1u);
    ASSERT_EQ(channel.runs.front()->size(), 4u);
    EXPECT_GT(channel.runs.front()->rows().ticks[1], before) << "nothing of it is late";
}

TEST_F(LittleLeft, HowFastARingFillsIsSaidByWhatIsNew) {
    begin();
    mark(32);
    EXPECT_DOUBLE_EQ(step().fullness, 32.0 / kCapacity);
    EXPECT_DOUBLE_EQ(step().fullness, 0);
    mark(8);
    EXPECT_DOUBLE_EQ(step().fullness, 8.0 / kCapacity);
}

TEST_F(LittleLeft, OfASmallRingLessIsLeft) {
    const std::uint32_t small = segment_.add_ring(segment_.add_channel("small"), 32);
    step();
    for (int turn = 0; turn < 2; turn++) {
        TestWriter writer(segment_, small);
        for (int i = 0; i < 5; i++) SLA_TICK(writer.channel(), i);
        EXPECT_EQ(step().taken, 5u);
    }
}

TEST_F(LittleLeft, WhatAProgramThatHasEndedLeftIsTaken) {
    begin();
    mark(3);
    program_->ended = true;
    const ProgramDrain::Step stepped = step();
    EXPECT_EQ(stepped.taken, 3u);
    EXPECT_TRUE(stepped.finished);
}

TEST_F(LittleLeft, LossesAreCountedAtOnce) {
    begin();
    mark(3);
    segment_.ring(ring_).lost = 7;
    step();
    EXPECT_EQ(names_.channels["a"].ledger.overrun, 7u);
}

TEST_F(LittleLeft, ARingWhosePositionsAreNonsenseIsFound) {
    begin();
    segment_.ring(ring_).head = UINT64_MAX;
    step();
    EXPECT_EQ(names_.notices.size(), 1u);
}

TEST_F(LittleLeft, AProgramWithATimeOfItsOwnIsReadAtOnce) {
    TestSegment segment;
    segment.header().stamp_clock = SLA_STAMP_OWN;
    const std::uint32_t ring = segment.add_ring(segment.add_channel("b"), kCapacity);
    ProgramDrain drain(std::make_shared<source::Program>(segment.view()), names_);
    drain.step(at_present(), share_);
    for (int turn = 0; turn < 2; turn++) {
        TestWriter writer(segment, ring);
        SLA_TICK(writer.channel(), 1);
        EXPECT_EQ(drain.step(at_present(), share_).taken, 1u);
    }
}

}  // namespace
}  // namespace sla::drain
