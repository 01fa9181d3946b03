// What clients set, on its way into programs' segments, the retention and the status.
#include "agent/daemon/pipeline/pipeline.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/filter_text.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/test_segment.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

using support::TestSegment;
using support::TestWriter;

class ControlTest : public testing::Test {
protected:
    std::string ask(const wire::Request& request, bool local = true, bool may_set_limits = false) {
        std::string said = "no answer";
        pipeline_.control({request, local, [&](const std::string& error) { said = error; }, may_set_limits});
        pipeline_.step();
        return said;
    }
    static wire::Request switched(const std::string& glob, bool on) {
        wire::Request request;
        request.mutable_set_channels()->add_channels(glob);
        request.mutable_set_channels()->set_enabled(on);
        return request;
    }
    std::shared_ptr<source::Program> add_program(TestSegment& segment) {
        auto program = std::make_shared<source::Program>(segment.view());
        program->residence.pid = 10;
        program->segment_id = 1;
        program->notify_controls = [this] { reported_++; };
        pipeline_.add_program(program);
        return program;
    }
    static const sla_channel_control& control_in(const TestSegment& segment, std::uint32_t channel) {
        return reinterpret_cast<const sla_channel_descriptor*>(segment.at(SLA_CHANNEL_OFFSET))[channel - 1].control;
    }
    wire::Status status() {
        std::vector<retain::Delivery> deliveries;
        pipeline_.finish("test");
        retention_.read(cursor_, std::size_t{1} << 30, deliveries);
        for (const retain::Delivery& delivery : deliveries) {
            wire::Frame frame;
            EXPECT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            if (frame.has_status()) return frame.status();
        }
        return {};
    }

    std::string notices() {
        std::vector<retain::Delivery> deliveries;
        retain::Cursor from_the_start;
        retention_.read(from_the_start, std::size_t{1} << 30, deliveries);
        std::string texts;
        for (const retain::Delivery& delivery : deliveries) {
            wire::Frame frame;
            EXPECT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            if (frame.has_notice()) texts += frame.notice().text() + "\n";
        }
        return texts;
    }

    int reported_ = 0;
    retain::Retention retention_{{}};
    Pipeline pipeline_{retention_};
    retain::Cursor cursor_;
};

TEST_F(ControlTest, ATriggerWindowLongerThanWhatIsKeptIsSaid) {
    wire::Request keep;
    keep.mutable_set_retention()->set_keep_ns(1'000'000'000);
    ASSERT_EQ(ask(keep), "");
    wire::Request trigger;
    trigger.mutable_set_trigger()->set_expression("net.rx > 5");
    trigger.mutable_set_trigger()->set_window_ns(1'000'000'000);
    ASSERT_EQ(ask(trigger), "");
    EXPECT_EQ(notices().find("window"), std::string::npos);
    trigger.mutable_set_trigger()->set_window_ns(20'000'000'000);
    ASSERT_EQ(ask(trigger), "");
    EXPECT_NE(notices().find("window of 20 s is longer than the 1 s"), std::string::npos) << notices();
}

TEST_F(ControlTest, AShotForTheWholeFleetNeedsAFleetAndSomebodyWhoMayOrderIt) {
    wire::Request trigger;
    trigger.mutable_set_trigger()->set_expression("net.rx > 5");
    trigger.mutable_set_trigger()->set_name("far");
    trigger.mutable_set_trigger()->set_pre_ns(1);
    trigger.mutable_set_trigger()->add_actions("fleet");
    EXPECT_NE(ask(trigger).find("--publish"), std::string::npos);
    std::vector<wire::Shot> reported;
    pipeline_.notify_fleet_with([&](const wire::Shot& shot) { reported.push_back(shot); });
    EXPECT_NE(ask(trigger, false, false), "") << "somebody on this machine reaches no other";
    EXPECT_EQ(ask(trigger, false, true), "");
    wire::Request fire;
    fire.mutable_control_trigger()->set_name("far");
    fire.mutable_control_trigger()->set_what(wire::ControlTrigger::FIRE);
    pipeline_.step();
    EXPECT_EQ(ask(fire), "");
    ASSERT_EQ(reported.size(), 1u);
    EXPECT_EQ(reported[0].trigger_name(), "far");
}

TEST_F(ControlTest, ASwitchGoesIntoTheSegmentAndTheProgramIsNotifiedOnce) {
    TestSegment segment;
    std::uint32_t one = segment.add_channel("net.rx");
    std::uint32_t other = segment.add_channel("disk");
    add_program(segment);
    EXPECT_EQ(ask(switched("net.*", false)), "");
    EXPECT_EQ(control_in(segment, one).off, 1);
    EXPECT_EQ(control_in(segment, one).sequence % 2, 0u);
    EXPECT_GT(control_in(segment, one).sequence, 0u);
    EXPECT_EQ(control_in(segment, other).off, 0);
    EXPECT_EQ(control_in(segment, other).sequence, 0u) << "nothing is wanted of it, nothing is written";
    EXPECT_EQ(reported_, 1);
    pipeline_.step();
    EXPECT_EQ(reported_, 1);
    EXPECT_EQ(ask(switched("*", true)), "");
    EXPECT_EQ(control_in(segment, one).off, 0);
    EXPECT_EQ(reported_, 2);
}

TEST_F(ControlTest, ARuleWaitsForChannelsAndProgramsThatComeLater) {
    EXPECT_EQ(ask(switched("late*", false)), "");
    TestSegment segment;
    add_program(segment);
    pipeline_.step();
    EXPECT_EQ(reported_, 0);
    std::uint32_t channel = segment.add_channel("late.one");
    pipeline_.step();
    EXPECT_EQ(control_in(segment, channel).off, 1);
    EXPECT_EQ(reported_, 1);
}

TEST_F(ControlTest, AFilterAndAPolicyAreWrittenAsNumbers) {
    TestSegment segment;
    std::uint32_t whole = segment.add_channel("whole");
    std::uint32_t real = segment.add_channel("real");
    add_program(segment);
    wire::Request request;
    request.mutable_set_channels()->add_channels("whole");
    request.mutable_set_channels()->set_overwrite(true);
    *request.mutable_set_channels()->mutable_filter() = *wire::parse_filter("value in -3..9, every 5");
    EXPECT_EQ(ask(request), "");
    request.mutable_set_channels()->set_channels(0, "real");
    *request.mutable_set_channels()->mutable_filter() = *wire::parse_filter("value < 0.5");
    EXPECT_EQ(ask(request), "");
    EXPECT_EQ(control_in(segment, whole).policy, 1 + SLA_OVERWRITE);
    EXPECT_EQ(control_in(segment, whole).compare, static_cast<std::uint32_t>(SLA_COMPARE_INSIDE));
    EXPECT_EQ(control_in(segment, whole).low, static_cast<std::uint64_t>(-3));
    EXPECT_EQ(control_in(segment, whole).high, 9u);
    EXPECT_EQ(control_in(segment, whole).every, 5u);
    EXPECT_EQ(control_in(segment, whole).real, 0u);
    EXPECT_EQ(control_in(segment, real).real, 1u);
    EXPECT_EQ(wire::as_double(control_in(segment, real).low), 0.5);
}

TEST_F(ControlTest, RequestsFromOtherMachinesAndNonsenseAreRefused) {
    EXPECT_EQ(ask(switched("a", false), false, true), "") << "who may control";
    EXPECT_EQ(ask(switched("a", false), false),
              "switches and limits are set over the Unix socket, or over TLS with the role control");
    EXPECT_NE(ask(switched("", false)), "");
    wire::Request request;
    request.mutable_set_trigger()->set_expression("a");
    request.mutable_set_trigger()->add_actions("run=true");
    EXPECT_NE(ask(request, false, true).find("Unix socket only"), std::string::npos) << "no programs, whoever controls";
    request.mutable_set_retention()->set_keep_ns(-1);
    EXPECT_NE(ask(request), "");
    request.mutable_set_retention()->clear_keep_ns();
    EXPECT_EQ(ask(request), "nothing is to be set");
    request.mutable_set_retention()->set_total_bytes(1);
    EXPECT_NE(ask(request).find("at least 256KiB"), std::string::npos);
}

TEST_F(ControlTest, TheStatusReportsSwitchesFiltersAndWhatWasTurnedAway) {
    TestSegment segment;
    std::uint32_t channel = segment.add_channel("a");
    std::uint32_t ring = segment.add_ring(channel, 64);
    add_program(segment);
    wire::Request request = switched("a", false);
    *request.mutable_set_channels()->mutable_filter() = *wire::parse_filter("value > 100");
    request.mutable_set_channels()->set_keep_ns(2'000'000'000);
    EXPECT_EQ(ask(request), "");
    segment.ring(ring).filtered = 41;
    segment.descriptor(channel).control.filtered = 1;
    wire::Status reported = status();
    ASSERT_EQ(reported.channels_size(), 1);
    EXPECT_TRUE(reported.channels(0).off());
    EXPECT_EQ(reported.channels(0).filter(), "value > 100");
    EXPECT_EQ(reported.channels(0).filtered(), 42u);
    EXPECT_EQ(reported.channels(0).keep_ns(), 2'000'000'000u);
    EXPECT_FALSE(reported.channels(0).capped());
    EXPECT_EQ(segment.ring(ring).filtered_accounted, 41u) << "the next agent goes on from here";
}

TEST_F(ControlTest, ChannelsThatFindTooLittleSpaceForTheirTimeAreReportedAsCapped) {
    TestSegment segment;
    std::uint32_t ring = segment.add_ring(segment.add_channel("busy"), 1 << 14);
    add_program(segment);
    wire::Request request;
    request.mutable_set_retention()->set_keep_ns(3'600'000'000'000);
    request.mutable_set_retention()->set_channel_bytes(20'000);
    EXPECT_EQ(ask(request), "");
    for (int round = 0; round < 20; round++) {
        TestWriter writer(segment, ring);
        for (std::uint64_t i = 0; i < 10'000; i++) SLA_TICK(writer.channel(), i * i);
        pipeline_.step();
    }
    wire::Status reported = status();
    EXPECT_TRUE(reported.channels(0).capped());
    EXPECT_LT(reported.channels(0).retained_events(), reported.channels(0).events());
    EXPECT_EQ(reported.keep_ns(), 3'600'000'000'000u);
}

TEST_F(ControlTest, AMarkByHandOnASwitchedOffChannelIsNotRecorded) {
    EXPECT_EQ(ask(switched("note", false)), "");
    wire::Mark mark;
    mark.set_channel("note");
    pipeline_.mark(mark);
    pipeline_.step();
    EXPECT_EQ(pipeline_.recorded(), 0u);
}

}  // namespace
}  // namespace sla::daemon
