// Rows that stay in the file answer every question like rows in memory.
#include "viewer/ingest/pages/paged_capture.h"

#include "proto/capture/summary/batch_summarizer.h"
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "tests/unit/viewer/ingest/same_answers.h"
#include "viewer/ingest/file_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

namespace sla::ingest {
namespace {

using store::Lane;
using store::Session;

constexpr std::uint32_t kChannels = kRandomChannels;

class PagedCaptureTest : public ::testing::Test {
protected:
    void write(std::uint64_t seed, int chunks, bool finish = true) { write_random_capture(path_, seed, chunks, finish); }
    void open_both() {
        ASSERT_TRUE(load_file(path_, whole_).ok());
        FileOptions options;
        options.rows_in_memory = 0;
        options.cache_bytes = 100'000;
        ASSERT_TRUE(load_file(path_, paged_, {}, options).ok());
        ASSERT_EQ(whole_.lanes().size(), kChannels);
        ASSERT_EQ(paged_.lanes().size(), kChannels);
    }
    template <typename Check>
    void for_lanes(Check check) {
        for (std::size_t i = 0; i < kChannels; ++i) {
            ASSERT_NE(paged_.lanes()[i]->pages(), nullptr);
            ASSERT_EQ(whole_.lanes()[i]->pages(), nullptr);
            check(*whole_.lanes()[i], *paged_.lanes()[i]);
        }
    }

    const support::TemporaryPath temporary_{"paged.sla"};
    const std::filesystem::path& path_ = temporary_.path;
    Session whole_;
    Session paged_;
    std::mt19937_64 random_{99};
};

TEST_F(PagedCaptureTest, RowsComeBackAsTheyAre) {
    write(1, 30);
    open_both();
    expect_same_rows(paged_, whole_);
    EXPECT_EQ(paged_.damage_count(), 0u);
    EXPECT_TRUE(paged_.ended());
}

TEST_F(PagedCaptureTest, AChunkNarrowedToOneChannelGivesTheOthersAllTheSame) {
    write(1, 30);
    open_both();
    for (std::uint32_t chunk = 0; chunk < 20; ++chunk)
        paged_.page_source()->narrow(chunk, {ChannelId{1 + chunk % kChannels}});
    expect_same_rows(paged_, whole_);
    for (std::uint32_t chunk = 0; chunk < 20; ++chunk) paged_.page_source()->narrow(chunk, {});
    expect_same_rows(paged_, whole_);
    EXPECT_EQ(paged_.damage_count(), 0u);
}

TEST_F(PagedCaptureTest, EveryIntervalIsSummedUpTheSame) {
    write(2, 40);
    open_both();
    expect_same_sums(paged_, whole_, random_);
}

TEST_F(PagedCaptureTest, SpansAreTheSameOverTheEndsOfPages) {
    for (const std::uint64_t seed : {3, 4, 5}) {
        write(seed, 25);
        Session whole;
        Session paged;
        FileOptions options;
        options.rows_in_memory = 0;
        ASSERT_TRUE(load_file(path_, whole).ok());
        ASSERT_TRUE(load_file(path_, paged, {}, options).ok());
        expect_same_spans(paged, whole, random_);
    }
}

// An index keeps the outermost 256 spans of a thread: where there are more, the rows are read in order.
TEST_F(PagedCaptureTest, SpansThatAreNestedDeeperThanAnIndexKeepsAreReadInOrder) {
    for (const std::uint64_t depth : {200, 300}) {
        auto writer = capture::CaptureWriter::create(path_);
        ASSERT_TRUE(writer.ok());
        const auto put = [&](const std::string& frame) { ASSERT_TRUE(writer->append(frame).ok()); };
        put_names(put, 1);
        std::uint64_t tick = 1000;
        std::uint64_t index = 0;
        for (const std::uint8_t code : {SLA_CODE_BEGIN, SLA_CODE_TICK, SLA_CODE_END}) {
            wire::EventBatch batch;
            batch.channel = ChannelId{1};
            batch.first_index = index;
            for (std::uint64_t i = 0; i < depth; ++i) batch.add(++tick, code, 0, 1);
            index += batch.size();
            put(batch_frame(batch));
            ASSERT_TRUE(writer->flush().ok());
        }
        put(end_frame(tick));
        ASSERT_TRUE(writer->finish().ok());
        Session paged;
        FileOptions options;
        options.rows_in_memory = 0;
        ASSERT_TRUE(load_file(path_, paged, {}, options).ok());
        const Lane& lane = *paged.lanes().at(0);
        EXPECT_EQ(lane.pages() == nullptr, depth > capture::kRememberedSpans);
        ASSERT_EQ(lane.spans().size(), depth);
        for (std::uint64_t id = 0; id < depth; ++id) ASSERT_EQ(lane.spans()[id].state, store::SpanState::kClosed) << id;
    }
}

TEST_F(PagedCaptureTest, TheMergedTableHasTheSameRowsInTheSameOrder) {
    write(6, 20);
    open_both();
    expect_same_table(paged_, whole_, random_);
}

TEST_F(PagedCaptureTest, RowsBeforeATickAreBoundedWithoutReadingAPage) {
    write(6, 40);
    open_both();
    const std::vector<const Lane*> lanes(paged_.lanes().begin(), paged_.lanes().end());
    store::PageSteps steps;
    steps.refresh(lanes);
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t tick = random_() % (paged_.last_tick() + 100);
        std::uint64_t exactly = 0;
        for (const Lane* lane : whole_.lanes()) exactly += lane->lower_bound(tick);
        std::uint64_t least = 0;
        std::uint64_t most = 0;
        for (const Lane* lane : lanes) {
            least += lane->least_before(tick);
            most += lane->most_before(tick);
        }
        ASSERT_EQ(steps.least_before(tick), least) << tick;
        ASSERT_EQ(steps.most_before(tick), most) << tick;
        ASSERT_LE(steps.least_before(tick), exactly);
        ASSERT_GE(steps.most_before(tick), exactly);
    }
    const store::MergedIndex rows(whole_);
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t row = i == 0 ? 0 : random_() % rows.rows();
        const std::uint64_t tick = rows.place(row)->tick;
        ASSERT_LE(steps.first_that_may_hold(row), tick) << row;
        ASSERT_GE(steps.last_that_may_hold(row), tick) << row;
    }
    EXPECT_EQ(steps.last_that_may_hold(rows.rows()), store::kNever);
    std::size_t known = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t tick = random_() % (paged_.last_tick() + 100);
        for (std::size_t n = 0; n < lanes.size(); ++n) {
            if (!lanes[n]->are_rows_known_at(tick)) continue;
            ++known;
            ASSERT_EQ(lanes[n]->least_before(tick), whole_.lanes()[n]->lower_bound(tick));
            ASSERT_EQ(lanes[n]->most_before(tick + 1), whole_.lanes()[n]->lower_bound(tick + 1));
        }
    }
    EXPECT_GT(known, 0U);
    EXPECT_EQ(paged_.page_waits(), 0U);
}

TEST_F(PagedCaptureTest, AnUnfinishedFileIsPagedToo) {
    write(7, 20, false);
    open_both();
    for_lanes([](const Lane& whole, const Lane& paged) {
        ASSERT_EQ(paged.size(), whole.size());
        for (std::uint64_t id = 0; id < whole.spans().size(); ++id) expect_same(paged.spans()[id], whole.spans()[id]);
    });
    EXPECT_TRUE(paged_.ended());
    EXPECT_GT(paged_.damage_count(), 0u) << "that it was not finished is said";
}

// A part may end where rows of a guest end that ran ahead.
TEST_F(PagedCaptureTest, WhereASourceMakesUpItsTimeTheWatermarkSaysHowFarItIsKnown) {
    auto writer = capture::CaptureWriter::create(path_);
    ASSERT_TRUE(writer.ok());
    const auto put = [&](const std::string& frame) { ASSERT_TRUE(writer->append(frame).ok()); };
    put_names(put, 1);
    wire::Frame guest;
    guest.mutable_source()->set_id(2);
    guest.mutable_source()->set_clock_domain(1);
    put(guest.SerializeAsString());
    put(channel_frame(2, "irq", 2));
    put(batch_frame(1, 0, {100, 200}));
    put(batch_frame(2, 0, {150, 9'000}));
    put(watermark_frame(500));
    put(end_frame(9'000));
    ASSERT_TRUE(writer->finish().ok());
    FileOptions options;
    options.rows_in_memory = 0;
    ASSERT_TRUE(load_file(path_, paged_, {}, options).ok());
    ASSERT_TRUE(load_file(path_, whole_).ok());
    ASSERT_NE(paged_.lanes()[0]->pages(), nullptr);
    for (const Session* session : {&paged_, &whole_}) {
        EXPECT_TRUE(session->ended());
        EXPECT_EQ(session->watermark(), 500u);
        EXPECT_EQ(session->last_tick(), 9'000u);
    }
}

TEST_F(PagedCaptureTest, WhatIsNotHereIsFetchedInTheBackground) {
    write(8, 30);
    FileOptions options;
    options.rows_in_memory = 0;
    auto source = FileSource::open(path_, options);
    ASSERT_TRUE(source.ok());
    ASSERT_TRUE(source->is_paged());
    FrameApplier applier(paged_);
    ASSERT_FALSE(source->step(applier, std::chrono::milliseconds(1)));
    const Lane& lane = *paged_.lanes()[0];
    const std::uint64_t middle = lane.last_tick() / 2;
    const std::uint64_t before = paged_.pages_revision();
    bool here = lane.is_here(middle, middle + 10);
    EXPECT_FALSE(here);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!here && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();
        source->poll();
        here = lane.is_here(middle, middle + 10);
    }
    EXPECT_TRUE(here);
    // The worker says that it has come after it can be found.
    while (paged_.pages_revision() == before && std::chrono::steady_clock::now() < deadline) source->poll();
    EXPECT_NE(paged_.pages_revision(), before);
    EXPECT_FALSE(lane.is_here(0, store::kNever, 2)) << "more pages than may be asked for";
}

// As a picture's pixel that lies in both does, for each of its lanes.
TEST_F(PagedCaptureTest, TwoChunksThatAreLookedAtByTurnsAreReadOnceHoweverLittleSpaceThereIs) {
    write(1, 30);
    FileOptions options;
    options.rows_in_memory = 0;
    options.cache_bytes = 1;
    ASSERT_TRUE(load_file(path_, paged_, {}, options).ok());
    const Lane& lane = *paged_.lanes()[0];
    const std::uint64_t before = paged_.page_waits();
    for (int turn = 0; turn < 10; ++turn) {
        EXPECT_FALSE(lane.page_run(4).empty());
        EXPECT_FALSE(lane.page_run(5).empty());
    }
    EXPECT_EQ(paged_.page_waits() - before, 2u);
}

TEST_F(PagedCaptureTest, RowsThatAWalkHasReadAreHereForAPictureOnceTheyHaveAnIndex) {
    write(8, 30);
    FileOptions options;
    options.rows_in_memory = 0;
    auto source = FileSource::open(path_, options);
    ASSERT_TRUE(source.ok());
    FrameApplier applier(paged_);
    ASSERT_FALSE(source->step(applier, std::chrono::milliseconds(1)));
    const Lane& lane = *paged_.lanes()[0];
    const std::uint64_t index = lane.size() / 2;
    const std::uint64_t tick = lane.tick(index);
    const std::uint64_t waits = paged_.page_waits();
    const store::Run& run = lane.page_run(lane.pages()->page_of(index));
    EXPECT_FALSE(run.has_index());
    EXPECT_FALSE(lane.are_rows_here(index, index + 1));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!lane.are_rows_here(index, index + 1) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();
        source->poll();
    }
    EXPECT_TRUE(run.has_index()) << "that of the rows which were here, not of others read again";
    EXPECT_EQ(lane.tick(index), tick);
    EXPECT_EQ(paged_.page_waits(), waits);
}

TEST_F(PagedCaptureTest, RowsThatCannotBeReadBecomeLossesAndAreReported) {
    write(9, 20);
    const auto index = capture::CaptureIndex::open(path_);
    ASSERT_TRUE(index.ok());
    const capture::ChunkPlace place = index->chunks()[10];
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(place.offset + 60));
    file.write("garbage", 7);
    file.close();
    FileOptions options;
    options.rows_in_memory = 0;
    ASSERT_TRUE(load_file(path_, paged_, {}, options).ok());
    std::uint64_t rows = 0;
    std::uint64_t promised = 0;
    for (const Lane* lane : paged_.lanes()) {
        for (std::uint64_t i = 0; i < lane->size(); ++i) rows += (*lane)[i].tick <= lane->last_tick() ? 1 : 0;
        for (std::uint64_t id = 0; id < lane->spans().size(); ++id) ASSERT_GE(lane->spans()[id].end_tick, 0u);
        promised += lane->size();
    }
    EXPECT_EQ(rows, promised);
    EXPECT_GT(paged_.damage_count(), 0u);
}

TEST_F(PagedCaptureTest, AFileWithRowsMissingInTheMiddleIsReadInOrder) {
    auto writer = capture::CaptureWriter::create(path_);
    ASSERT_TRUE(writer.ok());
    for (const std::string& frame :
         {hello_frame(), source_frame(1, "p"), channel_frame(1, "c"), batch_frame(ticks_batch(1, 0, {1, 2, 3}))}) {
        ASSERT_TRUE(writer->append(frame).ok());
    }
    ASSERT_TRUE(writer->flush().ok());
    ASSERT_TRUE(writer->append(batch_frame(ticks_batch(1, 10, {20, 30}))).ok());
    ASSERT_TRUE(writer->finish().ok());
    auto store = capture::CaptureStore::open(path_);
    ASSERT_TRUE(store.ok());
    ASSERT_FALSE(PagedCapture::open(std::move(*store)).ok());
    FileOptions options;
    options.rows_in_memory = 0;
    ASSERT_TRUE(load_file(path_, paged_, {}, options).ok());
    ASSERT_EQ(paged_.lanes()[0]->gaps().size(), 1u);
    EXPECT_EQ(paged_.lanes()[0]->uncounted_losses(), 1u) << "some of the seven may have told of losses";
}

// As older builds wrote them, of regular rows: who looks at one row of such a chunk has all of them unpacked, again and again.
TEST_F(PagedCaptureTest, AFileWhoseChunkHoldsMillionsOfRowsIsReadInOrder) {
    constexpr std::uint64_t kRows = 60'000;
    // Made before, for a chunk ends when its first frame has waited a second.
    std::vector<std::pair<std::string, std::shared_ptr<const capture::BatchSummary>>> frames;
    capture::BatchSummarizer summarizer;
    for (std::uint64_t frame = 0; frame < 80; ++frame) {
        wire::EventBatch batch;
        batch.channel = ChannelId{1};
        batch.first_index = frame * kRows;
        for (std::uint64_t i = 0; i < kRows; ++i) batch.add((batch.first_index + i) * 10, SLA_CODE_TICK, 0, 1);
        frames.emplace_back(batch_frame(batch), summarizer.of(batch));
    }
    capture::WriterOptions options;
    options.chunk_rows = ~std::uint64_t{0};
    auto writer = capture::CaptureWriter::create(path_, options);
    ASSERT_TRUE(writer.ok());
    const auto put = [&](const std::string& frame) { ASSERT_TRUE(writer->append(frame).ok()); };
    put_names(put, 1);
    for (const auto& [frame, summary] : frames) {
        capture::FrameFacts facts;
        facts.channel = 1;
        facts.events = kRows;
        facts.summary = summary.get();
        ASSERT_TRUE(writer->append(frame, facts).ok());
    }
    put(end_frame(80 * kRows * 10));
    ASSERT_TRUE(writer->finish().ok());
    auto store = capture::CaptureStore::open(path_);
    ASSERT_TRUE(store.ok());
    const auto paged = PagedCapture::open(std::move(*store));
    ASSERT_FALSE(paged.ok());
    EXPECT_NE(paged.error().message.find("rows in one chunk"), std::string::npos) << paged.error().message;
}

}  // namespace
}  // namespace sla::ingest
