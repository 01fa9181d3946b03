#include "agent/daemon/pipeline/lane_feed.h"

#include "agent/daemon/pipeline/pipeline.h"
#include "agent/drain/channel_merge.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

constexpr std::uint32_t kThread = 7;
constexpr std::size_t kBatchEvents = 8192;

class LaneFeedTest : public testing::Test {
protected:
    // As LaneSink::add does.
    void add_row(std::uint64_t tick, std::uint8_t code, std::uint64_t value) {
        if (!feed_.waiting().add(kThread, tick, code, value)) feed_.put(kThread, tick, code, value);
    }
    void add(std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t tick = from; tick <= to; tick++) add_row(tick, SLA_CODE_TICK_VALUE, tick);
    }
    void merge(std::uint64_t watermark) {
        EXPECT_TRUE(drain::merge_up_to(watermark, kBatchEvents, channel_, channel_.open));
    }
    // Ticks from 1 on without a hole, each with its value, in the open batch.
    [[nodiscard]] bool counts_up_to(std::uint64_t last) const {
        if (channel_.open.size() != last) return false;
        for (std::uint64_t i = 0; i < last; i++) {
            if (channel_.open.ticks[i] != i + 1 || channel_.open.values[i] != i + 1) return false;
        }
        return true;
    }

    retain::Retention retention_{{}};
    Pipeline pipeline_{retention_};
    ChannelTable& channels_{pipeline_.channels()};
    OpenChannel& channel_{channels_.channel(channels_.begin_source(0, 1), {.name = "linux.test", .format = ""})};
    FeedStep step_{1'000'000, {}, {}, {}};
    LaneFeed feed_{channel_, channels_, step_};
};

TEST_F(LaneFeedTest, RowsInOrderGoStraightIntoTheOpenBatch) {
    add(1, 600);
    ASSERT_EQ(step_.touched, std::vector<LaneFeed*>{&feed_});
    feed_.give();
    EXPECT_TRUE(counts_up_to(600));
    EXPECT_TRUE(channel_.runs.empty());
    EXPECT_EQ(channel_.ledger.events, 600u);
}

TEST_F(LaneFeedTest, OfAChannelThatIsSwitchedOffLossesAloneGoOn) {
    add(1, 10);
    feed_.give();
    wire::Request off;
    off.mutable_set_channels()->add_channels("linux.*");
    off.mutable_set_channels()->set_enabled(false);
    ASSERT_EQ(pipeline_.apply({off, true, {}}), "");
    channels_.apply_settings();
    add(11, 600);
    feed_.give();
    feed_.add_with(kThread, 601, SLA_CODE_TEXT, 0, {});
    feed_.add_gap(kThread, 602, 610, wire::LossCause::kOverrun, 5);
    EXPECT_EQ(channel_.open.size(), 11u);
    EXPECT_EQ(channel_.open.codes.back(), SLA_CODE_GAP);
    EXPECT_EQ(channel_.ledger.events, 10u);
    EXPECT_EQ(channel_.ledger.lost(), 5u);
}

TEST_F(LaneFeedTest, AFilterThatCannotActHereIsNoticed) {
    add(1, 10);
    feed_.give();
    EXPECT_EQ(step_.unfiltered, "");
    wire::Request filter;
    filter.mutable_set_channels()->add_channels("linux.test");
    filter.mutable_set_channels()->mutable_filter()->set_every(10);
    ASSERT_EQ(pipeline_.apply({filter, true, {}}), "");
    channels_.apply_settings();
    add(11, 20);
    feed_.give();
    EXPECT_EQ(step_.unfiltered, "linux.test");
    EXPECT_EQ(channel_.ledger.events, 20u);
}

TEST_F(LaneFeedTest, AFullBatchIsClosedAndTheNextBegun) {
    add(1, kBatchEvents + 10);
    feed_.give();
    EXPECT_EQ(channel_.open.size(), 10u);
    EXPECT_EQ(retention_.held(channel_.id).rows, kBatchEvents);
}

TEST_F(LaneFeedTest, RowsAboveTheLimitWaitForTheWatermarkAndLaterOnesBehindThem) {
    step_.limit = 150;
    add(1, 200);
    feed_.give();
    EXPECT_TRUE(counts_up_to(150));
    merge(150);
    EXPECT_TRUE(feed_.look_whether_behind());
    step_.limit = 1'000;
    add(201, 300);
    feed_.give();
    EXPECT_TRUE(counts_up_to(150));
    merge(1'000);
    EXPECT_TRUE(counts_up_to(300));
    EXPECT_FALSE(feed_.look_whether_behind());
    step_.limit = 2'000;
    add_row(1'001, SLA_CODE_TICK, 0);
    feed_.give();
    EXPECT_EQ(channel_.open.ticks.back(), 1'001u) << "straight again";
    EXPECT_EQ(channel_.ledger.events, 301u);
}

TEST_F(LaneFeedTest, ARowOlderThanWhatHasGoneIsCountedLateWhereItCame) {
    add(1, 10);
    feed_.give();
    add_row(5, SLA_CODE_TICK, 0);
    feed_.give();
    EXPECT_EQ(channel_.ledger.events, 10u);
    EXPECT_EQ(channel_.ledger.lost(), 1u);
    ASSERT_EQ(channel_.open.codes.back(), SLA_CODE_GAP);
    EXPECT_EQ(channel_.open.values.back(), 1u);
    ASSERT_EQ(channel_.open.extras.size(), 1u);
    EXPECT_EQ(channel_.open.extras[0].cause, wire::LossCause::kLate);
}

TEST_F(LaneFeedTest, RowsOutOfOrderThatMustWaitAreSorted) {
    step_.limit = 0;
    add_row(2, SLA_CODE_TICK_VALUE, 2);
    add_row(1, SLA_CODE_TICK_VALUE, 1);
    add_row(3, SLA_CODE_TICK_VALUE, 3);
    feed_.give();
    ASSERT_EQ(step_.behind, std::vector<LaneFeed*>{&feed_});
    feed_.sort_runs();
    merge(3);
    EXPECT_TRUE(counts_up_to(3));
    EXPECT_EQ(channel_.ledger.lost(), 0u);
}

TEST_F(LaneFeedTest, TextsAndGapsStayWithTheirRows) {
    wire::RowExtra extra;
    extra.text = "in the kernel";
    add(1, 2);
    feed_.add_with(kThread, 3, SLA_CODE_TEXT, 0, extra);
    add(4, 4);
    feed_.add_gap(kThread, 4, 6, wire::LossCause::kOverrun, 9);
    ASSERT_EQ(channel_.open.size(), 5u);
    ASSERT_EQ(channel_.open.texts.size(), 1u);
    EXPECT_EQ(channel_.open.texts.of(2), "in the kernel");
    ASSERT_EQ(channel_.open.extras.size(), 1u);
    EXPECT_EQ(channel_.open.extras[0].position, 4u);
    EXPECT_EQ(channel_.open.extras[0].until_tick, 6u);
    EXPECT_EQ(channel_.ledger.lost(), 9u);
}

TEST_F(LaneFeedTest, WhatTheWatermarkHasPassedIsLate) {
    merge(100);
    add(100, 101);
    feed_.give();
    EXPECT_EQ(channel_.ledger.events, 1u);
    EXPECT_EQ(channel_.ledger.lost(), 1u);
}

// Each batch costs some microseconds: where there are many of few rows they may wait for more.
TEST_F(LaneFeedTest, ManySmallOpenBatchesAreDistinguishedFromFewAndFromLargeOnes) {
    const SourceId source = channels_.begin_source(1, 1);
    std::vector<OpenChannel*> many;
    for (int i = 0; i < 101; i++)
        many.push_back(&channels_.channel(source, {.name = "many." + std::to_string(i), .format = ""}));
    const auto fill = [&](std::size_t channels, std::size_t rows) {
        for (std::size_t i = 0; i < channels; i++) {
            many[i]->wake();
            for (std::size_t row = many[i]->open.size(); row < rows; row++)
                many[i]->open.add(row, SLA_CODE_TICK, 0, kThread);
        }
        channels_.merge(0);
        return channels_.has_many_small_batches();
    };
    EXPECT_FALSE(fill(0, 0)) << "nothing is open";
    EXPECT_FALSE(fill(100, 1)) << "few";
    EXPECT_TRUE(fill(101, 1));
    EXPECT_TRUE(fill(101, 999));
    EXPECT_FALSE(fill(101, 1000)) << "large";
}

}  // namespace
}  // namespace sla::daemon
