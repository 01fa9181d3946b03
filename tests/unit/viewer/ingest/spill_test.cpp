// A session that may take little memory answers like one that may take any amount.
#include "viewer/ingest/spill.h"

#include "tests/unit/viewer/ingest/random_capture.h"
#include "tests/unit/viewer/ingest/same_answers.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/frame_applier.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

namespace sla::ingest {
namespace {

using store::Session;

constexpr std::uint64_t kLittle = 1'000'000;
constexpr auto kPatience = std::chrono::seconds(60);

class SpillTest : public ::testing::Test {
protected:
    SpillTest() : directory_(std::filesystem::path(::testing::TempDir()) / ("spill_" + std::to_string(getpid()))) {
        std::filesystem::create_directory(directory_);
    }
    ~SpillTest() override { std::filesystem::remove_all(directory_); }

    // A viewer's loop: takes frames as long as there is room.
    struct Small {
        explicit Small(const std::filesystem::path& directory, std::uint64_t memory = kLittle,
                       std::uint64_t page_rows = 2000)
            : spill(session, {memory, directory.string(), page_rows}) {
            applier.on_growth([this](store::Lane& lane) { spill.tend(lane); });
        }
        [[nodiscard]] bool room_within(std::chrono::milliseconds patience) {
            const auto until = std::chrono::steady_clock::now() + patience;
            while (spill.is_full()) {
                if (std::chrono::steady_clock::now() > until) return false;
                std::this_thread::sleep_for(std::chrono::microseconds(100));
            }
            return true;
        }
        // Full, and the disk is why.
        [[nodiscard]] bool is_stuck() {
            while (spill.is_full()) {
                if (!spill.report().failure.empty()) return true;
                std::this_thread::sleep_for(std::chrono::microseconds(100));
            }
            return false;
        }
        void take(const std::string& frame) {
            ASSERT_TRUE(room_within(kPatience));
            applier.apply(std::string_view(frame));
            most = std::max(most, spill.report().memory_bytes);
        }

        Session session;
        FrameApplier applier{session};
        Spill spill;
        std::uint64_t most = 0;
    };

    void fill_both(Small& small, Session& whole, std::uint64_t seed, int chunks, bool finish = true) {
        FrameApplier applier(whole);
        make_random_stream({[&](const std::string& frame) {
                               small.take(frame);
                               applier.apply(std::string_view(frame));
                           }},
                           seed, chunks, finish);
    }

    std::filesystem::path directory_;
    std::mt19937_64 random_{7};
};

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
        wire::Extra extra;
        if (tick % 3 != 0) extra.text = std::string(tick % 2000, 'x');
        if (tick % 2 == 0) extra.detail[0] = tick;
        if (tick % 6 != 3) batch.extras.push_back(extra);
        both(batch_frame(batch));
    }
    ASSERT_GT(small.spill.report().rows_on_disk, 1000u);
    expect_same_rows(small.session, whole);
}

// Files of this process may be no larger; the writer is told so by an error.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) {
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        signal(SIGXFSZ, SIG_DFL);
    }

private:
    rlimit before_{};
};

TEST_F(SpillTest, AFullDiskStopsTheIntakeAndLosesNothing) {
    Small small(directory_);
    Session whole;
    FrameApplier applier(whole);
    std::vector<std::string> waiting;
    {
        const SmallDisk disk(50'000);
        make_random_stream({[&](const std::string& frame) {
                               if (!waiting.empty() || small.is_stuck()) {
                                   waiting.push_back(frame);
                               } else {
                                   small.take(frame);
                               }
                               applier.apply(std::string_view(frame));
                           }},
                           8, 300);
        ASSERT_FALSE(waiting.empty());
        EXPECT_TRUE(small.spill.is_full());
        EXPECT_NE(small.spill.report().failure.find("File too large"), std::string::npos) << small.spill.report().failure;
        EXPECT_LT(small.most, kLittle + 300'000);
    }
    for (const std::string& frame : waiting) small.take(frame);  // there is room again: it goes on by itself
    EXPECT_TRUE(small.spill.report().failure.empty());
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
    ASSERT_TRUE(load_file(path, whole).ok());
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
    std::function<void(Session&)> another;
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!(another = source->another()) && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    ASSERT_TRUE(another);
    Session copy;
    another(copy);
    for (std::size_t i = 0; i < whole.lanes().size(); ++i) {
        ASSERT_EQ(copy.lanes()[i]->size(), whole.lanes()[i]->size());
        expect_same_gaps(*copy.lanes()[i], *whole.lanes()[i]);
        for (std::uint64_t row = 0; row < whole.lanes()[i]->size(); row += 97) {
            ASSERT_EQ((*copy.lanes()[i])[row].tick, (*whole.lanes()[i])[row].tick);
        }
    }
    std::filesystem::remove(path);
}

TEST_F(SpillTest, ADirectoryThatIsNotThereIsSaid) {
    Small small(directory_ / "nowhere");
    make_random_stream({[&](const std::string& frame) {
                           if (!small.spill.is_full()) small.applier.apply(std::string_view(frame));
                       }},
                       9, 300);
    EXPECT_TRUE(small.spill.is_full());
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (small.spill.report().failure.empty() && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    EXPECT_NE(small.spill.report().failure.find("nowhere"), std::string::npos);
}

TEST_F(SpillTest, NothingIsLeftOfAProgramThatWasKilled) {
    int told[2];
    ASSERT_EQ(pipe(told), 0);
    const pid_t child = fork();
    if (child == 0) {
        Small small(directory_);
        make_random_stream({[&](const std::string& frame) { small.take(frame); }}, 10, 300);
        const bool spilled = small.spill.report().disk_bytes > 0;
        static_cast<void>(write(told[1], spilled ? "y" : "n", 1));
        pause();
    }
    char answer = 0;
    ASSERT_EQ(read(told[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_TRUE(std::filesystem::is_empty(directory_));
    close(told[0]);
    close(told[1]);
}

}  // namespace
}  // namespace sla::ingest
