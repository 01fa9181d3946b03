// A file with a damaged chunk says the same whether it is read in order or its rows stay in it: every row, loss and figure.
#include "tests/support/damaged_chunk.h"
#include "proto/capture/capture_index.h"
#include "tests/support/capture_builder.h"
#include "tests/support/temporary_path.h"
#include "tests/support/unreadable_of.h"
#include "tests/unit/viewer/analysis/same_statistics.h"
#include "viewer/analysis/event_walk.h"
#include "viewer/analysis/filter/event_filter.h"
#include "viewer/analysis/lane_rate.h"
#include "viewer/analysis/limits/verdict.h"
#include "viewer/analysis/value_statistics.h"
#include "viewer/ingest/file_source.h"
#include "viewer/store/merged_rows.h"
#include "viewer/store/unreadable_pages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sla::analysis {
namespace {

class DamagedChunk : public ::testing::Test {
protected:
    static constexpr std::uint64_t kRows = 400'000;

    void write() {
        support::CaptureBuilder capture(0);
        const std::uint32_t second = capture.thread("worker", 43);
        const auto busy = capture.channel("busy");
        const auto rare = capture.channel("rare");
        std::mt19937_64 random(7);
        for (std::uint64_t i = 0; i < kRows; ++i) capture.tick(busy, 100 * i, static_cast<std::int64_t>(random() >> 20));
        capture.text(rare, 20, "begun");  // the only one, in the first chunk
        for (std::uint64_t i = 0; i < kRows; i += 10) {
            if (i % 1000 == 500) {
                capture.gap(rare, 100 * i + 30, 1 + i % 411, wire::LossCause::kOverrun, 100 * i + 70, second);
            } else if (i % 7000 == 10) {
                capture.gap(rare, 100 * i + 30, 3, wire::LossCause::kTorn);
            } else {
                capture.tick(rare, 100 * i + 50, static_cast<std::int64_t>(i), i % 20 == 0 ? second : 1);
            }
        }
        capture.write(path_);
    }
    void open(store::Session& whole, store::Session& paged) {
        ingest::FileOptions options;
        options.memory_bytes = ingest::FileOptions::kNoLimit;
        ASSERT_TRUE(ingest::load_file(path_, whole, {}, options).ok());
        options.rows_in_memory = 0;
        ASSERT_TRUE(ingest::load_file(path_, paged, {}, options).ok());
        ASSERT_EQ(whole.lanes()[0]->pages(), nullptr);
        ASSERT_NE(paged.lanes()[0]->pages(), nullptr);
        for (const store::Lane* lane : paged.lanes()) support::unreadable_of(*lane, store::PageSource::Look::kCheck);
    }

    static Selection all_of(const store::Session& session) {
        Selection selection;
        selection.lanes.assign(session.lanes().begin(), session.lanes().end());
        return selection;
    }
    static std::vector<std::string> rows_of(const store::Session& session) {
        store::MergedRows rows({session.lanes().begin(), session.lanes().end()}, 0, store::kNever);
        std::vector<std::string> lines;
        while (const auto* row = rows.next()) {
            const store::Lane& lane = *rows.lanes()[row->lane];
            std::string line = std::to_string(row->tick) + " " + lane.channel().name + " " + std::to_string(row->thread) +
                               " " + std::to_string(row->code) + " " + std::to_string(row->value);
            if (row->code == SLA_CODE_GAP) {
                const std::optional<store::Gap> gap = store::loss_of_row(lane, row->index);
                line += gap ? std::string(" ") + wire::loss_cause_name(gap->cause) + " to " + std::to_string(gap->until_tick)
                            : " of which nothing is known";
            }
            lines.push_back(line);
        }
        return lines;
    }
    static std::vector<std::string> figures_of(const store::Session& session) {
        std::vector<std::string> figures;
        for (const store::Lane* lane : session.lanes()) {
            const support::Unreadable unreadable = support::unreadable_of(*lane, store::PageSource::Look::kKnown);
            const std::uint64_t events = lane->events() - unreadable.events;
            const auto part = recorded_part(*lane);
            figures.push_back(lane->channel().name + " " + std::to_string(events) + " events, " +
                              std::to_string(lane->lost() + unreadable.events) + " lost, " +
                              std::to_string(lane->gaps().size() + unreadable.pages) + " losses, rate " +
                              std::to_string(rate_of(*lane, {}, events, 1e9).value_or(0)) + ", from " +
                              std::to_string(part ? part->from : 0) + " to " + std::to_string(part ? part->until : 0) +
                              (store::has_readable(*lane, wire::Kind::kText) ? ", texts" : ""));
        }
        for (const char* text : {"count busy > 5", "count rare > 5", "lost == 0", "lost rare < 100", "rate rare > 5",
                                 "count 'rare == 30' >= 1", "gap busy < 101ns", "gap rare max < 2us"}) {
            for (const Finding& found : check_limit(session, *parse_limit(text), all_of(session))) {
                figures.push_back(std::string(text) + ": " + std::to_string(static_cast<int>(found.verdict)) + " " +
                                  std::to_string(found.measured) + " " + std::to_string(found.error) + " " +
                                  std::to_string(found.checked) + " " + std::to_string(found.unknown) + " " +
                                  std::to_string(found.broken) + " at " + std::to_string(found.at_tick));
            }
        }
        for (const ValueStatisticsRow& row : value_statistics(session, all_of(session), {}))
            figures.push_back(row.channel + " values " + std::to_string(row.numbers.count) + ", lost " +
                              std::to_string(row.numbers.lost));
        return figures;
    }
    // How many events of both channels were in so many chunks, and how many were lost in all of the file.
    static std::uint64_t lost_in(const std::string& path, std::size_t chunk, std::size_t chunks = 1) {
        const auto index = capture::CaptureIndex::open(path);
        std::uint64_t lost = 0;
        for (const auto& lane : index->lanes()) {
            for (std::size_t i = 0; i < lane.chunk_numbers.size(); ++i) {
                const capture::LaneSummary one = lane.summaries[i];
                lost += lane.chunk_numbers[i] - chunk < chunks ? one.rows - one.gap_rows : 0;
                lost += one.lost;
            }
        }
        return lost;
    }

    // Both ways give the same rows and figures, and lose so many events.
    void expect_the_same_both_ways(std::uint64_t lost) {
        store::Session whole;
        store::Session paged;
        ASSERT_NO_FATAL_FAILURE(open(whole, paged));
        EXPECT_GT(whole.damage_count(), 0u);
        EXPECT_EQ(whole.lost(), lost) << "its losses were of more events than one";
        const std::vector<std::string> expected = rows_of(whole);
        const std::vector<std::string> rows = rows_of(paged);
        ASSERT_EQ(rows.size(), expected.size());
        for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], expected[i]) << i;
        EXPECT_EQ(figures_of(paged), figures_of(whole));
        StatisticsOptions exact;
        exact.from_sums = false;
        const auto one = channel_statistics(whole, all_of(whole), exact);
        const auto other = channel_statistics(paged, all_of(paged), exact);
        ASSERT_EQ(one.size(), other.size());
        for (std::size_t i = 0; i < one.size(); ++i) expect_same_statistics(other[i].numbers, one[i].numbers);
    }

    const support::TemporaryPath temporary_{"damaged_chunk.sla"};
    const std::string path_ = temporary_.path;
    store::Session whole_;
};

TEST_F(DamagedChunk, SaysTheSameInEveryRowAndFigureWhicheverWayItIsRead) {
    ASSERT_NO_FATAL_FAILURE(write());
    const std::size_t chunks = capture::CaptureIndex::open(path_)->chunks().size();
    ASSERT_GT(chunks, 3u);
    for (const std::size_t chunk : {std::size_t{0}, chunks / 2, chunks - 1}) {
        SCOPED_TRACE(chunk);
        ASSERT_NO_FATAL_FAILURE(write());
        ASSERT_NO_FATAL_FAILURE(support::damage_chunk(path_, chunk));
        ASSERT_NO_FATAL_FAILURE(expect_the_same_both_ways(lost_in(path_, chunk)));
    }
}

// No sum of the file tells of what cannot be read: it is looked for, and nothing else is taken for it.
TEST_F(DamagedChunk, IsFoundByAFilterForLosses) {
    ASSERT_NO_FATAL_FAILURE(write());
    ASSERT_NO_FATAL_FAILURE(support::damage_chunk(path_, 0));
    ingest::FileOptions options;
    options.rows_in_memory = 0;
    const auto found = [&](const char* condition) {
        store::Session session;
        EXPECT_TRUE(ingest::load_file(path_, session, {}, options).ok());
        Selection busy;
        busy.lanes = {session.lane_named("busy")};
        busy.filter = *EventFilter::parse(condition);
        const Progress no_progress;
        EventWalk walk(session, busy, no_progress);
        std::uint64_t rows = 0;
        while (walk.next()) ++rows;
        return rows;
    };
    const auto index = capture::CaptureIndex::open(path_);
    EXPECT_EQ(found("kind == gap"), 1u);
    EXPECT_EQ(found("not kind != gap"), 1u);
    EXPECT_EQ(found("kind != gap"), kRows - index->lanes().front().summaries.front().rows);
}

// Rows before the part only say what held there: those that cannot be read are no loss, and no event of it.
TEST_F(DamagedChunk, OfAPartThatWasCutOutCountsWhatIsThePartsOwn) {
    ASSERT_NO_FATAL_FAILURE(write());
    ASSERT_NO_FATAL_FAILURE(support::damage_chunk(path_, 0));
    store::Session whole;
    store::Session paged;
    ASSERT_NO_FATAL_FAILURE(open(whole, paged));
    const store::Page first = paged.lane_named("busy")->pages()->pages()[0];
    const auto counted_from = [&](std::uint64_t begin) {
        store::Origin origin = paged.origin();
        origin.begin_tick = begin;
        paged.set_origin(origin);
        return readable_events(paged, *paged.lane_named("busy"), store::PageSource::Look::kKnown);
    };
    EXPECT_EQ(counted_from(0).events, kRows - first.rows);
    EXPECT_EQ(counted_from(0).unreadable, first.rows);
    EXPECT_EQ(counted_from(first.last_tick).events, kRows - first.rows) << "it begins within that page";
    EXPECT_EQ(counted_from(first.last_tick + 1).events, kRows - first.rows);
    EXPECT_EQ(counted_from(first.last_tick + 1).unreadable, 0u);
    EXPECT_EQ(counted_from(store::kNever).events, 0u);
}

// The first ones announced the channels; the index at the end of the file has them too.
TEST_F(DamagedChunk, SaysTheSameWhereTheBytesBetweenTwoChunksAreGoneToo) {
    ASSERT_NO_FATAL_FAILURE(write());
    const std::size_t chunks = capture::CaptureIndex::open(path_)->chunks().size();
    ASSERT_GT(chunks, 3u);
    for (const std::size_t chunk : {std::size_t{0}, chunks / 2, chunks - 2}) {
        SCOPED_TRACE(chunk);
        ASSERT_NO_FATAL_FAILURE(write());
        const auto index = capture::CaptureIndex::open(path_);
        const auto middle_of = [&](std::size_t one) {
            return index->chunks()[one].offset + capture::kChunkHeaderBytes + index->chunks()[one].stored_bytes / 2;
        };
        std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(middle_of(chunk)));
        file << std::string(middle_of(chunk + 1) - middle_of(chunk), '\0');
        file.close();
        ASSERT_NO_FATAL_FAILURE(expect_the_same_both_ways(lost_in(path_, chunk, 2)));
    }
}

// A file that was not finished has no index: the summary behind the chunk tells as much.
TEST_F(DamagedChunk, OfAFileThatWasNotFinishedTellsItsLossesToo) {
    ASSERT_NO_FATAL_FAILURE(write());
    const auto index = capture::CaptureIndex::open(path_);
    const std::size_t chunk = index->chunks().size() / 2;
    const std::uint64_t lost = lost_in(path_, chunk);
    ASSERT_NO_FATAL_FAILURE(support::damage_chunk(path_, chunk));
    std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 10);
    ASSERT_TRUE(ingest::load_file(path_, whole_).ok());
    EXPECT_EQ(whole_.lost(), lost);
    for (const store::Lane* lane : whole_.lanes()) EXPECT_EQ(lane->uncounted_losses(), 0u) << lane->channel().name;
}

// Neither a summary nor an index: some of the rows may have told of losses, of nobody knows how many.
TEST_F(DamagedChunk, WithoutItsSummaryHasLostAnUnknownNumber) {
    ASSERT_NO_FATAL_FAILURE(write());
    const auto index = capture::CaptureIndex::open(path_);
    const std::size_t chunk = index->chunks().size() / 2;
    const std::uint64_t begin = index->chunks()[chunk].offset + 40;
    const std::uint64_t end = index->chunks()[chunk + 1].offset - 8;
    std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 10);
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(begin));
    file << std::string(end - begin, '\xee');
    file.close();
    ASSERT_TRUE(ingest::load_file(path_, whole_).ok());
    for (const char* name : {"busy", "rare"}) {
        const store::Lane& lane = *whole_.lane_named(name);
        EXPECT_EQ(lane.lost(wire::LossCause::kDamaged), 0u) << name;
        EXPECT_EQ(lane.uncounted_losses(), 1u) << name;
    }
    const Finding found = check_limit(whole_, *parse_limit("lost busy < 1000000"), all_of(whole_)).front();
    EXPECT_EQ(found.verdict, Verdict::kCannotTell);
    EXPECT_NE(found.why.find("nobody knows how many"), std::string::npos) << found.why;
}

}  // namespace
}  // namespace sla::analysis
