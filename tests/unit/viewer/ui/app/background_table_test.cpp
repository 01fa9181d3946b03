// The table over a capture whose rows stay in its file: what is not here yet is fetched, and nothing is forgotten meanwhile.
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "tests/unit/viewer/ui/window_fixture.h"
#include "viewer/ingest/file_source.h"

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

}  // namespace
}  // namespace sla::ui
