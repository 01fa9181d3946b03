#include "proto/capture/summary/interval_summer.h"

#include "proto/capture/summary.pb.h"
#include "proto/capture/summary/chunk_intervals.h"
#include "proto/capture/summary/lane_summarizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace sla::capture {
namespace {

void expect_same(const WidthSums& sums, const std::vector<std::uint64_t>& widths) {
    ASSERT_EQ(sums.count, widths.size());
    std::map<std::uint16_t, std::uint32_t> bins;
    WideTicks sum = 0;
    WideTicks squares = 0;
    for (const std::uint64_t width : widths) {
        ++bins[width_bin(width)];
        sum += width;
        squares += WideTicks{width} * width;
    }
    EXPECT_TRUE(sums.sum == sum && sums.squares == squares);
    ASSERT_EQ(sums.bins.size(), bins.size());
    auto at = sums.bins.begin();
    for (const auto& [bin, count] : bins) {
        EXPECT_EQ(at->bin, bin);
        EXPECT_EQ(at->count, count);
        ++at;
    }
    if (widths.empty()) return;
    EXPECT_EQ(sums.min, *std::min_element(widths.begin(), widths.end()));
    EXPECT_EQ(sums.max, *std::max_element(widths.begin(), widths.end()));
}

// The same, row by row.
struct Plain {
    void add(std::uint64_t tick, bool is_gap) {
        if (is_gap) {
            (events == 0 ? gap_before : gap_after) = true;
            return;
        }
        if (events > 0 && gap_after) ++lossy;
        if (events > 0 && !gap_after) widths.push_back(tick - last);
        if (events++ == 0) first = tick;
        gap_after = false;
        last = tick;
    }
    std::uint64_t events = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    std::uint64_t lossy = 0;
    bool gap_before = false;
    bool gap_after = false;
    std::vector<std::uint64_t> widths;
};

TEST(WidthBins, FollowEachOtherAndAreNoWiderThanTheirShare) {
    for (std::uint16_t bin = 0; bin + 1 < kWidthBins; ++bin) {
        EXPECT_EQ(width_bin(least_width(bin)), bin);
        EXPECT_EQ(width_bin(most_width(bin)), bin);
        EXPECT_EQ(most_width(bin) + 1, least_width(static_cast<std::uint16_t>(bin + 1)));
        EXPECT_LE((most_width(bin) - least_width(bin)) * 64, least_width(bin));
    }
}

TEST(IntervalSummer, SaysWhatALookAtEveryRowSays) {
    std::mt19937_64 random(11);
    BinCounter counter;
    IntervalSummer summer;
    std::uint64_t tick = 5;
    for (int page = 0; page < 300; ++page) {
        Plain plain;
        for (std::uint64_t batches = 1 + random() % 3; batches > 0; --batches) {
            wire::EventBatch batch;
            const std::uint64_t losses = random() % 3 == 0 ? 1 + random() % 40 : 0;
            const unsigned widest = 1 + random() % 44;  // bits: short widths, long ones and both
            for (std::size_t rows = random() % 400; rows > 0; --rows) {
                tick += random() >> (64 - 1 - random() % widest);
                const bool is_gap = losses > 0 && random() % losses == 0;
                batch.add(tick, is_gap ? SLA_CODE_GAP : SLA_CODE_TICK, 0, 1);
                plain.add(tick, is_gap);
            }
            summer.add(batch);
        }
        IntervalSums sums;
        ASSERT_TRUE(summer.take(sums, counter));
        EXPECT_EQ(sums.events, plain.events);
        EXPECT_EQ(sums.gap_before, plain.gap_before);
        EXPECT_EQ(sums.gap_after, plain.gap_after);
        EXPECT_EQ(sums.lossy, plain.lossy);
        if (plain.events > 0) {
            EXPECT_EQ(sums.first_tick, plain.first);
            EXPECT_EQ(sums.last_tick, plain.last);
        }
        expect_same(sums.widths, plain.widths);
        ASSERT_FALSE(HasFailure()) << page;
    }
}

TEST(IntervalSummer, KnowsNothingOfAPageWhoseTicksGoBack) {
    BinCounter counter;
    IntervalSummer summer;
    IntervalSums sums;
    for (const bool behind_a_loss : {false, true}) {
        wire::EventBatch batch;
        batch.add(100, SLA_CODE_TICK, 0, 1);
        if (behind_a_loss) batch.add(100, SLA_CODE_GAP, 3, 1);
        batch.add(90, SLA_CODE_TICK, 0, 1);
        summer.add(batch);
        EXPECT_FALSE(summer.take(sums, counter));
    }
    wire::EventBatch batch;
    batch.add(200, SLA_CODE_TICK, 0, 1);
    summer.add(batch);
    EXPECT_TRUE(summer.take(sums, counter));
}

TEST(LaneSummarizer, CountsSpansThatBeginAndEndInThePageAndThoseCutInIt) {
    LaneSummarizer summarizer{ChannelId{5}};
    BinCounter counter;
    IntervalSums sums;
    std::vector<LaneSummary> cells;
    wire::EventBatch rows;
    rows.add(10, SLA_CODE_BEGIN, 0, 1);  // leaves the page
    rows.add(20, SLA_CODE_BEGIN, 0, 1);  // 30 long
    rows.add(25, SLA_CODE_BEGIN, 0, 2);  // cut
    rows.add(50, SLA_CODE_END, 0, 1);
    rows.add(60, SLA_CODE_GAP, 1, 2);
    summarizer.add(rows);
    ASSERT_TRUE(summarizer.take_intervals(sums, counter));
    static_cast<void>(summarizer.take(cells));
    EXPECT_EQ(sums.cut, 1u);
    expect_same(sums.spans, {30});
    rows.clear();
    rows.first_index = 5;
    rows.add(70, SLA_CODE_END, 0, 1);  // of a page before
    rows.add(80, SLA_CODE_BEGIN, 0, 1);
    rows.add(85, SLA_CODE_END, 0, 1);
    summarizer.add(rows);
    ASSERT_TRUE(summarizer.take_intervals(sums, counter));
    EXPECT_EQ(sums.cut, 0u);
    expect_same(sums.spans, {5});
}

TEST(LaneSummarizer, KnowsNothingOfAPageWithMoreOpenSpansThanItRemembers) {
    LaneSummarizer summarizer{ChannelId{5}};
    wire::EventBatch rows;
    for (std::uint64_t i = 0; i <= kRememberedSpans; ++i) rows.add(i, SLA_CODE_BEGIN, 0, 1);
    summarizer.add(rows);
    BinCounter counter;
    IntervalSums sums;
    EXPECT_FALSE(summarizer.take_intervals(sums, counter));
}

ChunkIntervals some_intervals() {
    ChunkIntervals lanes(3);
    BinCounter counter;
    for (std::uint32_t i = 0; i < 3; ++i) {
        LaneSummarizer summarizer{ChannelId{i}};
        wire::EventBatch rows;
        std::uint64_t tick = std::uint64_t{1} << 55;
        for (std::uint32_t row = 0; row < 100 * i; ++row)
            rows.add(tick += row << i, row % 2 == 0 ? SLA_CODE_BEGIN : SLA_CODE_END, 0, 1);
        rows.add(tick += std::uint64_t{1} << 50, SLA_CODE_GAP, 1, 1);
        summarizer.add(rows);
        lanes[i].channel = ChannelId{i};
        EXPECT_TRUE(summarizer.take_intervals(lanes[i].sums, counter));
    }
    return lanes;
}

TEST(ChunkIntervals, ComeBackAsTheyWereWritten) {
    const ChunkIntervals lanes = some_intervals();
    SummaryIntervals message;
    message.set_sequence(4);
    encode_intervals(lanes, *message.mutable_intervals());
    ChunkIntervals out(7);
    EXPECT_FALSE(read_intervals(message.SerializeAsString(), 5, out));
    ASSERT_TRUE(read_intervals(message.SerializeAsString(), 4, out));
    ASSERT_EQ(out.size(), lanes.size());
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const IntervalSums& a = lanes[i].sums;
        const IntervalSums& b = out[i].sums;
        EXPECT_EQ(out[i].channel, lanes[i].channel);
        EXPECT_EQ(b.events, a.events);
        EXPECT_EQ(b.first_tick, a.first_tick);
        EXPECT_EQ(b.last_tick, a.last_tick);
        EXPECT_EQ(b.gap_before, a.gap_before);
        EXPECT_EQ(b.gap_after, a.gap_after);
        EXPECT_EQ(b.lossy, a.lossy);
        EXPECT_EQ(b.cut, a.cut);
        for (const auto& [x, y] : {std::pair(&a.widths, &b.widths), std::pair(&a.spans, &b.spans)}) {
            EXPECT_EQ(y->count, x->count);
            EXPECT_EQ(y->min, x->min);
            EXPECT_EQ(y->max, x->max);
            EXPECT_TRUE(y->sum == x->sum && y->squares == x->squares);
            ASSERT_EQ(y->bins.size(), x->bins.size());
            for (std::size_t bin = 0; bin < x->bins.size(); ++bin) {
                EXPECT_EQ(y->bins[bin].bin, x->bins[bin].bin);
                EXPECT_EQ(y->bins[bin].count, x->bins[bin].count);
            }
        }
    }
}

TEST(ChunkIntervals, ThatCannotBeAreRefused) {
    Intervals good;
    encode_intervals(some_intervals(), good);
    ChunkIntervals out;
    ASSERT_TRUE(decode_intervals(good, out));
    const std::vector<void (*)(Intervals&)> lies = {
        [](Intervals& in) { in.mutable_lossy()->RemoveLast(); },
        [](Intervals& in) { in.set_events(1, in.events(1) + 1); },
        [](Intervals& in) { in.set_lossy(1, ~std::uint64_t{0}); },
        [](Intervals& in) { in.set_ticks(1, ~std::uint64_t{0}); },
        [](Intervals& in) { in.mutable_cut()->RemoveLast(); },
        [](Intervals& in) { in.mutable_widths()->set_bins(1, 1'000'000); },
        [](Intervals& in) { in.mutable_widths()->set_bins(1, 0); },
        [](Intervals& in) { in.mutable_widths()->set_bin_step(0, kWidthBins); },
        [](Intervals& in) { in.mutable_widths()->set_bin_step(1, 0); },
        [](Intervals& in) { in.mutable_widths()->set_bin_count(0, 0); },
        [](Intervals& in) { in.mutable_widths()->mutable_bin_count()->RemoveLast(); },
        [](Intervals& in) { in.mutable_widths()->set_min(0, in.widths().max(0) + 1); },
        [](Intervals& in) { in.mutable_widths()->set_sum(0, ~std::uint64_t{0}); },
        [](Intervals& in) { in.mutable_widths()->set_squares_high(0, ~std::uint64_t{0}); },
        [](Intervals& in) { in.mutable_spans()->mutable_max()->RemoveLast(); },
    };
    for (std::size_t i = 0; i < lies.size(); ++i) {
        Intervals bad = good;
        lies[i](bad);
        EXPECT_FALSE(decode_intervals(bad, out)) << i;
    }
}

}  // namespace
}  // namespace sla::capture
