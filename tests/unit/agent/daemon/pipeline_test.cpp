// The agent's whole way of data, stepped by hand: no threads, no sockets.
#include "agent/daemon/pipeline/pipeline.h"

#include "agent/drain/event_source.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/test_segment.h"

#include <gtest/gtest.h>

#include <map>

namespace sla::daemon {
namespace {

using support::TestSegment;
using support::TestWriter;

// Everything that a reader of the retention got.
struct Received {
    std::map<std::uint32_t, std::string> channels;
    std::map<std::uint32_t, bool> sources_ended;
    std::map<std::string, std::vector<std::uint64_t>> values;
    std::map<std::string, std::vector<std::uint64_t>> ticks;
    std::vector<std::string> texts;
    std::vector<std::string> notices;
    std::uint64_t lost = 0;
    std::uint64_t watermark = 0;
    bool hello_first = false;
    bool ended = false;
};

class PipelineTest : public testing::Test {
protected:
    void take(const wire::Frame& frame) {
        if (frame.has_hello()) received_.hello_first = frames_ == 0;
        if (frame.has_source()) received_.sources_ended[frame.source().id()] = frame.source().ended();
        if (frame.has_channel()) received_.channels[frame.channel().id()] = frame.channel().name();
        if (frame.has_watermark()) received_.watermark = frame.watermark().tick();
        if (frame.has_end()) received_.ended = true;
        if (frame.has_notice()) received_.notices.push_back(frame.notice().text());
        frames_++;
        if (!frame.has_batch()) return;
        wire::EventBatch batch;
        ASSERT_TRUE(wire::decode_batch(frame.batch(), batch).ok());
        const std::string& name = received_.channels.at(batch.channel.value);
        for (std::size_t i = 0; i < batch.size(); i++) {
            if (batch.codes[i] == SLA_CODE_GAP) {
                received_.lost += batch.values[i];
                continue;
            }
            EXPECT_TRUE(received_.ticks[name].empty() || received_.ticks[name].back() <= batch.ticks[i]);
            received_.ticks[name].push_back(batch.ticks[i]);
            received_.values[name].push_back(batch.values[i]);
        }
        for (const wire::Extra& extra : batch.extras) received_.texts.push_back(extra.text);
    }
    void read() { read_of(retention_, cursor_); }
    void read_of(retain::Retention& retention, retain::Cursor& cursor) {
        std::vector<retain::Delivery> deliveries;
        retention.read(cursor, std::size_t{1} << 30, deliveries);
        for (const retain::Delivery& delivery : deliveries) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            take(frame);
        }
    }
    // Steps until the watermark that readers get has passed this moment.
    void catch_up() {
        std::uint64_t now = time::read_tsc();
        while (received_.watermark < now) {
            pipeline_.step();
            read();
        }
    }

    retain::Retention retention_{{}};
    Pipeline pipeline_{retention_};
    retain::Cursor cursor_;
    Received received_;
    std::size_t frames_ = 0;
};

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
