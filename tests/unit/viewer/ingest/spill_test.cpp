// A session that may take little memory answers like one that may take any amount.
#include "tests/unit/viewer/ingest/same_answers.h"
#include "tests/unit/viewer/ingest/spill_fixture.h"
#include "viewer/ingest/caches.h"
#include "viewer/ingest/file_source.h"

namespace sla::ingest {
namespace {

TEST_F(SpillTest, WhatLeftMemoryIsFoundLikeAllOther) {
    Small small(directory_);
    Session whole;
    fill_both(small, whole, 1, 400);
    const SpillReport report = small.spill.report();
    EXPECT_GT(report.rows_on_disk, small.session.events() / 2) << "a test of nothing";
    EXPECT_GT(report.disk_bytes, 0u);
    EXPECT_LT(small.most, kLittle + 300'000) << "one batch and the reader's cache above it";
    expect_same_rows(small.session, whole);
    expect_same_sums(small.session, whole, random_);
    expect_same_table(small.session, whole, random_);
    EXPECT_EQ(small.session.damage_count(), 0u);
    EXPECT_TRUE(std::filesystem::is_empty(directory_)) << "the file has no name";
}

TEST_F(SpillTest, WhatItSaysItTakesIsWhatItsLanesTakeThoughItLooksAtFewOfThem) {
    Small small(directory_);
    Session whole;
    fill_both(small, whole, 9, 200);
    std::uint64_t lanes = 0;
    for (const store::Lane* lane : small.session.lanes()) lanes += lane->memory_bytes();
    const SpillReport report = small.spill.report();
    ASSERT_GT(report.rows_on_disk, 0u);
    EXPECT_GE(report.memory_bytes, lanes);
    EXPECT_LT(report.memory_bytes, lanes + lanes / 4) << "and what it knows of the file; no page has been fetched";
}

TEST_F(SpillTest, SpansOverTheEndsOfPagesAreTheSame) {
    for (const std::uint64_t seed : {2, 3, 4}) {
        Small small(directory_, kLittle, 300);
        Session whole;
        fill_both(small, whole, seed, 120, false);
        ASSERT_GT(small.session.lanes()[0]->pages()->pages().size(), 20u);
        expect_same_spans(small.session, whole, random_);
    }
}

TEST_F(SpillTest, AnswersAreTheSameAtEveryMomentOfALiveStream) {
    Small small(directory_, 400'000, 500);
    Session whole;
    FrameApplier applier(whole);
    store::MergedIndex of_small(small.session);
    store::MergedIndex of_whole(whole);
    int frames = 0;
    make_random_stream({[&](const std::string& frame) {
                           small.take(frame);
                           applier.apply(std::string_view(frame));
                           if (++frames % 40 != 0 || whole.last_tick() == 0) return;
                           small.session.set_watermark(whole.last_tick());
                           whole.set_watermark(whole.last_tick());
                           of_small.refresh();
                           of_whole.refresh();
                           ASSERT_EQ(of_small.rows(), of_whole.rows());
                           for (int round = 0; round < 20; ++round) {
                               const std::uint64_t row = random_() % of_whole.rows();
                               ASSERT_EQ(of_small.place(row)->index, of_whole.place(row)->index);
                               ASSERT_EQ(of_small.place(row)->tick, of_whole.place(row)->tick);
                           }
                           const store::LaneSpans a = small.session.lanes()[0]->spans();
                           const store::LaneSpans b = whole.lanes()[0]->spans();
                           ASSERT_EQ(a.size(), b.size());
                           for (int round = 0; round < 20; ++round) {
                               const std::uint64_t id = random_() % b.size();
                               expect_same(a[id], b[id]);
                           }
                       }},
                       5, 150, false);
    EXPECT_GT(small.spill.report().rows_on_disk, 0u);
}

// All pages are in memory.
class NoSource final : public store::PageSource {
public:
    std::shared_ptr<const store::Run> load(ChannelId, const store::PageTable&, std::size_t) override { return nullptr; }
    std::shared_ptr<const store::Run> find(ChannelId, const store::PageTable&, std::size_t) override { return nullptr; }
    void let_go(std::shared_ptr<const store::Run>) override {}
    [[nodiscard]] std::uint64_t waits() const override { return 0; }
};

TEST_F(SpillTest, PagesSayOfThemselvesWhatTheWriterOfAFileWould) {
    const std::string path = (directory_ / "same.sla").string();
    auto writer = capture::CaptureWriter::create(path);
    ASSERT_TRUE(writer.ok());
    NoSource source;
    Session sealed;
    FrameApplier applier(sealed);
    make_random_stream({[&](const std::string& frame) {
                            ASSERT_TRUE(writer->append(frame).ok());
                            applier.apply(std::string_view(frame));
                        },
                        [&] {
                            ASSERT_TRUE(writer->flush().ok());
                            for (store::Lane* lane : sealed.lanes()) {
                                if (!lane->tail().empty()) lane->seal(source, 0);
                            }
                        }},
                       6, 60, false);
    ASSERT_TRUE(writer->finish().ok());
    Session filed;
    FileOptions options;
    options.rows_in_memory = 0;
    ASSERT_TRUE(load_file(path, filed, {}, options).ok());
    std::filesystem::remove(path);
    for (std::size_t i = 0; i < filed.lanes().size(); ++i) {
        const auto& a = sealed.lanes()[i]->pages()->pages();
        const auto& b = filed.lanes()[i]->pages()->pages();
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t page = 0; page < b.size(); ++page) {
            ASSERT_EQ(a[page].first_tick, b[page].first_tick);
            ASSERT_EQ(a[page].last_tick, b[page].last_tick);
            ASSERT_EQ(a[page].rows, b[page].rows);
            ASSERT_EQ(a[page].gaps, b[page].gaps);
            ASSERT_EQ(a[page].lost, b[page].lost);
            ASSERT_EQ(a[page].longest_pause, b[page].longest_pause);
            ASSERT_EQ(a[page].high_ticks, b[page].high_ticks);
            ASSERT_EQ(a[page].high_before, b[page].high_before);
            ASSERT_EQ(a[page].busy_ticks, b[page].busy_ticks) << page;
            ASSERT_EQ(a[page].begins, b[page].begins);
            ASSERT_EQ(a[page].deepest, b[page].deepest);
            ASSERT_EQ(a[page].kinds, b[page].kinds);
            ASSERT_EQ(a[page].level_before, b[page].level_before);
            ASSERT_EQ(a[page].level_after, b[page].level_after);
            ASSERT_EQ(a[page].values.any, b[page].values.any);
            ASSERT_EQ(a[page].values.min, b[page].values.min);
            ASSERT_EQ(a[page].values.max, b[page].values.max);
        }
        const auto coarse_a = sealed.lanes()[i]->pages()->pages_between(0, store::kNever, 5);
        const auto coarse_b = filed.lanes()[i]->pages()->pages_between(0, store::kNever, 5);
        ASSERT_EQ(coarse_a.size(), coarse_b.size());
        for (std::size_t page = 0; page < coarse_b.size(); ++page) ASSERT_EQ(coarse_a[page].rows, coarse_b[page].rows);
    }
}

// A page of thousands of rows never comes together on any of them, and all of them together are more than there is space for.
TEST_F(SpillTest, RowsOfVeryManyLanesLeaveMemoryToo) {
    constexpr std::uint32_t kLanes = 1000;
    constexpr std::uint64_t kRows = 600;
    constexpr std::uint64_t kRound = 100;  // rows of a lane
    Small small(directory_, std::uint64_t{8} << 20, 1U << 16);
    std::vector<store::Lane*> lanes;
    for (std::uint32_t i = 0; i < kLanes; ++i)
        lanes.push_back(&small.session.add_channel({ChannelId{i + 1}, {}, "lane." + std::to_string(i), "", false}));
    for (std::uint64_t row = 0; row < kRows; row += kRound) {
        for (store::Lane* lane : lanes) {
            ASSERT_TRUE(small.space_within(kTimeout));
            wire::EventBatch batch;
            batch.channel = lane->channel().id;
            batch.first_index = row;
            for (std::uint64_t i = row; i < row + kRound; ++i) batch.add(1000 * i, SLA_CODE_TICK_VALUE, i, 1);
            lane->append(batch);
            small.spill.tend(*lane);
        }
    }
    EXPECT_GT(small.spill.report().rows_on_disk, 0u);
    for (const std::uint32_t i : {0U, 499U, kLanes - 1}) {
        ASSERT_EQ(lanes[i]->size(), kRows);
        EXPECT_EQ(lanes[i]->tick(kRows - 1), 1000 * (kRows - 1));
    }
}

TEST_F(SpillTest, TextsAndDetailsComeBackToo) {
    Small small(directory_, kLittle, 100);
    Session whole;
    FrameApplier applier(whole);
    const auto both = [&](const std::string& frame) {
        small.take(frame);
        applier.apply(std::string_view(frame));
    };
    both(hello_frame());
    both(source_frame(1, "p"));
    both(channel_frame(1, "words"));
    wire::EventBatch batch;
    batch.channel = ChannelId{1};
    for (std::uint64_t tick = 1; tick <= 3000; ++tick) {
        batch.clear();
        batch.first_index = tick - 1;
        batch.add(tick, SLA_CODE_TEXT, 0, 1);
        wire::RowExtra extra;
        if (tick % 3 != 0) extra.text = std::string(tick % 2000, 'x');
        if (tick % 2 == 0) extra.detail[0] = tick;
        if (tick % 6 != 3) batch.attach(extra);
        both(batch_frame(batch));
    }
    ASSERT_GT(small.spill.report().rows_on_disk, 1000u);
    expect_same_rows(small.session, whole);
}

TEST_F(SpillTest, AFileThatMustBeReadInOrderNeedNotFitInMemory) {
    const std::string path = (directory_ / "order.sla").string();
    auto writer = capture::CaptureWriter::create(path);
    ASSERT_TRUE(writer.ok());
    int frames = 0;
    make_random_stream({[&](const std::string& frame) {
                           if (++frames == 20) return;  // rows are missing
                           ASSERT_TRUE(writer->append(frame).ok());
                       }},
                       11, 1500);
    ASSERT_TRUE(writer->finish().ok());
    Session whole;
    FileOptions no_limit;
    no_limit.memory_bytes = FileOptions::kNoLimit;
    ASSERT_TRUE(load_file(path, whole, {}, no_limit).ok());
    ASSERT_EQ(whole.lanes()[0]->pages(), nullptr);
    Session small;
    FrameApplier applier(small);
    FileOptions options;
    options.rows_in_memory = 0;
    options.memory_bytes = 9'000'000;
    auto source = FileSource::open(path, options);
    ASSERT_TRUE(source.ok());
    ASSERT_FALSE(source->is_paged());
    while (source->step(applier, std::chrono::milliseconds(20))) {
    }
    std::uint64_t in_memory = 0;
    for (const store::Lane* lane : small.lanes()) in_memory += lane->memory_bytes();
    EXPECT_LT(in_memory, options.memory_bytes);
    expect_same_rows(small, whole);
    Session copy;
    small.view().open(copy, kWalkCache);
    for (std::size_t i = 0; i < whole.lanes().size(); ++i) {
        ASSERT_EQ(copy.lanes()[i]->size(), whole.lanes()[i]->size());
        expect_same_gaps(*copy.lanes()[i], *whole.lanes()[i]);
        for (std::uint64_t row = 0; row < whole.lanes()[i]->size(); row += 97) {
            ASSERT_EQ((*copy.lanes()[i])[row].tick, (*whole.lanes()[i])[row].tick);
        }
    }
    std::filesystem::remove(path);
}

// Regular ticks are packed and compressed to almost nothing: how large a file is says nothing of its rows.
TEST_F(SpillTest, AFileThatIsFarSmallerThanItsRowsNeedNotFitInMemoryEither) {
    constexpr std::uint64_t kBatches = 40;
    const std::string path = (directory_ / "regular.sla").string();
    auto writer = capture::CaptureWriter::create(path);
    ASSERT_TRUE(writer.ok());
    const auto put = [&](const std::string& frame) { ASSERT_TRUE(writer->append(frame).ok()); };
    put_names(put, 1);
    wire::EventBatch batch;
    batch.channel = ChannelId{1};
    for (std::uint64_t i = 0; i < wire::kMaxBatchEvents; ++i) batch.add(0, SLA_CODE_TICK, 0, 1);
    std::uint64_t tick = 1000;
    for (std::uint64_t number = 0; number < kBatches; ++number) {
        for (std::uint64_t& at : batch.ticks) at = tick += 10;
        if (number != 1) put(batch_frame(batch));  // rows are missing: no index stands for it
        batch.first_index += batch.size();
    }
    ASSERT_TRUE(writer->finish().ok());
    ASSERT_LT(std::filesystem::file_size(path), 100'000u);
    Session small;
    FrameApplier applier(small);
    FileOptions options;
    options.memory_bytes = 9'000'000;
    auto source = FileSource::open(path, options);
    ASSERT_TRUE(source.ok());
    ASSERT_FALSE(source->is_paged());
    while (source->step(applier, std::chrono::milliseconds(20))) {
    }
    const store::Lane& lane = *small.lanes().at(0);
    EXPECT_EQ(lane.events(), (kBatches - 1) * wire::kMaxBatchEvents);
    EXPECT_LT(lane.memory_bytes(), options.memory_bytes);
    EXPECT_EQ(lane[lane.size() - 1].tick, tick);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace sla::ingest
