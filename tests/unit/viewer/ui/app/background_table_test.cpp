// The table over a capture whose rows stay in its file: what is not here yet is fetched, and nothing is forgotten meanwhile.
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "tests/unit/viewer/ui/window_fixture.h"
#include "viewer/ingest/file_source.h"
#include "viewer/ingest/frame_applier.h"
#include "viewer/ingest/spill.h"

#include <chrono>
#include <filesystem>
#include <thread>

namespace sla::ui {
namespace {

class PagedFeed final : public DataSource {
public:
    explicit PagedFeed(const std::string& path) : name_(path) {
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        EXPECT_TRUE(ingest::load_file(path, session_, {}, options).ok());
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLoaded, name_, {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override {}

private:
    std::string name_;
    store::Session session_;
};

class FarTable : public Window {
protected:
    FarTable() {
        ingest::write_random_capture(path_, 5, 400);
        open(std::make_unique<PagedFeed>(path_));
    }

    const support::TemporaryPath temporary_{"far_table.sla"};
    const std::filesystem::path& path_ = temporary_.path;
};

TEST_F(FarTable, LanesGoWhereItsBarWasPulledThoughTheRowsThereHaveToBeFetched) {
    View& view = app().view();
    const std::uint64_t length = view.extent().length();
    view.show({view.extent().first, view.extent().first + length / 1000});
    frames(3);
    const Rect& table = app().layout().table;
    move(table.right() - 4, table.y + 24 + (table.height - 24) * 0.6F);
    press(0);
    const auto is_there = [&] { return view.target().visible().first > view.extent().first + length / 4; };
    for (int tries = 0; tries < 500 && !is_there(); ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        frames(1);
    }
    EXPECT_TRUE(is_there());
    release(0);
}

TEST_F(FarTable, SaysThatItWaitsUntilTheRowsOfTheViewAreThere) {
    View& view = app().view();
    const EventTable& table = app().panels().bottom.table();
    const std::uint64_t length = view.extent().length();
    view.show({view.extent().first + length / 2, view.extent().first + length / 2 + length / 1000});
    frames(1);
    EXPECT_TRUE(table.is_waiting());
    for (int tries = 0; tries < 500 && table.is_waiting(); ++tries) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        frames(1);
    }
    EXPECT_FALSE(table.is_waiting());
    EXPECT_GT(table.first_row(), 0U);
}

// Of more pages than a look takes in nothing is fetched, and the picture stays as it is.
TEST_F(FarTable, TheFlameViewIsMadeOnceOfRowsThatStayOnDisk) {
    app().view().show(app().view().extent());
    act("flame");
    frames(3);
    const timeline::Flame& flame = app().panels().bottom.flame().flame();
    ASSERT_TRUE(flame.rough);
    ASSERT_FALSE(flame.tracks.empty());
    const auto is_made_anew = [&] {
        const timeline::FlameTrack* const before = flame.tracks.data();
        frames(1);
        return flame.tracks.data() != before;
    };
    for (int tries = 0; tries < 500 && is_made_anew(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(is_made_anew());
}

// Live rows of many lanes, of which a page each is more than the reader keeps.
class SpilledFeed final : public DataSource {
public:
    SpilledFeed(const std::string& directory, bool is_at_hand)
        : is_at_hand_(is_at_hand), spill_(session_, {kMemory, directory, kPage}) {
        applier_.on_growth([this](store::Lane& lane) { spill_.tend(lane); });
        ingest::put_names([&](const std::string& frame) { take(frame); }, kLanes);
        for (std::uint64_t first = 0; first < kPage * 3 / 2; first += kBatch) {
            for (std::uint32_t lane = 1; lane <= kLanes; ++lane) {
                wire::EventBatch batch;
                batch.channel = ChannelId{lane};
                batch.first_index = first;
                for (std::uint64_t i = 0; i < kBatch; ++i) batch.add((first + i) * 100 + lane, SLA_CODE_TICK, 0, 1);
                take(ingest::batch_frame(batch));
            }
        }
        take(ingest::watermark_frame(kPage * 1000));
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kStopped, "spilled", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override { spill_.poll(); }
    [[nodiscard]] bool are_rows_at_hand() const override { return is_at_hand_; }

private:
    void take(const std::string& frame) {
        while (spill_.is_full()) std::this_thread::sleep_for(std::chrono::microseconds(100));
        applier_.apply(std::string_view(frame));
    }

    static constexpr std::uint32_t kLanes = 32;
    static constexpr std::uint64_t kBatch = 4096;
    static constexpr std::uint64_t kPage = 1U << 16;
    static constexpr std::uint64_t kMemory = std::uint64_t{8} << 20;
    bool is_at_hand_;
    store::Session session_;
    ingest::FrameApplier applier_{session_};
    ingest::Spill spill_;
};

class SpilledTable : public Window {
protected:
    void open_spilled(bool is_at_hand) { open(std::make_unique<SpilledFeed>(::testing::TempDir(), is_at_hand)); }
    const EventTable& table() { return app().panels().bottom.table(); }
    // In a second of frames.
    bool comes_to_first_row() {
        app().view().show({0, 100'000});
        for (int i = 0; i < 60; ++i) {
            frames(1);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return table().first_row() == 0 && !table().is_waiting();
    }
};

TEST_F(SpilledTable, RowsThatAreNeverAllThereAtOnceAreWaitedFor) {
    open_spilled(true);
    ASSERT_TRUE(app().source().session().lane_named("c1")->pages() != nullptr);
    EXPECT_TRUE(comes_to_first_row());
    // Whoever goes on from there waits no more.
    const Rect& at = app().layout().table;
    move(at.x + 100, at.y + 100);
    wheel(-1);
    frames(2);
    EXPECT_EQ(table().first_row(), 3U);
    EXPECT_FALSE(table().is_waiting());
}

TEST_F(SpilledTable, WhatIsElsewhereIsNotWaitedFor) {
    open_spilled(false);
    EXPECT_FALSE(comes_to_first_row());
}

}  // namespace
}  // namespace sla::ui
