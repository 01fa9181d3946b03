#include "viewer/store/rows/span_table.h"

#include <gtest/gtest.h>

#include <random>

namespace sla::store {
namespace {

std::vector<std::uint64_t> overlapping(const SpanTable& spans, std::uint64_t from, std::uint64_t until,
                                       std::uint64_t min_ticks = 0) {
    std::vector<std::uint64_t> ids;
    spans.visit_overlapping(from, until, min_ticks, [&](std::uint64_t id) {
        ids.push_back(id);
        return true;
    });
    return ids;
}

TEST(SpanTable, SpansOfOneThreadNest) {
    SpanTable spans;
    spans.begin(0, 10, 1);
    spans.begin(1, 20, 1);
    spans.end(2, 30, 1);
    spans.end(3, 40, 1);
    ASSERT_EQ(spans.size(), 2u);
    EXPECT_EQ(spans[0].end_tick, 40u);
    EXPECT_EQ(spans[0].depth, 0);
    EXPECT_EQ(spans[1].end_tick, 30u);
    EXPECT_EQ(spans[1].depth, 1);
    EXPECT_EQ(spans.span_of_begin(1), 1u);
    EXPECT_EQ(spans.span_of_end(3), 0u);
    EXPECT_FALSE(spans.span_of_end(1).has_value());
    EXPECT_EQ(spans.open(), 0u);
}

TEST(SpanTable, ThreadsDoNotCloseEachOthersSpans) {
    SpanTable spans;
    spans.begin(0, 10, 1);
    spans.begin(1, 20, 2);
    spans.end(2, 30, 1);
    EXPECT_EQ(spans[0].state, SpanState::kClosed);
    EXPECT_EQ(spans[1].state, SpanState::kOpen);
    EXPECT_EQ(spans[1].depth, 0);
    EXPECT_EQ(spans[1].row, 1);
    EXPECT_EQ(spans.rows(), 2);
}

TEST(SpanTable, AnEndWithoutABeginIsCountedNotGuessed) {
    SpanTable spans;
    spans.end(0, 5, 1);
    spans.begin(1, 10, 1);
    spans.end(2, 20, 2);
    EXPECT_EQ(spans.unmatched_ends(), 2u);
    EXPECT_EQ(spans[0].state, SpanState::kOpen);
}

TEST(SpanTable, AGapCutsTheOpenSpansOfItsThread) {
    SpanTable spans;
    spans.begin(0, 10, 1);
    spans.begin(1, 11, 2);
    spans.gap(2, 20, 1);
    EXPECT_EQ(spans[0].state, SpanState::kCut);
    EXPECT_EQ(spans[0].end_tick, 20u);
    EXPECT_EQ(spans[1].state, SpanState::kOpen);
    spans.end(3, 30, 1);
    EXPECT_EQ(spans.unmatched_ends(), 1u);
    spans.gap(4, 40, 0);
    EXPECT_EQ(spans[1].state, SpanState::kCut);
}

TEST(SpanTable, RowsNeverOverlapAndTouchingSpansAreFoundAsByHand) {
    std::mt19937_64 random(17);
    SpanTable spans;
    std::uint64_t tick = 0;
    std::vector<int> depth(4, 0);
    for (std::uint64_t i = 0; i < 4000; ++i) {
        tick += random() % 20;
        const auto thread = static_cast<std::uint32_t>(random() % 4);
        if (random() % 50 == 0) {
            spans.gap(i, tick, thread + 1);
        } else if (random() % 2 == 0) {
            spans.begin(i, tick, thread + 1);
        } else {
            spans.end(i, tick, thread + 1);
        }
    }
    for (int round = 0; round < 200; ++round) {
        const std::uint64_t from = random() % tick;
        const std::uint64_t until = from + 1 + random() % 2000;
        const std::uint64_t width = random() % 200;
        std::vector<std::uint64_t> expected;
        for (std::size_t id = 0; id < spans.size(); ++id) {
            const Span& span = spans[id];
            const bool wide = span.end_tick - span.begin_tick >= width || span.state == SpanState::kOpen;
            if (span.begin_tick < until && span.end_tick >= from && wide) expected.push_back(id);
        }
        ASSERT_EQ(overlapping(spans, from, until, width), expected);
    }
    std::vector<std::uint64_t> row_until(spans.rows(), 0);
    for (std::size_t id = 0; id < spans.size(); ++id) {
        ASSERT_GE(spans[id].begin_tick, row_until[spans[id].row]);
        row_until[spans[id].row] = spans[id].end_tick;
    }
}

TEST(SpanTable, ASpanFromBeforeMayStandInAnyRow) {
    std::vector<NumberedSpan> open;
    for (const std::uint16_t row : {std::uint16_t{0}, std::uint16_t{255}, std::uint16_t{300}, std::uint16_t{65535}}) {
        NumberedSpan one;
        one.id = open.size();
        one.span.thread = row;
        one.span.row = row;
        open.push_back(one);
    }
    SpanTable spans(open.size(), open);
    EXPECT_EQ(spans.open(), 4U);
    spans.begin(1, 10, 1);
    EXPECT_EQ(spans[4].row, 1) << "the lowest that none of them holds";
    for (const NumberedSpan& one : open) spans.end(2, 20, one.span.thread);
    EXPECT_EQ(spans.open(), 1U);
    EXPECT_EQ(spans[2].end_tick, 20U);
    spans.begin(3, 30, 2);
    EXPECT_EQ(spans[5].row, 0) << "free again";
}

TEST(SpanTable, BeginsThatNeverEndStayBounded) {
    SpanTable spans;
    for (std::uint64_t i = 0; i < 5000; ++i) spans.begin(i, i, 1);
    EXPECT_EQ(spans.rows(), 256);
    EXPECT_EQ(spans.open(), 5000u);
}

TEST(SpanTable, ALossOfOneThreadLeavesThoseOfManyOthersAloneAndLooksAtNone) {
    constexpr std::uint32_t kThreads = 100'000;
    SpanTable spans;
    for (std::uint32_t thread = 1; thread <= kThreads; ++thread) spans.begin(thread, thread, thread);
    for (std::uint32_t thread = 1; thread < kThreads; ++thread) spans.gap(kThreads + thread, kThreads + thread, thread);
    EXPECT_EQ(spans[0].state, SpanState::kCut);
    EXPECT_EQ(spans[kThreads - 2].state, SpanState::kCut);
    EXPECT_EQ(spans[kThreads - 1].state, SpanState::kOpen);
}

}  // namespace
}  // namespace sla::store
