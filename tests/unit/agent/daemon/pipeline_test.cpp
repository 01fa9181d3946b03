// The agent's whole way of data, stepped by hand.
#include "tests/unit/agent/daemon/pipeline_fixture.h"

namespace sla::daemon {
namespace {

using support::TestSegment;
using support::TestWriter;

TEST_F(PipelineTest, CarriesEventsOfTwoProgramsToAReader) {
    TestSegment first;
    TestSegment second;
    for (TestSegment* segment : {&first, &second}) {
        segment->header().start_time = segment == &first ? 1 : 2;
        std::uint32_t ring = segment->add_ring(segment->add_channel(segment == &first ? "a" : "b"), 64);
        auto program = std::make_shared<source::Program>(segment->view());
        program->residence.pid = 10;
        program->segment_id = segment == &first ? 1 : 2;
        pipeline_.add_program(program);
        TestWriter writer(*segment, ring);
        for (std::uint64_t i = 0; i < 20; i++) SLA_TICK(writer.channel(), i);
    }
    catch_up();
    EXPECT_TRUE(received_.hello_first);
    EXPECT_EQ(received_.sources_ended.size(), 2u);
    EXPECT_EQ(received_.values["a"].size(), 20u);
    EXPECT_EQ(received_.values["b"].size(), 20u);
    EXPECT_EQ(pipeline_.recorded(), 40u);
}

TEST_F(PipelineTest, TheSameChannelMarkedByTwoThreadsIsOneLaneInOrder) {
    TestSegment segment;
    std::uint32_t channel = segment.add_channel("shared");
    std::uint32_t rings[2] = {segment.add_ring(channel, 1024), segment.add_ring(channel, 1024)};
    auto program = std::make_shared<source::Program>(segment.view());
    pipeline_.add_program(program);
    for (int round = 0; round < 30; round++) {
        for (std::uint32_t ring : rings) {
            TestWriter writer(segment, ring);
            for (int i = 0; i < 7; i++) SLA_TICK(writer.channel());
        }
        pipeline_.step();
    }
    catch_up();
    EXPECT_EQ(received_.ticks["shared"].size(), 30u * 2 * 7);
}

// Nothing of a channel that stands still is walked, so what the watermark has passed meanwhile is known when it wakes.
TEST_F(PipelineTest, AnEventThatTheWatermarkPassedWhileItsChannelStoodStillIsLate) {
    TestSegment segment;
    const std::uint32_t ring = segment.add_ring(segment.add_channel("still"), 64);
    pipeline_.add_program(std::make_shared<source::Program>(segment.view()));
    TestWriter writer(segment, ring);
    SLA_TICK(writer.channel(), 1);
    catch_up();
    const std::uint64_t before = time::read_tsc() & SLA_TICK_MASK;
    for (int i = 0; i < 5; i++) catch_up();
    sla_record_at(writer.channel(), SLA_CODE_TICK_VALUE, before, 2, 0, 0);
    SLA_TICK(writer.channel(), 3);
    catch_up();
    EXPECT_EQ(received_.values["still"], (std::vector<std::uint64_t>{1, 3}));
    EXPECT_EQ(received_.lost, 1u);
    EXPECT_EQ(pipeline_.lost(), 1u);
}

TEST_F(PipelineTest, OfManyChannelsThatTakeTurnsEachEventComes) {
    constexpr std::size_t kChannels = 300;
    TestSegment segment;
    std::vector<std::uint32_t> rings;
    for (std::size_t i = 0; i < kChannels; i++)
        rings.push_back(segment.add_ring(segment.add_channel("turn." + std::to_string(i)), 16));
    auto program = std::make_shared<source::Program>(segment.view());
    pipeline_.add_program(program);
    for (std::uint64_t round = 0; round < 3 * kChannels; round++) {
        {
            TestWriter writer(segment, rings[round % kChannels]);
            SLA_TICK(writer.channel(), round);
        }
        if (round % 7 == 0) pipeline_.step();
    }
    program->ended = true;
    catch_up();
    EXPECT_EQ(pipeline_.recorded(), 3 * kChannels);
    for (std::uint64_t i = 0; i < kChannels; i++)
        EXPECT_EQ(received_.values["turn." + std::to_string(i)],
                  (std::vector<std::uint64_t>{i, i + kChannels, i + 2 * kChannels}));
    EXPECT_EQ(pipeline_.program_count(), 0u);
}

TEST_F(PipelineTest, ANewProgramsEventsFromBeforeTheWatermarkAreTaken) {
    catch_up();
    TestSegment segment;
    std::uint32_t ring = segment.add_ring(segment.add_channel("old"), 64);
    {
        TestWriter writer(segment, ring);
        for (std::uint64_t i = 0; i < 5; i++) SLA_TICK(writer.channel(), i);
    }
    catch_up();
    pipeline_.add_program(std::make_shared<source::Program>(segment.view()));
    catch_up();
    EXPECT_EQ(received_.values["old"], (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(received_.lost, 0u);
}

TEST_F(PipelineTest, AProgramsEndIsReportedAfterItsLastEvent) {
    TestSegment segment;
    std::uint32_t ring = segment.add_ring(segment.add_channel("a"), 16);
    auto program = std::make_shared<source::Program>(segment.view());
    pipeline_.add_program(program);
    {
        TestWriter writer(segment, ring);
        for (std::uint64_t i = 0; i < 30; i++) SLA_TICK(writer.channel(), i);
    }
    program->ended = true;
    catch_up();
    EXPECT_EQ(received_.values["a"].size() + received_.lost, 30u);
    EXPECT_EQ(received_.lost, 14u);
    EXPECT_TRUE(received_.sources_ended.begin()->second);
    EXPECT_EQ(pipeline_.program_count(), 0u);
}

TEST_F(PipelineTest, OfNoticesThatWereLeftOutTheLastWordSaysHowMany) {
    for (int i = 0; i < 2000; i++) pipeline_.notices().say("again", SourceId{7});
    pipeline_.notices().say("and another", SourceId{8});
    pipeline_.finish("test");
    read();
    ASSERT_EQ(received_.notices.size(), 52u);
    EXPECT_EQ(received_.notices[50], "and another");
    EXPECT_EQ(received_.notices[51], "1950 more notices of this source were left out");
}

TEST_F(PipelineTest, AMarkByHandIsAnEventOfTheAgentsOwnSource) {
    wire::Mark mark;
    mark.set_channel("note");
    mark.set_text("hello");
    pipeline_.mark(mark);
    mark.set_value(-3);
    pipeline_.mark(mark);
    catch_up();
    ASSERT_EQ(received_.values["note"].size(), 2u);
    EXPECT_EQ(static_cast<std::int64_t>(received_.values["note"][1]), -3);
    EXPECT_LT(received_.ticks["note"][0], received_.ticks["note"][1]);
    EXPECT_EQ(received_.texts, (std::vector<std::string>{"hello"}));
    EXPECT_EQ(received_.sources, (std::vector<std::string>{"sla mark"}));
}

// As a PC in a container that is seen through a bind mount alone: its pid is 0 here, and so its control group is not known.
TEST_F(PipelineTest, WhoStopsEmulatedPcsIsToldWhichLiveInAnotherPidNamespace) {
    TestSegment segment;
    segment.header().source_kind = wire::SOURCE_PC;
    const std::uint32_t ring = segment.add_ring(segment.add_channel("a"), 64);
    const auto program = std::make_shared<source::Program>(segment.view());
    program->residence.own_pid = 7;
    program->residence.is_elsewhere = true;
    pipeline_.add_program(program);
    std::vector<EmulatedPc> pcs;
    pipeline_.stop_guests_with([&](const wire::Shot&, const std::vector<EmulatedPc>& attached) { pcs = attached; });
    wire::SetTrigger trigger;
    trigger.set_expression("a > 0");
    trigger.add_actions("stop-guest");
    ASSERT_EQ(pipeline_.set_trigger(trigger, true), "");
    TestWriter writer(segment, ring);
    SLA_TICK(writer.channel(), 1);
    catch_up();
    ASSERT_EQ(pcs.size(), 1u);
    EXPECT_NE(pcs[0].elsewhere.find("another pid namespace, pid 7 there"), std::string::npos) << pcs[0].elsewhere;
}

TEST_F(PipelineTest, AMarkOfSomebodyWithANameIsAnEventOfASourceOfThatNameWhileThereAreNotTooMany) {
    wire::Mark mark;
    mark.set_channel("note");
    for (std::size_t i = 0; i < HandMarks::kMaxNames + 3; i++) {
        mark.set_source("counters of " + std::to_string(i));
        for (int turn = 0; turn < 2; turn++) pipeline_.mark(mark);
    }
    catch_up();
    EXPECT_EQ(received_.values["note"].size(), 2 * (HandMarks::kMaxNames + 3));
    EXPECT_EQ(received_.channels.size(), HandMarks::kMaxNames + 1);
    ASSERT_EQ(received_.sources.size(), HandMarks::kMaxNames + 1);
    EXPECT_EQ(received_.sources.front(), "counters of 0");
    EXPECT_EQ(received_.sources.back(), "sla mark");
}

}  // namespace
}  // namespace sla::daemon
