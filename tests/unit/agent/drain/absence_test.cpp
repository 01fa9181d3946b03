// What a program says of the time in which it had no agent.
#include "agent/drain/program_drain.h"
#include "tests/support/test_segment.h"
#include "tests/unit/agent/drain/drained_names.h"

#include <gtest/gtest.h>

namespace sla::drain {
namespace {

using support::TestSegment;
using support::TestWriter;

TEST(Absence, TheTimeWithoutAnAgentIsAGapOfEveryChannelThatThereWas) {
    TestSegment segment;
    segment.add_channel("a");
    const std::uint32_t ring = segment.add_ring(segment.add_channel("b"), 16);
    {
        TestWriter writer(segment, ring);
        sla_record_at(writer.channel(), SLA_CODE_TICK, 400, 0, 0, 0);
        sla_record_at(writer.channel(), SLA_CODE_TICK, 1000, 0, 0, 0);
    }
    segment.header().detached_tick = 500;
    segment.header().attached_tick = 900;
    for (int agent = 0; agent < 2; agent++) {
        auto program = std::make_shared<source::Program>(segment.view());
        Names names;
        ProgramDrain drain(program, names);
        drain.step(StepClock(5000));
        const wire::EventBatch b = all_of(names.channels["b"]);
        if (agent == 1) {
            EXPECT_TRUE(b.empty()) << "it is on record";
            continue;
        }
        EXPECT_EQ(b.ticks, (std::vector<std::uint64_t>{400, 500, 1000}));
        ASSERT_EQ(b.extras.size(), 1u);
        EXPECT_EQ(b.extras[0].cause, wire::LossCause::kNoAgent);
        EXPECT_EQ(b.extras[0].until_tick, 900u);
        EXPECT_EQ(b.values[1], 0u) << "nobody knows how many";
        EXPECT_EQ(names.channels["b"].ledger.lost(), 0u);
        EXPECT_EQ(all_of(names.channels["a"]).ticks, (std::vector<std::uint64_t>{500}));
    }
}

TEST(Absence, AProgramWhoseMarkersComeOnIsReadWhenItSaysSinceWhenOrHasEnded) {
    for (const bool ends : {false, true}) {
        TestSegment segment;
        segment.add_channel("a");
        segment.header().detached_tick = 500;
        segment.header().attached_tick = 700 | SLA_ATTACHING;
        auto program = std::make_shared<source::Program>(segment.view());
        Names names;
        ProgramDrain drain(program, names);
        drain.step(StepClock(800));
        EXPECT_TRUE(names.channels.empty());
        EXPECT_EQ(segment.header().detached_tick, 500u);
        if (ends) {
            program->ended = true;
        } else {
            segment.header().attached_tick = 900;
        }
        drain.step(StepClock(5000));
        const wire::EventBatch a = all_of(names.channels["a"]);
        ASSERT_EQ(a.extras.size(), 1u);
        EXPECT_EQ(a.ticks[0], 500u);
        EXPECT_EQ(a.extras[0].until_tick, ends ? 700u : 900u);
    }
}

}  // namespace
}  // namespace sla::drain
