// A file whose first or last chunk cannot be read: parts of it tell the losses that the file tells, and the check of the file
// counts them.
#include "proto/capture/capture_index.h"
#include "proto/capture/capture_writer.h"
#include "proto/capture/file_format.h"
#include "proto/wire/batch_codec.h"
#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "tests/support/damaged_chunk.h"
#include "tests/support/with_directory.h"
#include "viewer/capture_tools/capture_check.h"
#include "viewer/capture_tools/capture_cut.h"
#include "viewer/capture_tools/capture_merge.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>

namespace sla::capture_tools {
namespace {

class DamagedEdges : public support::WithDirectory {
protected:
    // A row every 1,000 ticks from 2,000 to 100,000; a loss of seven in the first chunk and one in the last.
    void write() const {
        support::CaptureBuilder capture;
        const auto rx = capture.channel("rx");
        const auto tx = capture.channel("tx");
        for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) {
            if (tick == 4'000 || tick == 98'000) {
                capture.gap(rx, tick, 7, wire::LossCause::kOverrun, tick + 500);
            } else {
                capture.tick(rx, tick);
            }
            capture.tick(tx, tick + 100);
        }
        write("all.sla", capture, 1);
    }
    // In chunks of a batch.
    void write(const std::string& name, const support::CaptureBuilder& capture, std::uint64_t recording) const {
        capture::WriterOptions options;
        options.chunk_bytes = 1;
        auto writer = capture::CaptureWriter::create(file(name), options);
        ASSERT_TRUE(writer.ok());
        for (const std::string& bytes : capture.frames(10)) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(bytes));
            if (frame.has_hello()) frame.mutable_hello()->set_capture_id(recording);
            ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok());
        }
        ASSERT_TRUE(writer->finish().ok());
    }
    [[nodiscard]] capture::CaptureIndex::Lane lane_of(std::uint32_t channel) const {
        return *capture::CaptureIndex::open(file("all.sla"))->lane(ChannelId{channel});
    }
    void cut(std::uint64_t first, std::uint64_t last) const {
        const auto made = cut_capture({file("all.sla"), file("part.sla"), {}, {}, CutPlan::Ticks{first, last}}, {});
        ASSERT_TRUE(made.ok()) << made.error().message;
    }
    static std::vector<std::string> rows_of(const store::Session& session) {
        std::vector<std::string> rows;
        for (const store::Lane* lane : session.lanes()) {
            for (std::uint64_t i = 0; i < lane->size(); ++i) {
                const store::Event row = (*lane)[i];
                rows.push_back(lane->channel().name + " " + std::to_string(row.tick) + " " + std::to_string(row.code) + " " +
                               std::to_string(row.value));
            }
            for (const store::Gap& gap : lane->gaps()) {
                rows.push_back(lane->channel().name + " lost " + std::to_string(gap.lost) + " from " +
                               std::to_string(gap.tick) + " to " + std::to_string(gap.until_tick) + " " +
                               wire::loss_cause_name(gap.cause));
            }
        }
        return rows;
    }
};

TEST_F(DamagedEdges, ArePartOfACutAsTheyAreOfTheFile) {
    for (const bool is_last : {false, true}) {
        SCOPED_TRACE(is_last);
        ASSERT_NO_FATAL_FAILURE(write());
        const capture::CaptureIndex::Lane rx = lane_of(1);
        const std::size_t at = is_last ? rx.summaries.size() - 1 : 0;
        const capture::LaneSummary gone = rx.summaries[at];
        ASSERT_EQ(gone.gap_rows, 1u);
        ASSERT_NO_FATAL_FAILURE(support::damage_chunk(file("all.sla"), rx.chunk_numbers[at]));
        ASSERT_NO_FATAL_FAILURE(cut(0, 1'000'000));
        store::Session all;
        store::Session part;
        ASSERT_TRUE(ingest::load(file("all.sla"), all).ok());
        ASSERT_TRUE(ingest::load(file("part.sla"), part).ok());
        EXPECT_GE(part.lane_named("rx")->lost(), gone.rows - 1 + 7);
        EXPECT_EQ(part.lost(), all.lost());
        EXPECT_EQ(rows_of(part), rows_of(all));
        EXPECT_EQ(part.damage_count(), 0u) << "gap rows tell all of it";
    }
}

// How many of the chunk's events were in the part nobody knows; its losses say when they were.
TEST_F(DamagedEdges, ThatLieInAPartOnlyInPartHaveLostAnUnknownNumber) {
    for (const bool is_last : {false, true}) {
        SCOPED_TRACE(is_last);
        ASSERT_NO_FATAL_FAILURE(write());
        const capture::CaptureIndex::Lane rx = lane_of(1);
        const std::size_t at = is_last ? rx.summaries.size() - 1 : 0;
        const capture::LaneSummary gone = rx.summaries[at];
        ASSERT_NO_FATAL_FAILURE(support::damage_chunk(file("all.sla"), rx.chunk_numbers[at]));
        const std::uint64_t first = is_last ? 50'000 : 5'000;
        const std::uint64_t last = is_last ? 97'000 : 50'000;
        ASSERT_NO_FATAL_FAILURE(cut(first, last));
        store::Session part;
        ASSERT_TRUE(ingest::load(file("part.sla"), part).ok());
        const store::Lane& lane = *part.lane_named("rx");
        ASSERT_EQ(lane.gaps().size(), 1u);
        EXPECT_EQ(lane.uncounted_losses(), 1u);
        EXPECT_EQ(lane.gaps()[0].tick, is_last ? gone.first_tick : first);
        EXPECT_EQ(lane.gaps()[0].until_tick, is_last ? last : gone.last_tick);
    }
}

// Beside another recording, whose rows come before, between and behind.
TEST_F(DamagedEdges, ArePartOfAMergeAsTheyAreOfTheFile) {
    support::CaptureBuilder other;
    const auto beside = other.channel("beside", other.source("other"));
    for (std::uint64_t tick = 1'500; tick <= 120'000; tick += 500) other.tick(beside, tick);
    write("other.sla", other, 2);
    for (const bool is_last : {false, true}) {
        SCOPED_TRACE(is_last);
        ASSERT_NO_FATAL_FAILURE(write());
        const capture::CaptureIndex::Lane rx = lane_of(1);
        const std::size_t at = is_last ? rx.summaries.size() - 1 : 0;
        ASSERT_NO_FATAL_FAILURE(support::damage_chunk(file("all.sla"), rx.chunk_numbers[at]));
        const auto merged = merge_captures({{file("all.sla"), "all"}, {file("other.sla"), "other"}}, file("both.sla"), {});
        ASSERT_TRUE(merged.ok()) << merged.error().message;
        EXPECT_EQ(merged->missing, rx.summaries[at].rows);
        store::Session all;
        store::Session both;
        ASSERT_TRUE(ingest::load(file("all.sla"), all).ok());
        ASSERT_TRUE(ingest::load(file("both.sla"), both).ok());
        std::vector<std::string> rows = rows_of(both);
        std::erase_if(rows, [](const std::string& row) { return row.starts_with("beside"); });
        EXPECT_EQ(rows, rows_of(all));
        EXPECT_EQ(both.lost(), all.lost());
        EXPECT_EQ(both.damage_count(), 0u) << "gap rows tell all of it";
        EXPECT_FALSE(both.begins_late()) << "a row says what its first rows were";
    }
}

// Of two files of one recording the second goes on where the first one's end is damaged, and ends damaged itself.
TEST_F(DamagedEdges, OfFilesOfOneRecordingAreToldOnceInItsMerge) {
    std::uint64_t lost = 0;
    for (const std::uint64_t number : {0u, 1u}) {
        support::CaptureBuilder capture;
        const auto rx = capture.channel("rx");
        for (std::uint64_t i = 0; i < 100; ++i) {
            const std::uint64_t tick = 2'000 + 1'000 * i;
            if (i == 48 || i == 98) {
                capture.gap(rx, tick, 7, wire::LossCause::kOverrun, tick + 500);
            } else {
                capture.tick(rx, tick);
            }
        }
        capture::WriterOptions options;
        options.chunk_bytes = 1;
        const std::string name = file(number == 0 ? "first.sla" : "second.sla");
        auto writer = capture::CaptureWriter::create(name, options);
        ASSERT_TRUE(writer.ok());
        for (const std::string& bytes : capture.frames(10)) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(bytes));
            const bool is_here = !frame.has_batch() || (frame.batch().first_index() >= 50) == (number == 1);
            if (!is_here) continue;
            ASSERT_TRUE(writer->append(bytes).ok());
        }
        ASSERT_TRUE(writer->finish().ok());
        const capture::CaptureIndex::Lane lane = *capture::CaptureIndex::open(name)->lane(ChannelId{1});
        ASSERT_EQ(lane.summaries.back().gap_rows, 1u);
        lost += lane.summaries.back().rows - 1 + 7;
        ASSERT_NO_FATAL_FAILURE(support::damage_chunk(name, lane.chunk_numbers.back()));
    }
    const auto merged = merge_captures({{file("first.sla"), "first"}, {file("second.sla"), "second"}}, file("both.sla"), {});
    ASSERT_TRUE(merged.ok()) << merged.error().message;
    store::Session both;
    ASSERT_TRUE(ingest::load(file("both.sla"), both).ok());
    EXPECT_EQ(both.lost(), lost);
    EXPECT_EQ(both.lane_named("rx")->uncounted_losses(), 0u);
}

TEST_F(DamagedEdges, AreCountedByTheCheckWhereTheBytesBetweenChunksAreGoneToo) {
    ASSERT_NO_FATAL_FAILURE(write());
    const auto index = capture::CaptureIndex::open(file("all.sla"));
    const std::uint64_t rows = index->lanes()[0].rows() + index->lanes()[1].rows();
    const std::uint32_t newest = index->lanes()[0].chunk_numbers[4];
    std::uint64_t gone = 0;
    for (const auto& lane : index->lanes()) {
        for (std::size_t i = 0; i < lane.chunk_numbers.size(); ++i)
            gone += lane.chunk_numbers[i] <= newest ? lane.summaries[i].rows : 0;
    }
    ASSERT_GT(gone, 20u);
    std::string bytes = content(file("all.sla"));
    const std::uint64_t begin = index->chunks()[0].offset + 4;
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
              bytes.begin() + static_cast<std::ptrdiff_t>(index->chunks()[newest].offset + capture::kChunkHeaderBytes + 1),
              '\0');
    std::ofstream(file("all.sla"), std::ios::binary) << bytes;
    const auto report = check_capture(file("all.sla"), {});
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->channels, 2u);
    EXPECT_EQ(report->rows_gone, gone);
    EXPECT_EQ(report->events, rows - gone - 1) << "but for a loss row";
}

TEST_F(DamagedEdges, OfAChannelThatNoFileOfTheRecordingHasAreCountedOnce) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 2'000; tick < 9'000; tick += 1'000) capture.tick(rx, tick);
    capture.write(file("all.sla"));
    ASSERT_NO_FATAL_FAILURE(support::damage_chunk(file("all.sla"), lane_of(1).chunk_numbers.front()));
    std::ofstream(file("copy.sla"), std::ios::binary) << content(file("all.sla"));
    const auto merged = merge_captures({{file("all.sla"), "all"}, {file("copy.sla"), "copy"}}, file("both.sla"), {});
    ASSERT_TRUE(merged.ok()) << merged.error().message;
    store::Session both;
    ASSERT_TRUE(ingest::load(file("both.sla"), both).ok());
    EXPECT_EQ(both.lost(), 7u);
    EXPECT_EQ(both.lane_named("rx")->uncounted_losses(), 0u);
}

// Every second row is missing; the list of places has an end, the count has none.
TEST_F(DamagedEdges, MissingRowsAreCountedBeyondThePlacesThatAreListed) {
    constexpr std::uint64_t kListed = 100'000;
    constexpr std::uint64_t kRows = kListed + 51;
    auto writer = capture::CaptureWriter::create(file("many.sla"));
    ASSERT_TRUE(writer.ok());
    support::CaptureBuilder names;
    names.channel("rx");
    for (const std::string& bytes : names.frames(1)) {
        wire::Frame frame;
        ASSERT_TRUE(frame.ParseFromString(bytes));
        if (frame.has_watermark() || frame.has_end()) continue;
        ASSERT_TRUE(writer->append(bytes).ok());
    }
    for (std::uint64_t row = 0; row < kRows; ++row) {
        wire::EventBatch batch;
        batch.channel = {1};
        batch.first_index = 2 * row;
        batch.add(2'000 + row, SLA_CODE_TICK, 0, 1);
        wire::Frame frame;
        wire::encode_batch(batch, *frame.mutable_batch());
        ASSERT_TRUE(writer->append(frame.SerializeAsString()).ok());
    }
    ASSERT_TRUE(writer->finish().ok());
    const auto report = check_capture(file("many.sla"), {});
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->rows_gone, kRows - 1);
    EXPECT_EQ(report->findings.size(), kListed + 1);
    EXPECT_EQ(report->findings.back().what, "50 more places where rows are missing or wrong");
}

}  // namespace
}  // namespace sla::capture_tools
