// Rows that are missing within captures: parts and merges tell of them what the capture tells, and no more.
#include "proto/capture/capture_index.h"
#include "proto/capture/capture_writer.h"
#include "proto/capture/pieces/capture_series.h"
#include "proto/wire/capture.pb.h"
#include "tests/support/capture_builder.h"
#include "tests/support/damaged_chunk.h"
#include "tests/support/with_directory.h"
#include "viewer/capture_tools/capture_cut.h"
#include "viewer/capture_tools/capture_merge.h"
#include "viewer/ingest/open.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <tuple>

namespace sla::capture_tools {
namespace {

using capture::CaptureIndex;

class Holes : public support::WithDirectory {
protected:
    using Loss = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t>;  // channel, from, to, lost

    // A file for each tenth of the time, rec-0001.sla and so on.
    void write_series(const support::CaptureBuilder& capture) const {
        std::chrono::steady_clock::time_point now{};
        capture::SeriesLimits limits;
        limits.file_time = std::chrono::seconds(10);
        auto series = capture::CaptureSeries::create(file("rec.sla"), limits, [&now] { return now; });
        ASSERT_TRUE(series.ok());
        for (const std::string& bytes : capture.frames(10)) {
            wire::Frame frame;
            ASSERT_TRUE(frame.ParseFromString(bytes));
            capture::FrameFacts facts;
            const wire::Batch& batch = frame.batch();
            if (frame.has_batch())
                facts = {batch.channel(), batch.first_tick(), batch.last_tick(), batch.count(), batch.first_index()};
            ASSERT_TRUE(series->append(bytes, facts).ok());
            if (!frame.has_watermark()) continue;
            now += std::chrono::seconds(11);
            ASSERT_TRUE(series->flush().ok());
        }
        ASSERT_TRUE(series->finish().ok());
    }
    // In chunks of a batch.
    void write_file(const std::string& name, const support::CaptureBuilder& capture, std::uint64_t recording) const {
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
    void load(const std::string& name, store::Session& session) const {
        ASSERT_TRUE(ingest::load(file(name), session).ok());
    }
    static std::vector<Loss> losses_of(const store::Session& session) {
        std::vector<Loss> losses;
        for (const store::Lane* lane : session.lanes()) {
            for (const store::Gap& gap : lane->gaps())
                losses.emplace_back(lane->channel().name, gap.tick, gap.until_tick, gap.lost);
        }
        std::sort(losses.begin(), losses.end());
        return losses;
    }
    std::vector<Loss> losses_of_cut(std::uint64_t first, std::uint64_t last) const {
        const auto made = cut_capture({file("rec.sla"), file("part.sla"), {}, {}, CutPlan::Ticks{first, last}}, {});
        EXPECT_TRUE(made.ok()) << made.error().message;
        store::Session part;
        load("part.sla", part);
        EXPECT_GT(part.damage_count(), 0u) << "channels that nobody knows of may have had rows";
        return losses_of(part);
    }
    // Those that reach into the part, as far as they do.
    static std::vector<Loss> clipped(std::vector<Loss> losses, std::uint64_t first, std::uint64_t last) {
        std::erase_if(losses, [&](const Loss& loss) { return std::get<2>(loss) < first || std::get<1>(loss) > last; });
        for (auto& [channel, from, until, lost] : losses) {
            from = std::max(from, first);
            until = std::min(until, last);
        }
        return losses;
    }
};

// Of "all" the numbers of its rows tell that some are missing, of "ends" nothing does: it may have had some.
TEST_F(Holes, OfASeriesWithoutOneOfItsFilesAreInItsParts) {
    support::CaptureBuilder capture;
    const auto all = capture.channel("all");
    const auto ends = capture.channel("ends");
    for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) {
        capture.tick(all, tick);
        if (tick <= 35'000) capture.tick(ends, tick + 100);
    }
    ASSERT_NO_FATAL_FAILURE(write_series(capture));
    ASSERT_TRUE(std::filesystem::remove(file("rec-0004.sla")));
    store::Session series;
    load("rec.sla", series);
    const std::vector<Loss> losses = losses_of(series);
    ASSERT_EQ(losses.size(), 2u);
    const std::uint64_t from = std::get<1>(losses[0]);
    const std::uint64_t until = std::get<2>(losses[0]);
    ASSERT_LT(from + 2'000, until);
    EXPECT_EQ(losses_of_cut(0, 1'000'000), losses);
    for (const auto& [first, last] : {std::pair(std::uint64_t{5'000}, from + 1'000),   // ends in the hole
                                      std::pair(from + 1'000, std::uint64_t{90'000}),  // begins in it
                                      std::pair(from - 1'500, until + 1'500)}) {
        EXPECT_EQ(losses_of_cut(first, last), clipped(losses, first, last)) << first << " to " << last;
    }
    EXPECT_EQ(losses_of_cut(until + 12'000, 90'000), std::vector<Loss>());
}

TEST_F(Holes, AreMergedAsTheirFileTellsThem) {
    support::CaptureBuilder capture;
    const auto rx = capture.channel("rx");
    for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) {
        if (tick == 45'000) {
            capture.gap(rx, tick, 7, wire::LossCause::kOverrun, tick + 500);
        } else {
            capture.tick(rx, tick);
        }
    }
    ASSERT_NO_FATAL_FAILURE(write_file("rec.sla", capture, 1));
    const CaptureIndex::Lane lane = *CaptureIndex::open(file("rec.sla"))->lane(ChannelId{1});
    std::size_t at = 0;
    while (lane.summaries[at].gap_rows == 0) ++at;
    ASSERT_NO_FATAL_FAILURE(support::damage_chunk(file("rec.sla"), lane.chunk_numbers[at]));
    support::CaptureBuilder other;
    const auto tx = other.channel("tx", other.source("other"));
    for (std::uint64_t tick = 2'000; tick <= 100'000; tick += 1'000) other.tick(tx, tick);
    ASSERT_NO_FATAL_FAILURE(write_file("other.sla", other, 2));
    const auto merged = merge_captures({{file("other.sla"), "other"}, {file("rec.sla"), "rec"}}, file("both.sla"), {});
    ASSERT_TRUE(merged.ok()) << merged.error().message;
    EXPECT_EQ(merged->missing, lane.summaries[at].rows);
    store::Session was;
    store::Session is;
    load("rec.sla", was);
    load("both.sla", is);
    EXPECT_EQ(losses_of(is), losses_of(was));
    EXPECT_EQ(is.lost(), lane.summaries[at].rows - 1 + 7);
}

}  // namespace
}  // namespace sla::capture_tools
