// Many short programs, one after the other: the agent forgets them, and its account stays exact.
#include "agent/daemon/pipeline/pipeline.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/frame_codec.h"
#include "tests/support/test_segment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sla::daemon {
namespace {

using support::TestSegment;
using support::TestWriter;

constexpr std::uint64_t kEventsEach = 5;

class ChurnTest : public testing::Test {
protected:
    // A program with so many channels and some events on each, from its first step until it is handed to the retention.
    void run_program(int channels, std::uint64_t number) {
        TestSegment segment;
        segment.header().start_time = number;
        auto program = std::make_shared<source::Program>(segment.view());
        program->segment_id = number;
        for (int i = 0; i < channels; i++) {
            const std::uint32_t channel = segment.add_channel("churn." + std::to_string(i));
            const std::uint32_t ring = segment.add_ring(channel, 16);
            TestWriter writer(segment, ring);
            for (std::uint64_t e = 0; e < kEventsEach; e++) SLA_TICK(writer.channel(), e);
            offered_ += kEventsEach;
        }
        pipeline_.add_program(program);
        pipeline_.step();
        program->ended = true;
        while (pipeline_.program_count() > 0) pipeline_.step();
    }
    // Until nothing but the agent's own waits.
    void settle() {
        while (!pipeline_.channels().living().empty()) pipeline_.step();
    }
    struct Seen {
        std::uint64_t events = 0;  // by the status and the last words of ended channels
        std::uint64_t retired_events = 0;
        std::uint64_t retired_channels = 0;
        std::map<std::uint32_t, std::uint64_t> ledger;
        std::set<std::uint32_t> channels;
        std::uint64_t rows = 0;
        std::uint64_t offered = 0;  // delivered, or reported as missed
        std::size_t sources = 0;
        std::size_t largest_frame = 0;
    };
    Seen finish_and_join() {
        pipeline_.finish("test");
        Seen seen;
        retain::Cursor cursor;
        std::vector<retain::Delivery> deliveries;
        retention_.read(cursor, std::size_t{1} << 30, deliveries);
        for (const retain::Delivery& delivery : deliveries) {
            wire::Frame frame;
            EXPECT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
            seen.largest_frame = std::max(seen.largest_frame, delivery.frame->size());
            if (frame.has_channel()) seen.channels.insert(frame.channel().id());
            seen.rows += delivery.facts.rows;
            seen.offered += delivery.facts.offered;
            seen.sources += frame.has_source() ? 1 : 0;
            for (const auto& one : frame.ledgers().channels()) seen.ledger[one.id()] = one.events();
            for (const auto& one : frame.status().channels()) seen.ledger[one.id()] = one.events();
            if (!frame.has_status()) continue;
            seen.retired_events = frame.status().retired().events();
            seen.retired_channels = frame.status().retired().channels();
        }
        for (const auto& [id, events] : seen.ledger) seen.events += events;
        return seen;
    }

    retain::Retention retention_{{std::uint64_t{64} << 20, std::uint64_t{400} << 10}};
    Pipeline pipeline_{retention_};
    std::uint64_t offered_ = 0;
};

TEST_F(ChurnTest, TheAccountOfForgottenChannelsIsKeptInASum) {
    for (std::uint64_t number = 1; number <= 300; number++) run_program(4, number);
    settle();
    pipeline_.step();
    EXPECT_EQ(pipeline_.recorded() + pipeline_.lost(), offered_);
    EXPECT_LE(retention_.counted_bytes(), std::uint64_t{400} << 10);
    EXPECT_LT(pipeline_.channels().size(), 400u);
    EXPECT_EQ(pipeline_.channels().directory().channel_count(), pipeline_.channels().size());
    const Seen seen = finish_and_join();
    EXPECT_EQ(seen.events + seen.retired_events, offered_);
    EXPECT_EQ(seen.channels.size() + seen.retired_channels, 1200u);
    // The total may have been reached in the middle of a source: of its other channels nothing is held, and it says so.
    EXPECT_EQ(seen.offered, seen.events) << "of what a late joiner hears it gets everything, or a gap that counts it";
}

// As after an agent was kept from its core for seconds.
TEST_F(ChurnTest, OfVeryManyShortProgramsAtOnceThoseBeforeAreForgottenBeforeTheNextOnesAreTakenIn) {
    constexpr std::size_t kPrograms = 200;
    constexpr std::size_t kChannels = 4;
    std::vector<TestSegment> segments(kPrograms);
    for (std::size_t i = 0; i < kPrograms; i++) {
        auto program = std::make_shared<source::Program>(segments[i].view());
        program->segment_id = i + 1;
        for (std::size_t c = 0; c < kChannels; c++) {
            TestWriter writer(segments[i], segments[i].add_ring(segments[i].add_channel("c" + std::to_string(c)), 16));
            for (std::uint64_t e = 0; e < kEventsEach; e++) SLA_TICK(writer.channel(), e);
            offered_ += kEventsEach;
        }
        program->ended = true;
        pipeline_.add_program(program);
    }
    std::uint64_t most_counted = 0;
    std::size_t most_at_once = 0;
    std::size_t left = kPrograms;
    do {
        pipeline_.step();
        most_at_once = std::max(most_at_once, left - pipeline_.program_count());
        left = pipeline_.program_count();
        most_counted = std::max(most_counted, retention_.counted_bytes());
    } while (pipeline_.program_count() > 0);
    settle();
    EXPECT_LE(most_at_once, 2 * Pipeline::kMaxAdmitted) << "come and gone within a step";
    EXPECT_LE(most_counted, (std::uint64_t{400} << 10) + 3 * Pipeline::kMaxAdmitted * kChannels * 2500);
    EXPECT_EQ(pipeline_.recorded() + pipeline_.lost(), offered_);
    EXPECT_EQ(pipeline_.lost(), 0u);
}

TEST_F(ChurnTest, WhatIsKnownOfALivingProgramCountsAsMemory) {
    TestSegment segment;
    for (int i = 0; i < 500; i++) segment.add_ring(segment.add_channel("c" + std::to_string(i)), 16);
    auto program = std::make_shared<source::Program>(segment.view());
    program->segment_id = 1;
    pipeline_.add_program(program);
    pipeline_.step();
    pipeline_.finish("test");
    const retain::Retention::Usage usage = retention_.usage();
    EXPECT_GT(usage.beside.programs, 500 * sizeof(drain::RingFeed));
    EXPECT_GE(retention_.counted_bytes(), usage.history + usage.names + usage.beside.programs) << "a part of the account";
}

// Each of them had a burst once: together they would keep for ever what each needed for a moment.
TEST(ChannelColumns, OfManyChannelsInUseDoNotAddUpToWhatEachNeededOnce) {
    constexpr std::size_t kChannels = 100;
    constexpr std::uint32_t kBurst = 8000;
    constexpr std::uint64_t kMemory = std::uint64_t{16} << 20;
    retain::Limits limits;
    limits.total_bytes = kMemory;
    retain::Retention retention{limits};
    Pipeline pipeline{retention};
    TestSegment segment;
    std::vector<std::unique_ptr<TestWriter>> writers;
    for (std::size_t i = 0; i < kChannels; i++)
        writers.push_back(
            std::make_unique<TestWriter>(segment, segment.add_ring(segment.add_channel(std::to_string(i)), 8192)));
    auto program = std::make_shared<source::Program>(segment.view());
    program->segment_id = 1;
    pipeline.add_program(program);
    std::uint64_t marked = 0;
    const auto mark = [&](std::size_t channel, std::uint32_t events) {
        for (std::uint32_t i = 0; i < events; i++) SLA_TICK(writers[channel]->channel(), i);
        marked += events;
        pipeline.step();
    };
    for (std::size_t channel = 0; channel < kChannels; channel++) mark(channel, kBurst);
    const auto columns = [&] { return retention.usage().beside.open_batches; };
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(8);
    while (columns() == 0 || columns() > kMemory / 4) {
        ASSERT_LT(std::chrono::steady_clock::now(), end) << columns();
        for (std::size_t channel = 0; channel < kChannels; channel++) mark(channel, 2);
    }
    pipeline.finish("test");
    EXPECT_EQ(pipeline.recorded() + pipeline.lost(), marked);
    EXPECT_EQ(pipeline.lost(), 0u);
}

TEST_F(ChurnTest, AStepWalksOnlyWhatLives) {
    for (std::uint64_t number = 1; number <= 20; number++) run_program(4, number);
    settle();
    EXPECT_EQ(pipeline_.channels().size(), 80u) << "all of them are still held";
    EXPECT_TRUE(pipeline_.channels().living().empty());
}

TEST_F(ChurnTest, ASegmentThatComesAgainAfterItsEndGoesOnWithItsChannels) {
    TestSegment segment;
    const std::uint32_t ring = segment.add_ring(segment.add_channel("again"), 64);
    for (int round = 0; round < 3; round++) {
        auto program = std::make_shared<source::Program>(segment.view());
        program->segment_id = 7;
        pipeline_.add_program(program);
        pipeline_.step();
        TestWriter writer(segment, ring);
        for (std::uint64_t e = 0; e < kEventsEach; e++) SLA_TICK(writer.channel(), e);
        program->ended = true;
        settle();
    }
    EXPECT_EQ(pipeline_.channels().size(), 1u);
    EXPECT_EQ(pipeline_.recorded(), 3 * kEventsEach);
    const Seen seen = finish_and_join();
    EXPECT_EQ(seen.rows, 3 * kEventsEach);
    EXPECT_EQ(seen.events, 3 * kEventsEach);
    EXPECT_EQ(seen.sources, 2u) << "its first word and its newest, however often it came";
}

TEST_F(ChurnTest, TheStatusOfVeryManyChannelsComesInFramesThatReadersTake) {
    TestSegment segments[3];
    for (std::uint64_t i = 0; i < 3; i++) {
        sla_channel_descriptor* const descriptors = &segments[i].descriptor(1);
        for (int c = 0; c < 4000; c++) {
            segments[i].add_channel("many." + std::to_string(c));
            descriptors[c].lost_no_ring = 1;
        }
        segments[i].header().lost_without_ring = 1;
        auto program = std::make_shared<source::Program>(segments[i].view());
        program->segment_id = i + 1;
        pipeline_.add_program(program);
        pipeline_.step();
    }
    EXPECT_EQ(pipeline_.channels().size(), 12'000u);
    const Seen seen = finish_and_join();
    EXPECT_EQ(seen.ledger.size(), 12'000u);
    EXPECT_LT(seen.largest_frame, std::size_t{128} << 10);
}

TEST_F(ChurnTest, ADescriptorThatIsRenamedStaysTheChannelThatItWas) {
    TestSegment segment;
    sla_channel_descriptor* const descriptor = &segment.descriptor(1);
    const std::uint32_t ring = segment.add_ring(segment.add_channel("honest"), 64);
    auto program = std::make_shared<source::Program>(segment.view());
    program->segment_id = 1;
    pipeline_.add_program(program);
    for (int round = 0; round < 200; round++) {
        std::snprintf(descriptor->name, sizeof descriptor->name, "renamed.%d", round);
        descriptor->lost_no_ring++;
        segment.header().lost_without_ring++;
        segment.ring(ring).generation++;
        pipeline_.step();
    }
    EXPECT_EQ(pipeline_.channels().size(), 1u);
    EXPECT_EQ(pipeline_.lost(), 200u);
}

// What has no channel may be there before the program's last channels are.
TEST(HostileNames, TheSharedChannelTakesNobodysPlace) {
    retain::Retention retention{{}};
    Pipeline pipeline(retention);
    TestSegment segment;
    auto program = std::make_shared<source::Program>(segment.view());
    program->segment_id = 1;
    pipeline.add_program(program);
    sla_channel_descriptor* const descriptors = &segment.descriptor(1);
    for (std::uint32_t c = 0; c + 1 < SLA_MAX_CHANNELS; c++) {
        segment.add_channel("c" + std::to_string(c));
        descriptors[c].lost_no_ring = 1;
    }
    segment.header().lost_no_channel = 3;
    segment.header().lost_without_ring++;
    pipeline.step();
    segment.add_channel("the last");
    descriptors[SLA_MAX_CHANNELS - 1].lost_no_ring = 1;
    segment.header().lost_without_ring++;
    pipeline.step();
    std::set<std::string> known;
    for (const OpenChannel* channel : pipeline.channels().living()) known.insert(channel->name);
    EXPECT_EQ(known.count("the last"), 1u);
    EXPECT_EQ(known.count("sla.too-many-channels"), 1u);
}

TEST(HostileNames, AProgramThatComesAgainWithNewNamesEachTimeIsBoundedAndPeopleAreWarnedOnce) {
    retain::Retention retention{{}};
    Pipeline pipeline(retention);
    TestSegment segment;
    sla_channel_descriptor* const descriptors = &segment.descriptor(1);
    for (int c = 0; c < 1000; c++) segment.add_channel("c");
    for (int round = 0; round < 8; round++) {
        for (int c = 0; c < 1000; c++) {
            std::snprintf(descriptors[c].name, sizeof descriptors[c].name, "r%d.%d", round, c);
            descriptors[c].lost_no_ring++;
        }
        segment.header().lost_without_ring++;
        auto program = std::make_shared<source::Program>(segment.view());
        program->segment_id = 1;
        pipeline.add_program(program);
        pipeline.step();
        program->ended = true;
        while (pipeline.program_count() > 0) pipeline.step();
    }
    EXPECT_EQ(pipeline.channels().size(), SLA_MAX_CHANNELS + 1u);
    EXPECT_EQ(pipeline.lost(), 8000u) << "all of it is counted";
    retain::Cursor cursor;
    std::vector<retain::Delivery> deliveries;
    retention.read(cursor, std::size_t{1} << 30, deliveries);
    int notices = 0;
    for (const retain::Delivery& delivery : deliveries) {
        wire::Frame frame;
        ASSERT_TRUE(frame.ParseFromString(delivery.frame->substr(wire::kFrameHeaderBytes)));
        notices += frame.has_notice() ? 1 : 0;
    }
    EXPECT_EQ(notices, 1);
}

}  // namespace
}  // namespace sla::daemon
