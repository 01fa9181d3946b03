// What a channel's summaries say must not depend on who summed up its batches, and when.
#include "proto/capture/summary/batch_summarizer.h"

#include "proto/capture/capture_writer.h"
#include "proto/capture/summary/summary_collector.h"
#include "proto/wire/batch_codec.h"
#include "tests/unit/proto/capture/capture_files.h"
#include "tests/unit/proto/capture/random_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace sla::capture {
namespace {

void append(const wire::EventBatch& from, std::size_t begin, std::size_t end, wire::EventBatch& to) {
    for (std::size_t row = begin; row < end; ++row)
        to.add(from.ticks[row], from.codes[row], from.values[row], from.threads[row]);
}

std::vector<std::pair<std::uint16_t, std::uint64_t>> bins_of(const WidthSums& sums) {
    std::vector<std::pair<std::uint16_t, std::uint64_t>> bins;
    for (const WidthBin& one : sums.bins) bins.emplace_back(one.bin, one.count);
    return bins;
}

void expect_same(const WidthSums& a, const WidthSums& b) {
    EXPECT_EQ(std::tie(a.count, a.min, a.max), std::tie(b.count, b.min, b.max));
    EXPECT_TRUE(a.sum == b.sum && a.squares == b.squares);
    EXPECT_EQ(bins_of(a), bins_of(b));
}

void expect_same(const IntervalSums& a, const IntervalSums& b) {
    EXPECT_EQ(std::tie(a.events, a.first_tick, a.last_tick, a.gap_before, a.gap_after, a.lossy, a.cut),
              std::tie(b.events, b.first_tick, b.last_tick, b.gap_before, b.gap_after, b.lossy, b.cut));
    expect_same(a.widths, b.widths);
    expect_same(a.spans, b.spans);
}

void expect_same(const std::vector<OpenSpan>& a, const std::vector<OpenSpan>& b) {
    ASSERT_EQ(a.size(), b.size());
    const auto all = [](const OpenSpan& one) {
        return std::tie(one.begin_tick, one.value, one.thread, one.code, one.row, one.depth, one.id, one.begin_index);
    };
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(all(a[i]), all(b[i]));
}

void expect_same_singles(const LaneSummarizer& a, const LaneSummarizer& b) {
    expect_same(a.open_before(), b.open_before());
    ASSERT_EQ(a.crossed().size(), b.crossed().size());
    for (std::size_t i = 0; i < a.crossed().size(); ++i) {
        const auto all = [](const CrossedSpan& one) {
            return std::tie(one.span.begin_tick, one.span.thread, one.span.row, one.span.depth, one.span.id,
                            one.span.begin_index, one.end_tick, one.end_index, one.cut);
        };
        EXPECT_EQ(all(a.crossed()[i]), all(b.crossed()[i]));
    }
    ASSERT_EQ(a.gaps().size(), b.gaps().size());
    for (std::size_t i = 0; i < a.gaps().size(); ++i) {
        const auto all = [](const GapRow& one) {
            return std::tie(one.index, one.tick, one.until_tick, one.lost, one.thread, one.cause);
        };
        EXPECT_EQ(all(a.gaps()[i]), all(b.gaps()[i]));
    }
}

void expect_same_all(const LaneSummary& a, const LaneSummary& b) {
    expect_same(a, b);
    EXPECT_EQ(std::tie(a.channel, a.begins, a.loose_ends, a.span_rows, a.has_number, a.has_text),
              std::tie(b.channel, b.begins, b.loose_ends, b.span_rows, b.has_number, b.has_text));
}

// Nested, some open across batches, on up to three threads, with a loss now and then.
wire::EventBatch random_nests(std::mt19937_64& random, std::uint64_t index, std::uint64_t& tick,
                              std::map<std::uint32_t, int>& depth) {
    wire::EventBatch rows;
    rows.first_index = index;
    const std::uint64_t threads = 1 + random() % 10 / 4;
    const unsigned loss_luck = 50 + random() % 2000;
    for (std::uint64_t left = 1 + random() % 2000; left > 0; --left) {
        const auto thread = static_cast<std::uint32_t>(1 + random() % threads);
        tick += random() % 90;
        if (random() % loss_luck == 0) {
            rows.add(tick, SLA_CODE_GAP, random() % 5, random() % 2 == 0 ? thread : 0);
            continue;
        }
        int& open = depth[thread];
        const bool begins = open <= 0 || (open < 4 && random() % 2 == 0);
        rows.add(tick, begins ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END, begins ? random() % 100 : 0, thread);
        open += begins ? 1 : -1;
    }
    return rows;
}

class Stream {
public:
    explicit Stream(std::uint64_t seed) : random_(seed) {}

    wire::EventBatch next() {
        wire::EventBatch rows;
        switch (random_() % 4) {
            case 0: rows = random_rows(random_, index_, tick_); break;
            case 1: rows = random_pairs(random_, index_, tick_); break;
            case 2: rows = random_nests(random_, index_, tick_, depth_); break;
            default: rows = plain(); break;
        }
        rows.channel = ChannelId{5};
        for (std::uint32_t row = 0; row < rows.size(); ++row) {
            if (random_() % 50 == 0) wire::add_random_extra(random_, rows, row);
        }
        index_ += rows.size();
        return rows;
    }
    std::mt19937_64& random() { return random_; }

private:
    // One code; narrow intervals, wide ones or both.
    wire::EventBatch plain() {
        constexpr std::uint8_t kCodes[] = {SLA_CODE_TICK, SLA_CODE_TICK_VALUE, SLA_CODE_VALUE_FLOAT, SLA_CODE_LEVEL};
        wire::EventBatch rows;
        rows.first_index = index_;
        const std::uint8_t code = kCodes[random_() % std::size(kCodes)];
        const std::uint64_t shift = 20 + random_() % 43;
        for (std::uint64_t left = 1 + random_() % 4000; left > 0; --left) {
            const std::uint64_t value = code == SLA_CODE_TICK ? 0 : code == SLA_CODE_LEVEL ? random_() & 1 : random_();
            rows.add(tick_ += random_() >> shift >> random_() % 20, code, value, 1);
        }
        return rows;
    }

    std::mt19937_64 random_;
    std::uint64_t index_ = 0;
    std::uint64_t tick_ = 1000;
    std::map<std::uint32_t, int> depth_;
};

TEST(BatchSummarizer, AChunkMadeOfSummedBatchesSaysWhatALookAtEveryRowSays) {
    BatchSummarizer batches;
    BinCounter counter;
    std::size_t summed = 0;
    std::size_t rows_summed = 0;
    std::size_t apart = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Stream stream(seed);
        LaneSummarizer by_rows{ChannelId{5}};
        LaneSummarizer by_batches{ChannelId{5}};
        PlainSummarizer plain;
        for (int chunk = 0; chunk < 8; ++chunk) {
            wire::EventBatch all;
            for (std::uint64_t left = 1 + stream.random()() % 5; left > 0; --left) {
                const wire::EventBatch rows = stream.next();
                if (all.empty()) all.first_index = rows.first_index;
                append(rows, 0, rows.size(), all);
                by_rows.add(rows);
                const auto summary = stream.random()() % 8 == 0 ? nullptr : batches.of(rows);
                if (summary != nullptr && by_batches.add(*summary)) {
                    summed++;
                    rows_summed += rows.size();
                    apart += summary->rows_apart.size();
                } else {
                    by_batches.add(rows);
                }
            }
            expect_same_singles(by_rows, by_batches);
            IntervalSums sums[2];
            ASSERT_EQ(by_rows.take_intervals(sums[0], counter), by_batches.take_intervals(sums[1], counter));
            expect_same(sums[0], sums[1]);
            std::vector<LaneSummary> cells[2];
            PlainSummarizer for_cells = plain;
            expect_same_all(by_rows.take(cells[0]), by_batches.take(cells[1]));
            static_cast<void>(plain.of(all, 0, all.size()));
            // Cells may end earlier than they would, at a batch's border: each says what its rows say all the same.
            std::size_t begin = 0;
            for (const LaneSummary& cell : cells[1]) {
                ASSERT_LE(cell.rows, kCellRows);
                expect_same(cell, for_cells.of(all, begin, begin + cell.rows));
                begin += cell.rows;
            }
            if (!cells[1].empty()) {
                EXPECT_EQ(begin, all.size());
            }
            ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", chunk " << chunk;
        }
        EXPECT_EQ(by_rows.rest().begun, by_batches.rest().begun);
        EXPECT_EQ(by_rows.rest().level, by_batches.rest().level);
    }
    EXPECT_GT(summed, 300U);
    EXPECT_GT(rows_summed, 300'000U);
    EXPECT_GT(apart, 300U) << "spans that cross borders were among them";
}

TEST(BatchSummarizer, LeavesToOthersWhatIsNotWorthIt) {
    BatchSummarizer batches;
    wire::EventBatch rows;
    for (std::uint64_t i = 0; i + 1 < BatchSummarizer::kMinRows; ++i) rows.add(i, SLA_CODE_TICK, 0, 1);
    EXPECT_EQ(batches.of(rows), nullptr) << "few rows";
    rows.add(100, SLA_CODE_TICK, 0, 1);
    EXPECT_NE(batches.of(rows), nullptr);
    rows.clear();
    for (std::uint32_t i = 0; i < 1000; ++i) rows.add(i, i % 3 == 2 ? SLA_CODE_END : SLA_CODE_BEGIN, 0, 1 + i % 2);
    EXPECT_EQ(batches.of(rows), nullptr) << "spans that all cross each other";
    rows.clear();
    for (std::uint32_t i = 0; i < 1000; ++i) rows.add(i, i < 500 ? SLA_CODE_BEGIN : SLA_CODE_END, 0, 1);
    EXPECT_EQ(batches.of(rows), nullptr) << "deeper than is remembered";
    rows.clear();
    for (std::uint32_t i = 0; i < 1000; ++i) rows.add(i, i % 2 == 0 ? SLA_CODE_BEGIN : SLA_CODE_END, 0, 1);
    EXPECT_NE(batches.of(rows), nullptr) << "and is none the worse for it";
}

TEST(LaneSummarizer, WantsTheRowsOfABatchThatComesOnTopOfTooManyOpenSpans) {
    wire::EventBatch rows;
    for (std::uint32_t i = 0; i < 100; ++i) rows.add(i, i % 2 == 0 ? SLA_CODE_BEGIN : SLA_CODE_END, 0, 1);
    const auto summary = BatchSummarizer().of(rows);
    ASSERT_NE(summary, nullptr);
    LaneSummarizer lane{ChannelId{5}};
    wire::EventBatch begins;
    for (std::uint32_t i = 0; i + 1 < kRememberedSpans; ++i) begins.add(i, SLA_CODE_BEGIN, 0, 1);
    lane.add(begins);
    EXPECT_TRUE(lane.add(*summary));
    begins.clear();
    begins.add(1000, SLA_CODE_BEGIN, 0, 1);
    lane.add(begins);
    EXPECT_FALSE(lane.add(*summary));
}

// Full batches begin where cells do: not one byte of the file says who summed them up.
TEST(BatchSummarizer, AFileOfFullBatchesIsTheSameToTheByte) {
    Folder folder;
    BatchSummarizer batches;
    for (const bool is_summed : {false, true}) {
        auto writer = CaptureWriter::create(folder.file(is_summed ? "summed" : "read"));
        ASSERT_TRUE(writer.ok());
        std::mt19937_64 random(3);
        std::uint64_t tick = 1000;
        for (std::uint64_t batch = 0; batch < 40; ++batch) {
            wire::EventBatch rows;
            rows.channel = ChannelId{1 + static_cast<std::uint32_t>(batch % 2)};
            rows.first_index = batch / 2 * 8192;
            for (std::uint64_t i = 0; i < 8192; ++i) {
                const bool are_spans = batch % 2 == 1;
                const std::uint8_t code = !are_spans ? SLA_CODE_TICK_VALUE : i % 2 == 0 ? SLA_CODE_END : SLA_CODE_BEGIN;
                rows.add(tick += 1 + random() % 200, code, are_spans ? 0 : random() % 100, 7);
            }
            wire::Frame frame;
            wire::encode_batch(rows, *frame.mutable_batch());
            const auto summary = batches.of(rows);
            ASSERT_NE(summary, nullptr);
            FrameFacts facts{rows.channel.value, rows.ticks.front(), rows.ticks.back(), 8192, rows.first_index, nullptr};
            if (is_summed) facts.summary = summary.get();
            ASSERT_TRUE(writer->append(frame.SerializeAsString(), facts).ok());
        }
        ASSERT_TRUE(writer->finish().ok());
    }
    EXPECT_GT(read_all(folder.file("read")).size(), 300'000U);
    EXPECT_TRUE(read_all(folder.file("read")) == read_all(folder.file("summed")));
}

TEST(SummaryCollector, DoesNotReadABatchThatWasSummedUp) {
    wire::EventBatch rows;
    rows.channel = ChannelId{5};
    for (std::uint64_t i = 0; i < 100; ++i) rows.add(i, SLA_CODE_TICK, 0, 1);
    const auto summary = BatchSummarizer().of(rows);
    SummaryCollector collector;
    collector.add_frame("not a frame", {5, 0, 99, 100, 0, summary.get()});
    const ChunkDetail detail = collector.close_chunk({});
    ASSERT_EQ(detail.lanes.size(), 1U);
    EXPECT_EQ(detail.lanes[0].rows, 100U);
    EXPECT_FALSE(detail.lanes[0].opaque);
    ASSERT_EQ(detail.intervals.size(), 1U);
    EXPECT_EQ(detail.intervals[0].sums.widths.count, 99U);
}

}  // namespace
}  // namespace sla::capture
