// Rows of many channels on their way from runs into batches.
#include "agent/daemon/pipeline/channel_table.h"

#include "tests/unit/agent/daemon/pipeline_fixture.h"

#include <map>
#include <memory>
#include <string>

namespace sla::daemon {
namespace {

constexpr std::uint32_t kThread = 7;

class ChannelTableTest : public PipelineTest {
protected:
    OpenChannel& add_channel(const std::string& name) {
        OpenChannel& channel = channels_.channel(source_, {.name = name, .format = ""});
        channel.runs.push_back(runs_[channel.id.value] = std::make_shared<drain::Run>(kThread));
        return channel;
    }
    // As many rows more, each with its tick as its value, as a ring's feed puts them there.
    void put(OpenChannel& channel, std::uint64_t rows) {
        channel.wake();
        std::uint64_t& last = last_[channel.id.value];
        for (const std::uint64_t until = last + rows; last < until;) {
            last++;
            runs_[channel.id.value]->add(last, SLA_CODE_TICK_VALUE, last);
        }
        channels_.note_taken(rows);
    }
    // A reader has so many rows of it, without a hole.
    void expect_received(const OpenChannel& channel, std::uint64_t rows) {
        read();
        const auto& values = received_.values[channel.name];
        ASSERT_EQ(values.size(), rows) << channel.name;
        for (std::uint64_t i = 0; i < rows; i++) ASSERT_EQ(values[i], i + 1) << channel.name;
    }

    ChannelTable& channels_{pipeline_.channels()};
    const SourceId source_{channels_.begin_source(0, 1)};
    std::map<std::uint32_t, std::shared_ptr<drain::Run>> runs_;  // by channel
    std::map<std::uint32_t, std::uint64_t> last_;                // tick, likewise
};

TEST_F(ChannelTableTest, AMergeThatClosesLeavesNoBatchOpen) {
    OpenChannel& first = add_channel("first");
    OpenChannel& second = add_channel("second");
    put(first, 3);
    put(second, 2);
    channels_.merge(100, true);
    EXPECT_TRUE(first.open.empty());
    EXPECT_EQ(first.open.ticks.capacity(), 0u) << "it needed none of its own";
    EXPECT_EQ(channels_.open_batches(), 0u);
    expect_received(first, 3);
    expect_received(second, 2);
}

TEST_F(ChannelTableTest, WhatWasOpenIsClosedWithTheRowsBehindIt) {
    OpenChannel& channel = add_channel("a");
    put(channel, 3);
    channels_.merge(100);
    ASSERT_EQ(channel.open.size(), 3u);
    put(channel, 4);
    channels_.merge(100, true);
    EXPECT_TRUE(channel.open.empty());
    EXPECT_EQ(channel.next_index, 7u);
    expect_received(channel, 7);
}

TEST_F(ChannelTableTest, ManyBatchesOfOneChannelAreClosedOneBehindTheOther) {
    constexpr std::uint64_t kRows = 2 * ChannelTable::kBatchEvents + 5;
    OpenChannel& channel = add_channel("a");
    OpenChannel& other = add_channel("b");
    put(channel, kRows);
    put(other, 1);
    channels_.merge(kRows, true);
    expect_received(channel, kRows);
    expect_received(other, 1);
}

TEST_F(ChannelTableTest, RowsBeyondTheWatermarkWaitHoweverItIsMerged) {
    OpenChannel& channel = add_channel("a");
    put(channel, 10);
    EXPECT_EQ(channels_.merge(6, true), 4u);
    expect_received(channel, 6);
    EXPECT_EQ(channels_.open_batches(), 1u) << "it is still awake";
    EXPECT_EQ(channels_.merge(10, true), 0u);
    expect_received(channel, 10);
    EXPECT_EQ(channels_.open_batches(), 0u);
}

// The step that closes visits those alone that have news.
TEST_F(ChannelTableTest, ABatchWhoseChannelHasNoNewsIsClosedAsWell) {
    OpenChannel& channel = add_channel("a");
    put(channel, 3);
    channels_.merge(100);
    EXPECT_TRUE(channels_.merge(200, true) == 0 && !channel.open.empty());
    EXPECT_TRUE(channels_.close_batches());
    EXPECT_TRUE(channel.open.empty());
    expect_received(channel, 3);
}

TEST_F(ChannelTableTest, ColumnsThatAreTooManyAreGivenBackWhereItCloses) {
    OpenChannel& channel = add_channel("a");
    put(channel, 100);
    channels_.trim(0);
    channels_.merge(100, true);
    EXPECT_EQ(channel.runs.front()->bytes(), 0u);
    expect_received(channel, 100);
}

TEST_F(ChannelTableTest, WhatWaitsInRunsCountsAsWhatWaitsInOpenBatches) {
    channels_.trim(3 * 100 * wire::EventBatch::kRowBytes);
    for (std::size_t i = 0; i <= ChannelTable::kManyBatches; i++) put(add_channel("c" + std::to_string(i)), 1);
    EXPECT_EQ(channels_.open_batches(), ChannelTable::kManyBatches + 1);
    EXPECT_TRUE(channels_.has_many_small_batches());
    EXPECT_DOUBLE_EQ(channels_.open_fullness(), 1.01);
    channels_.merge(100);
    EXPECT_EQ(channels_.open_batches(), ChannelTable::kManyBatches + 1);
    EXPECT_DOUBLE_EQ(channels_.open_fullness(), 1.01) << "they are counted once";
    channels_.close_batches();
    EXPECT_EQ(channels_.open_batches(), 0u);
    EXPECT_DOUBLE_EQ(channels_.open_fullness(), 0);
}

}  // namespace
}  // namespace sla::daemon
