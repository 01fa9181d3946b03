#include "proto/capture/summary/lane_summarizer.h"

#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/chunk_summary.h"
#include "tests/unit/proto/capture/random_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sla::capture {
namespace {

TEST(LaneSummarizer, SaysWhatALookAtEveryRowSays) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 30; ++round) {
        LaneSummarizer summarizer{ChannelId{5}};
        PlainSummarizer plain;
        std::uint64_t tick = 1000;
        std::uint64_t index = 0;
        for (int chunk = 0; chunk < 5; ++chunk) {
            wire::EventBatch all;
            all.first_index = index;
            const std::uint64_t batches = 1 + random() % 4;
            for (std::uint64_t i = 0; i < batches; ++i) {
                const bool are_pairs = random() % 2 == 0;
                const wire::EventBatch rows =
                    are_pairs ? random_pairs(random, index, tick) : random_rows(random, index, tick);
                index += rows.size();
                summarizer.add(rows);
                for (std::size_t row = 0; row < rows.size(); ++row)
                    all.add(rows.ticks[row], rows.codes[row], rows.values[row], rows.threads[row]);
            }
            std::vector<LaneSummary> cells;
            PlainSummarizer for_cells = plain;
            const LaneSummary sum = summarizer.take(cells);
            expect_same(sum, plain.of(all, 0, all.size()));
            ASSERT_EQ(cells.size(), all.size() > kCellRows ? (all.size() + kCellRows - 1) / kCellRows : 0);
            for (std::size_t i = 0; i < cells.size(); ++i) {
                expect_same(cells[i],
                            for_cells.of(all, i * kCellRows, std::min<std::size_t>((i + 1) * kCellRows, all.size())));
            }
            ASSERT_FALSE(::testing::Test::HasFailure()) << round << " " << chunk;
        }
    }
}

// Pairs are passed by, spans with something inside are opened and closed: what is said of them is the same.
TEST(LaneSummarizer, SaysOfPairsWhatItSaysOfTheSameRowsOneByOne) {
    std::mt19937_64 random(8);
    std::uint64_t tick = 1000;
    std::uint64_t index = 0;
    LaneSummarizer whole{ChannelId{5}};
    LaneSummarizer single{ChannelId{5}};
    BinCounter counter;
    for (int chunk = 0; chunk < 50; ++chunk) {
        const wire::EventBatch rows = random_pairs(random, index, tick);
        index += rows.size();
        whole.add(rows);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            wire::EventBatch one;
            one.first_index = rows.first_index + row;
            one.add(rows.ticks[row], rows.codes[row], rows.values[row], rows.threads[row]);
            single.add(one);
        }
        ASSERT_EQ(whole.crossed().size(), single.crossed().size());
        for (std::size_t i = 0; i < whole.crossed().size(); ++i) {
            const CrossedSpan& a = whole.crossed()[i];
            const CrossedSpan& b = single.crossed()[i];
            EXPECT_TRUE(a.span.id == b.span.id && a.span.row == b.span.row && a.end_tick == b.end_tick && a.cut == b.cut);
        }
        EXPECT_EQ(whole.rest().begun, single.rest().begun);
        IntervalSums sums[2];
        EXPECT_EQ(whole.take_intervals(sums[0], counter), single.take_intervals(sums[1], counter));
        EXPECT_EQ(sums[0].spans.count, sums[1].spans.count);
        EXPECT_TRUE(sums[0].spans.sum == sums[1].spans.sum && sums[0].spans.squares == sums[1].spans.squares);
        EXPECT_TRUE(sums[0].widths.sum == sums[1].widths.sum && sums[0].cut == sums[1].cut);
        EXPECT_TRUE(sums[0].spans.min == sums[1].spans.min && sums[0].spans.max == sums[1].spans.max);
        const auto are_same = [](const WidthBin& a, const WidthBin& b) { return a.bin == b.bin && a.count == b.count; };
        EXPECT_TRUE(std::ranges::equal(sums[0].spans.bins, sums[1].spans.bins, are_same));
        std::vector<LaneSummary> cells[2];
        const LaneSummary a = whole.take(cells[0]);
        const LaneSummary b = single.take(cells[1]);
        expect_same(a, b);
        EXPECT_EQ(a.begins, b.begins);
        EXPECT_EQ(a.loose_ends, b.loose_ends);
        EXPECT_EQ(a.span_rows, b.span_rows);
        EXPECT_EQ(a.has_number, b.has_number);
        ASSERT_FALSE(::testing::Test::HasFailure()) << chunk;
    }
}

TEST(LaneSummarizer, RemembersTheOutermostOpenSpansAndCountsAll) {
    LaneSummarizer summarizer{ChannelId{5}};
    wire::EventBatch rows;
    for (std::uint64_t i = 0; i < 300; ++i) rows.add(i, SLA_CODE_BEGIN_VALUE, i, 1);
    rows.add(300, SLA_CODE_BEGIN, 0, 2);
    summarizer.add(rows);
    std::vector<LaneSummary> cells;
    EXPECT_EQ(summarizer.take(cells).depth_after, 301U);
    rows.clear();
    for (std::uint64_t i = 0; i < 299; ++i) rows.add(400 + i, SLA_CODE_END, 0, 1);
    summarizer.add(rows);
    ASSERT_EQ(summarizer.open_before().size(), kRememberedSpans + 1);
    EXPECT_EQ(summarizer.open_before()[255].value, 255U);
    EXPECT_EQ(summarizer.open_before()[256].thread, 2U);
    EXPECT_EQ(summarizer.take(cells).depth_after, 2U);
    rows.clear();
    rows.add(900, SLA_CODE_GAP, 3, 2);
    summarizer.add(rows);
    ASSERT_EQ(summarizer.open_before().size(), 2U);
    EXPECT_EQ(summarizer.open_before()[0].begin_tick, 0U);
    EXPECT_EQ(summarizer.take(cells).depth_after, 1U);
}

TEST(LaneSummarizer, StaysSmallWhateverBeginsAndNeverEnds) {
    LaneSummarizer summarizer{ChannelId{5}};
    wire::EventBatch rows;
    for (std::uint32_t i = 0; i < 300'000; ++i) rows.add(i, SLA_CODE_BEGIN, 0, i % 100'000 + 1);
    summarizer.add(rows);
    rows.clear();
    rows.add(400'000, SLA_CODE_TICK, 0, 1);
    std::vector<LaneSummary> cells;
    const LaneSummary sum = summarizer.take(cells);
    EXPECT_GE(sum.depth_after, 65536U);
    EXPECT_LE(sum.depth_after, 300'000U);
}

TEST(ChunkSummary, ComesBackAsItWasWritten) {
    std::mt19937_64 random(8);
    LaneSummarizer summarizer{ChannelId{9}};
    std::uint64_t tick = std::uint64_t{1} << 60;
    ChunkDetail detail;
    detail.place = {7, 8, 9, 10};
    detail.lasting = {"a", "", "bc"};
    for (int i = 0; i < 3; ++i) {
        summarizer.add(random_rows(random, static_cast<std::uint64_t>(i) * 2000, tick));
        detail.open = summarizer.open_before();
        detail.crossed.insert(detail.crossed.end(), summarizer.crossed().begin(), summarizer.crossed().end());
        detail.gaps.insert(detail.gaps.end(), summarizer.gaps().begin(), summarizer.gaps().end());
        detail.lanes.push_back(summarizer.take(detail.cells));
    }
    ChunkSummary message;
    encode_detail(detail, message);
    ChunkDetail back;
    ASSERT_TRUE(decode_detail(message, back));
    EXPECT_EQ(back.place.offset, 8U);
    EXPECT_EQ(back.lasting, detail.lasting);
    ASSERT_EQ(back.lanes.size(), 3U);
    ASSERT_EQ(back.cells.size(), detail.cells.size());
    ASSERT_EQ(back.open.size(), detail.open.size());
    for (std::size_t i = 0; i < 3; ++i) expect_same(back.lanes[i], detail.lanes[i]);
    for (std::size_t i = 0; i < back.cells.size(); ++i) expect_same(back.cells[i], detail.cells[i]);
    EXPECT_EQ(back.lanes[2].channel, ChannelId{9});

    message.mutable_lanes()->add_rows(1);
    EXPECT_FALSE(decode_detail(message, back)) << "columns of different length";
    message.mutable_lanes()->mutable_rows()->RemoveLast();
    message.mutable_lanes()->set_rows(1, 0);
    EXPECT_FALSE(decode_detail(message, back)) << "a summary of nothing";
}

}  // namespace
}  // namespace sla::capture
