// A recording goes on for months: what its writer remembers of channels is that of those in use.
#include "proto/capture/summary/summary_collector.h"

#include "proto/capture/summary/chunk_summary.h"
#include "proto/wire/batch_codec.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace sla::capture {
namespace {

class SummaryCollectorTest : public testing::Test {
protected:
    struct Row {
        std::uint8_t code;
        std::uint64_t value = 0;
        std::uint32_t thread = 1;
    };
    // One batch of these rows, a tick apart.
    void add(std::uint32_t channel, std::initializer_list<Row> rows) {
        wire::EventBatch batch;
        batch.channel = {channel};
        batch.first_index = next_[channel];
        for (const Row& row : rows) batch.add(tick_++, row.code, row.value, row.thread);
        next_[channel] += rows.size();
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        collector_.add_frame(frame.SerializeAsString(), {});
    }
    ChunkDetail close() { return collector_.close_chunk({sequence_++, 0, 0, 1}); }

    SummaryCollector collector_;
    std::map<std::uint32_t, std::uint64_t> next_;
    std::uint64_t tick_ = 1000;
    std::uint64_t sequence_ = 0;
};

TEST_F(SummaryCollectorTest, ChannelsThatAreIdleForAWholeChunkTakeNoMemory) {
    for (std::uint32_t channel = 1; channel <= 10'000; channel++) add(channel, {{SLA_CODE_TICK}, {SLA_CODE_TICK}});
    EXPECT_GT(collector_.bytes(), 10'000 * sizeof(LaneSummarizer));
    EXPECT_EQ(close().lanes.size(), 10'000u);
    EXPECT_EQ(collector_.lane_count(), 10'000u) << "one that is used again and again keeps its memory";
    add(1, {{SLA_CODE_TICK}});
    EXPECT_EQ(close().lanes.size(), 1u);
    EXPECT_EQ(collector_.lane_count(), 1u);
    EXPECT_LT(collector_.bytes(), 10'000u);
}

TEST_F(SummaryCollectorTest, MillionsOfShortChannelsAreForgottenAsTheyEnd) {
    std::size_t most = 0;
    for (std::uint32_t channel = 1; channel <= 50'000; channel++) {
        add(channel, {{SLA_CODE_BEGIN}, {SLA_CODE_LEVEL, 1}, {SLA_CODE_END}});
        if (channel % 100 != 0) continue;
        close();
        wire::Frame frame;
        for (std::uint32_t gone = channel - 99; gone <= channel; gone++) frame.mutable_retired()->add_channels(gone);
        collector_.add_frame(frame.SerializeAsString(), {});
        most = std::max(most, collector_.bytes());
    }
    EXPECT_LT(most, 300 * (sizeof(LaneSummarizer) + 1024));
    close();
    EXPECT_EQ(collector_.bytes(), 0u);
}

TEST_F(SummaryCollectorTest, ALevelIsStillKnownAfterARest) {
    add(1, {{SLA_CODE_LEVEL, 1}});
    close();
    add(2, {{SLA_CODE_TICK}});
    close();
    EXPECT_EQ(collector_.lane_count(), 1u);
    EXPECT_GT(collector_.bytes(), sizeof(LaneSummarizer)) << "a level is something to remember";
    add(1, {{SLA_CODE_TICK}, {SLA_CODE_TICK}});
    const ChunkDetail detail = close();
    ASSERT_EQ(detail.lanes.size(), 1u);
    EXPECT_EQ(detail.lanes[0].level_before, Level::kHigh);
    EXPECT_EQ(detail.lanes[0].high_ticks, 1u);
}

TEST_F(SummaryCollectorTest, SpansAreNumberedOnAfterARest) {
    add(1, {{SLA_CODE_BEGIN}, {SLA_CODE_END}, {SLA_CODE_BEGIN}, {SLA_CODE_END}});
    close();
    close();
    EXPECT_EQ(collector_.lane_count(), 0u);
    add(1, {{SLA_CODE_BEGIN}});
    close();
    add(1, {{SLA_CODE_END}});
    const ChunkDetail detail = close();
    ASSERT_EQ(detail.crossed.size(), 1u);
    EXPECT_EQ(detail.crossed[0].span.id, 2u);
}

TEST_F(SummaryCollectorTest, AnOpenSpanKeepsItsChannelUntilItEnds) {
    add(1, {{SLA_CODE_BEGIN}});
    for (int chunk = 0; chunk < 5; chunk++) close();
    EXPECT_EQ(collector_.lane_count(), 1u);
    add(1, {{SLA_CODE_END}});
    EXPECT_EQ(close().crossed.size(), 1u);
    close();
    EXPECT_EQ(collector_.lane_count(), 0u);
}

TEST_F(SummaryCollectorTest, WhatWaitsForAnIndexIsCountedUntilItIsTaken) {
    const std::size_t before = collector_.waiting_bytes();
    for (std::uint32_t channel = 0; channel < 200; channel++) {
        wire::Frame name;
        name.mutable_channel()->set_id(channel);
        name.mutable_channel()->set_name(std::string(100, 'n'));
        collector_.add_frame(name.SerializeAsString(), {});
        add(channel, {{SLA_CODE_TICK}});
    }
    EXPECT_EQ(collector_.lanes_with_rows(), 200u);
    EXPECT_GT(collector_.waiting_bytes(), before + 200 * 100);
    close();
    EXPECT_EQ(collector_.lanes_with_rows(), 0u);
    EXPECT_GT(collector_.waiting_bytes(), before + 200 * (100 + sizeof(LaneSummary)));
    (void)collector_.take_index(0);
    EXPECT_LT(collector_.waiting_bytes(), before + 256 * sizeof(IndexRow) + 1);
}

TEST_F(SummaryCollectorTest, WhatIsCountedIsReadWithoutTheRest) {
    wire::Frame name;
    name.mutable_channel()->set_name("lasts");
    collector_.add_frame(name.SerializeAsString(), {});
    for (int batch = 0; batch < 600; batch++) add(1, {{SLA_CODE_BEGIN}, {SLA_CODE_TICK_VALUE, 7}, {SLA_CODE_END}});
    add(2, {{SLA_CODE_TICK}, {SLA_CODE_GAP, 12}, {SLA_CODE_BEGIN}});
    const ChunkDetail detail = close();
    ChunkSummary message;
    encode_detail(detail, message);
    const std::string bytes = message.SerializeAsString();
    ChunkDetail counted;
    ASSERT_TRUE(read_counts(bytes, counted));
    EXPECT_EQ(counted.lasting, detail.lasting);
    EXPECT_TRUE(counted.cells.empty() && counted.intervals.empty());
    const EventCount expected = count_events(detail);
    const EventCount found = count_events(counted);
    EXPECT_EQ(found.rows, 1803U);
    EXPECT_EQ(std::tie(found.rows, found.events, found.missed, found.first_tick, found.last_tick),
              std::tie(expected.rows, expected.events, expected.missed, expected.first_tick, expected.last_tick));
    ASSERT_EQ(counted.gaps.size(), 1U);
    EXPECT_EQ(counted.gaps[0].lost, 12U);
    std::size_t refused = 0;
    for (std::size_t size = 0; size < bytes.size(); ++size)
        refused += read_counts(std::string_view(bytes).substr(0, size), counted) ? 0 : 1;
    EXPECT_GT(refused, bytes.size() - 30) << "cut within a field";
    EXPECT_FALSE(read_counts("\x2b", counted)) << "a group is no field of it";
    EXPECT_FALSE(read_counts(std::string("\x2a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11), counted));
}

}  // namespace
}  // namespace sla::capture
