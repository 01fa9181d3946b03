// What an agent takes while it ends, and what it leaves for the next one.
#include "tests/unit/agent/daemon/pipeline_fixture.h"

#include "agent/drain/event_source.h"

namespace sla::daemon {
namespace {

using support::TestSegment;
using support::TestWriter;

TEST_F(PipelineTest, ANewProgramsBacklogOfManyPiecesIsTakenWhole) {
    catch_up();
    TestSegment segment;
    std::uint32_t ring = segment.add_ring(segment.add_channel("old"), 32768);
    {
        TestWriter writer(segment, ring);
        for (std::uint64_t i = 0; i < 30'000; i++) SLA_TICK(writer.channel(), i);
    }
    catch_up();
    pipeline_.add_program(std::make_shared<source::Program>(segment.view()));
    pipeline_.finish("test");
    read();
    EXPECT_EQ(received_.values["old"].size(), 30'000u);
    EXPECT_EQ(received_.lost, 0u);
}

TEST_F(PipelineTest, FinishingTakesWhatIsThereEvenBehindAHalfDoneMarker) {
    TestSegment segment;
    std::uint32_t channel = segment.add_channel("a");
    std::uint32_t busy = segment.add_ring(channel, 16);
    std::uint32_t ring = segment.add_ring(channel, 16);
    pipeline_.add_program(std::make_shared<source::Program>(segment.view()));
    pipeline_.step();
    segment.ring(busy).reserve = 1;
    {
        TestWriter writer(segment, ring);
        for (std::uint64_t i = 0; i < 3; i++) SLA_TICK(writer.channel(), i);
    }
    pipeline_.finish("test");
    read();
    EXPECT_EQ(received_.values["a"].size(), 3u);
    EXPECT_TRUE(received_.ended);
}

// While the agent ends, the program's ring becomes full, and another goes on for it: what the next agent reads of the first one
// is older than what the second one holds.
TEST_F(PipelineTest, WhatComesWhileAnAgentEndsIsForTheNextOneInOrder) {
    constexpr std::uint64_t kBefore = 9'000;
    constexpr std::uint64_t kMeanwhile = 10'000;
    constexpr std::uint64_t kOfTheNext = 100;
    TestSegment segment;
    const std::uint32_t channel = segment.add_channel("a");
    const std::uint32_t first = segment.add_ring(channel, 32'768);
    segment.ring(first).most_bytes = std::uint64_t{64} << 20;
    std::uint64_t next = 0;
    const auto mark = [&](std::uint32_t ring, std::uint64_t count) {
        TestWriter writer(segment, ring);
        for (const std::uint64_t end = next + count; next < end; next++) SLA_TICK(writer.channel(), next);
    };
    mark(first, kBefore);
    auto program = std::make_shared<source::Program>(segment.view());
    program->notify_controls = [&] {
        if (next > kBefore) return;
        mark(first, kMeanwhile);
        const std::uint32_t second = segment.add_ring(channel, 1024);
        segment.ring(second).follows = 1;
        segment.ring(first).state = SLA_RING_CLOSED;
        mark(second, kOfTheNext);
    };
    pipeline_.add_program(program);
    pipeline_.finish("test");
    read();
    ASSERT_EQ(next, kBefore + kMeanwhile + kOfTheNext) << "the agent asks for a larger ring";
    retain::Retention others{{}};
    Pipeline other(others);
    retain::Cursor cursor;
    other.add_program(std::make_shared<source::Program>(segment.view()));
    other.finish("test");
    read_of(others, cursor);
    const std::vector<std::uint64_t>& values = received_.values["a"];
    ASSERT_EQ(values.size(), next);
    for (std::uint64_t i = 0; i < next; i++) ASSERT_EQ(values[i], i);
    EXPECT_EQ(received_.lost, 0u);
}

TEST_F(PipelineTest, OfAProgramThatEndsMeanwhileEverythingIsTaken) {
    TestSegment segment;
    const std::uint32_t ring = segment.add_ring(segment.add_channel("a"), 65'536);
    segment.ring(ring).most_bytes = std::uint64_t{64} << 20;
    auto program = std::make_shared<source::Program>(segment.view());
    const auto mark = [&](std::uint64_t count) {
        TestWriter writer(segment, ring);
        for (std::uint64_t i = 0; i < count; i++) SLA_TICK(writer.channel(), i);
    };
    mark(20'000);
    program->notify_controls = [&] {
        if (program->ended.exchange(true)) return;
        mark(30'000);
    };
    pipeline_.add_program(program);
    pipeline_.finish("test");
    read();
    EXPECT_EQ(received_.values["a"].size(), 50'000u);
    EXPECT_EQ(pipeline_.program_count(), 0u);
}

// As a program that marks faster than a starved agent can read.
class EndlessSource final : public drain::EventSource {
public:
    explicit EndlessSource(int& steps) : steps_(steps) {}
    Step step(std::uint64_t now, std::uint64_t) override {
        steps_++;
        return {.taken = 1, .bound = now, .more = true};
    }
    void stop() override {}

private:
    int& steps_;
};

TEST_F(PipelineTest, WhatIsStampedAfterTheAgentWasAskedToEndDoesNotKeepIt) {
    int steps = 0;
    pipeline_.set_source(std::make_unique<EndlessSource>(steps));
    pipeline_.finish("test");
    EXPECT_LT(steps, 1000);
    read();
    EXPECT_TRUE(received_.ended);
}

}  // namespace
}  // namespace sla::daemon
