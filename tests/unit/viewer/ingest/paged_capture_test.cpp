// Rows that stay in the file answer every question like rows in memory.
#include "viewer/ingest/paged_capture.h"

#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/file_source.h"

#include "viewer/store/merged_rows.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace sla::ingest {
namespace {

using store::Lane;
using store::Session;

constexpr std::uint32_t kChannels = kRandomChannels;

class PagedCaptureTest : public ::testing::Test {
protected:
    PagedCaptureTest()
        : path_(std::filesystem::path(::testing::TempDir()) / ("paged_" + std::to_string(getpid()) + ".sla")) {}
    ~PagedCaptureTest() override { std::filesystem::remove(path_); }

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

    std::filesystem::path path_;
    Session whole_;
    Session paged_;
    std::mt19937_64 random_{99};
};

TEST_F(PagedCaptureTest, RowsComeBackAsTheyAre) {
    write(1, 30);
    open_both();
    for_lanes([](const Lane& whole, const Lane& paged) {
        ASSERT_EQ(paged.size(), whole.size());
        ASSERT_EQ(paged.events(), whole.events());
        for (std::uint64_t i = 0; i < whole.size(); ++i) {
            ASSERT_EQ(paged[i].tick, whole[i].tick);
            ASSERT_EQ(paged[i].value, whole[i].value);
            ASSERT_EQ(paged[i].thread, whole[i].thread);
            ASSERT_EQ(paged[i].code, whole[i].code);
            ASSERT_EQ(paged.text(i), whole.text(i));
            ASSERT_EQ(paged.details(i), whole.details(i));
        }
        ASSERT_EQ(paged.gaps().size(), whole.gaps().size());
        for (std::size_t i = 0; i < whole.gaps().size(); ++i) {
            ASSERT_EQ(paged.gaps()[i].index, whole.gaps()[i].index);
            ASSERT_EQ(paged.gaps()[i].until_tick, whole.gaps()[i].until_tick);
            ASSERT_EQ(paged.gaps()[i].lost_before, whole.gaps()[i].lost_before);
            ASSERT_EQ(paged.gaps()[i].cause, whole.gaps()[i].cause);
        }
        EXPECT_EQ(paged.has_values(), whole.has_values());
        EXPECT_EQ(paged.has_levels(), whole.has_levels());
        EXPECT_EQ(paged.has_texts(), whole.has_texts());
    });
    EXPECT_EQ(paged_.events(), whole_.events());
    EXPECT_EQ(paged_.lost(), whole_.lost());
    EXPECT_EQ(paged_.last_tick(), whole_.last_tick());
    EXPECT_EQ(paged_.damage_count(), 0u);
    EXPECT_TRUE(paged_.ended());
}

TEST_F(PagedCaptureTest, EveryStretchOfTimeIsSummedUpTheSame) {
    write(2, 40);
    open_both();
    for_lanes([&](const Lane& whole, const Lane& paged) {
        for (int round = 0; round < 1500; ++round) {
            const std::uint64_t from = random_() % (whole.last_tick() + 100);
            const std::uint64_t until = from + random_() % (random_() % 2 == 0 ? 500 : whole.last_tick());
            ASSERT_EQ(paged.lower_bound(from), whole.lower_bound(from));
            ASSERT_EQ(paged.upper_bound(until), whole.upper_bound(until));
            const std::uint64_t hint = random_() % (whole.lower_bound(from) + 1);
            ASSERT_EQ(paged.lower_bound(from, hint), whole.lower_bound(from));
            const store::Summary a = paged.summarize(from, until);
            const store::Summary b = whole.summarize(from, until);
            ASSERT_EQ(a.first, b.first);
            ASSERT_EQ(a.last, b.last);
            ASSERT_EQ(a.events, b.events);
            ASSERT_EQ(a.lost, b.lost);
            ASSERT_EQ(a.has_value, b.has_value);
            ASSERT_EQ(a.min, b.min);
            ASSERT_EQ(a.max, b.max);
            ASSERT_EQ(paged.level_at(from), whole.level_at(from)) << from;
            ASSERT_EQ(paged.level_over(from, until).high_ticks, whole.level_over(from, until).high_ticks) << from;
            ASSERT_LE(paged.least_before(from), whole.lower_bound(from));
            ASSERT_GE(paged.most_before(from), whole.lower_bound(from));
        }
    });
}

void expect_same(const store::Span& a, const store::Span& b) {
    ASSERT_EQ(a.begin_index, b.begin_index);
    ASSERT_EQ(a.begin_tick, b.begin_tick);
    ASSERT_EQ(a.end_index, b.end_index);
    ASSERT_EQ(a.end_tick, b.end_tick);
    ASSERT_EQ(a.thread, b.thread);
    ASSERT_EQ(a.depth, b.depth);
    ASSERT_EQ(a.row, b.row);
    ASSERT_EQ(a.state, b.state);
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
        for (std::size_t i = 0; i < kChannels; ++i) {
            const store::LaneSpans a = paged.lanes()[i]->spans();
            const store::LaneSpans b = whole.lanes()[i]->spans();
            ASSERT_EQ(a.size(), b.size());
            ASSERT_EQ(a.rows(), b.rows());
            ASSERT_EQ(a.unmatched_ends(), b.unmatched_ends());
            for (std::uint64_t id = 0; id < b.size(); ++id) expect_same(a[id], b[id]);
            const Lane& lane = *whole.lanes()[i];
            for (std::uint64_t row = 0; row < lane.size(); ++row) {
                ASSERT_EQ(a.span_of_begin(row), b.span_of_begin(row));
                ASSERT_EQ(a.span_of_end(row), b.span_of_end(row));
            }
            for (int round = 0; round < 200; ++round) {
                const std::uint64_t from = random_() % lane.last_tick();
                const std::uint64_t until = from + 1 + random_() % 3000;
                const std::uint64_t width = random_() % 300;
                ASSERT_EQ(a.lower_bound(from), b.lower_bound(from));
                std::set<std::uint64_t> of_a;
                std::set<std::uint64_t> of_b;
                a.visit_overlapping(from, until, width, [&](std::uint64_t id, const store::Span&) {
                    EXPECT_TRUE(of_a.insert(id).second) << "twice";
                    return true;
                });
                b.visit_overlapping(from, until, width,
                                    [&](std::uint64_t id, const store::Span&) { return of_b.insert(id).second; });
                ASSERT_EQ(of_a, of_b);
            }
        }
    }
}

TEST_F(PagedCaptureTest, TheMergedTableHasTheSameRowsInTheSameOrder) {
    write(6, 20);
    open_both();
    const store::MergedIndex a(paged_);
    const store::MergedIndex b(whole_);
    ASSERT_EQ(a.rows(), b.rows());
    for (int round = 0; round < 400; ++round) {
        const std::uint64_t row = random_() % b.rows();
        const auto x = a.place(row);
        const auto y = b.place(row);
        ASSERT_TRUE(x && y);
        ASSERT_EQ(x->index, y->index);
        ASSERT_EQ(x->tick, y->tick);
        ASSERT_EQ(x->lane->channel().id, y->lane->channel().id);
        ASSERT_EQ(a.row_of(*x->lane, x->index), row);
        ASSERT_EQ(a.row_at(x->tick), b.row_at(y->tick));
    }
    store::MergedCursor forward = a.cursor(0);
    store::MergedCursor other = b.cursor(0);
    while (const auto y = other.next()) {
        const auto x = forward.next();
        ASSERT_TRUE(x);
        ASSERT_EQ(x->index, y->index);
        ASSERT_EQ(x->lane->channel().id, y->lane->channel().id);
    }
    EXPECT_FALSE(forward.next());
    store::MergedRows rows({paged_.lanes().begin(), paged_.lanes().end()}, 0, store::kNever);
    other = b.cursor(0);
    while (const auto y = other.next()) {
        const store::MergedRows::Row* x = rows.next();
        ASSERT_NE(x, nullptr);
        ASSERT_EQ(x->index, y->index);
        ASSERT_EQ(rows.lanes()[x->lane]->channel().id, y->lane->channel().id);
        ASSERT_EQ(x->value, (*y->lane)[y->index].value);
    }
    EXPECT_EQ(rows.next(), nullptr);
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
    const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!here && std::chrono::steady_clock::now() < patience) {
        std::this_thread::yield();
        source->poll();
        here = lane.is_here(middle, middle + 10);
    }
    EXPECT_TRUE(here);
    source->poll();
    EXPECT_NE(paged_.pages_revision(), before);
    EXPECT_FALSE(lane.is_here(0, store::kNever, 2)) << "more pages than may be asked for";
}

TEST_F(PagedCaptureTest, RowsThatCannotBeReadBecomeLossesAndAreTold) {
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
    const auto paged = PagedCapture::open(path_);
    ASSERT_FALSE(paged.ok());
    FileOptions options;
    options.rows_in_memory = 0;
    ASSERT_TRUE(load_file(path_, paged_, {}, options).ok());
    ASSERT_EQ(paged_.lanes()[0]->gaps().size(), 1u);
    EXPECT_EQ(paged_.lanes()[0]->lost(), 7u);
}

}  // namespace
}  // namespace sla::ingest
