#include "viewer/workspace/document.h"

#include "proto/base/whole_file.h"
#include "tests/support/sample_capture.h"
#include "tests/support/temporary_path.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace sla::workspace {
namespace {

// Counts how often it may take in what came.
class CountingSource final : public DataSource {
public:
    CountingSource() {
        support::CaptureBuilder capture(1'000'000, 2.7e9);
        support::add_mixed(capture, 20, 5000);
        capture.fill(session_);
    }
    explicit CountingSource(const support::CaptureBuilder& capture) { capture.fill(session_); }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLive, "agent", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override { ++polls; }
    void fetch_back_to(std::uint64_t tick) override { wanted.push_back(tick); }

    int polls = 0;
    std::vector<std::uint64_t> wanted;  // of what is older

private:
    store::Session session_;
};

// A capture that is kept under that path.
class KeptSource final : public DataSource {
public:
    explicit KeptSource(std::string path) : path_(std::move(path)) {
        support::CaptureBuilder capture(1'000'000, 2.7e9);
        support::add_few(capture);
        capture.fill(session_);
    }
    store::Session& session() override { return session_; }
    [[nodiscard]] SourceStatus status() const override { return {SourceState::kLoaded, "run.sla", {}, 1, 0}; }
    void poll(std::chrono::milliseconds) override {}
    [[nodiscard]] std::string target() const override { return path_; }

private:
    std::string path_;
    store::Session session_;
};

TEST(Documents, DestroyNoArrangementThatTheyCouldNotRead) {
    const support::TemporaryPath folder("kept_views");
    std::filesystem::create_directories(folder.path);
    for (const char* text : {R"({"version": 99, "of": "later"})", "{ not JSON"}) {
        SCOPED_TRACE(text);
        const std::string path = (folder.path / "run.sla.view.json").string();
        std::ofstream(path) << text;
        Document document(std::make_unique<KeptSource>((folder.path / "run.sla").string()));
        const Result<void> restored = document.restore();
        ASSERT_FALSE(restored.ok());
        EXPECT_NE(restored.error().message.find(path + ".old"), std::string::npos) << restored.error().message;
        ASSERT_TRUE(document.keep().ok());
        EXPECT_EQ(*read_whole_file(path), text) << "nothing was arranged yet";
        document.marks.annotations.markers.push_back({"M1", 1'234'567});
        ASSERT_TRUE(document.keep().ok());
        EXPECT_EQ(*read_whole_file(path + ".old"), text);
        document.marks.annotations.markers.push_back({"M2", 2'345'678});
        ASSERT_TRUE(document.keep().ok());
        EXPECT_EQ(*read_whole_file(path + ".old"), text) << "once";
        EXPECT_NE(read_whole_file(path)->find("M2"), std::string::npos);
        std::filesystem::remove(path);
    }
}

// A mounted archive, another user's folder; what came with the capture counts until something was arranged.
TEST(Documents, OfAFolderThatTakesNoFilesAreKeptAmongTheSettings) {
    const support::TemporaryPath settings("kept_elsewhere");
    const char* const before = std::getenv("XDG_CONFIG_HOME");
    const std::string config = before == nullptr ? "" : before;
    setenv("XDG_CONFIG_HOME", settings.path.c_str(), 1);
    const std::string capture = (settings.path / "not" / "there" / "run.sla").string();
    {
        Document document(std::make_unique<KeptSource>(capture));
        EXPECT_TRUE(document.view_path().starts_with((settings.path / "sla" / "views").string())) << document.view_path();
        ASSERT_TRUE(document.restore().ok());
        document.marks.annotations.markers.push_back({"M1", 1'234'567});
        ASSERT_TRUE(document.keep().ok());
    }
    Document document(std::make_unique<KeptSource>(capture));
    ASSERT_TRUE(document.restore().ok());
    EXPECT_EQ(document.marks.annotations.markers.size(), 1u);
    Document other(std::make_unique<KeptSource>((settings.path / "nor" / "there" / "run.sla").string()));
    ASSERT_TRUE(other.restore().ok());
    EXPECT_TRUE(other.marks.annotations.markers.empty()) << "of another folder";
    before == nullptr ? unsetenv("XDG_CONFIG_HOME") : setenv("XDG_CONFIG_HOME", config.c_str(), 1);
}

TEST(Documents, OfLongPathsAndPathsThatLookAlikeHaveFilesOfTheirOwn) {
    const auto name_of = [](const std::string& target) {
        return std::filesystem::path(Document(std::make_unique<KeptSource>(target)).view_path()).filename().string();
    };
    EXPECT_NE(name_of("/no/such/a_b/c.sla"), name_of("/no/such/a/b_c.sla"));
    const std::string deep = "/no/such/" + std::string(300, 'd');
    EXPECT_NE(name_of(deep + "/a.sla"), name_of(deep + "/b.sla"));
    EXPECT_LE(name_of(deep + "/a.sla").size(), 200u);
    EXPECT_NE(name_of(deep + "/a.sla").find("a.sla"), std::string::npos) << "people find it";
    EXPECT_NE(name_of("unix:/run/a/b.sock"), name_of("unix:/run/a_b.sock"));
    EXPECT_LE(name_of("fleet:nats://h/prod/" + std::string(400, 'h')).size(), 220u);
}

TEST(Documents, OfAFleetAreKeptUnderItsAddressWithoutThePassword) {
    const Document document(std::make_unique<KeptSource>("fleet:nats://me:secret@h/prod"));
    const Document same(std::make_unique<KeptSource>("fleet:nats://me:other@h/prod"));
    EXPECT_EQ(document.view_path().find("secret"), std::string::npos) << document.view_path();
    EXPECT_EQ(document.view_path(), same.view_path());
}

TEST(Documents, DoNotUndoWhatAnEarlierLookHasLeft) {
    const support::TemporaryPath folder("undone_views");
    std::filesystem::create_directories(folder.path);
    const std::string capture = (folder.path / "run.sla").string();
    {
        Document document(std::make_unique<KeptSource>(capture));
        ASSERT_TRUE(document.restore().ok());
        document.marks.annotations.markers.push_back({"M1", 1'234'567});
        ASSERT_TRUE(document.keep().ok());
    }
    Document document(std::make_unique<KeptSource>(capture));
    document.observe(1.0 / 60, false);  // frames in which the capture is read
    document.observe(1.0 / 60, false);
    ASSERT_TRUE(document.restore().ok());
    document.observe(1.0 / 60, false);
    document.observe(1.0 / 60, false);
    ASSERT_EQ(document.marks.annotations.markers.size(), 1u);
    EXPECT_FALSE(document.history.can_undo()) << document.history.undo_words();
    document.marks.annotations.markers.clear();
    document.observe(1.0 / 60, false);
    EXPECT_EQ(document.history.undo_words(), "delete a marker");
}

TEST(Documents, TakeInWhatComesWhileAnExportIsWritten) {
    auto owned = std::make_unique<CountingSource>();
    const CountingSource& source = *owned;
    Document document(std::move(owned));
    document.job = std::make_unique<ExportJob>(document.source->session(), *analysis::select(document.source->session(), {}),
                                               formats::ExportOptions{}, "/dev/null");
    document.take_data(std::chrono::milliseconds(6), 1.0 / 60);
    EXPECT_EQ(source.polls, 1);
}

TEST(Documents, FetchOlderHistoryWhenSomebodyLooksThereAndNotBefore) {
    auto owned = std::make_unique<CountingSource>();
    CountingSource& source = *owned;
    store::Session& session = source.session();
    Document document(std::move(owned));
    const auto look = [&] {
        document.take_data(std::chrono::milliseconds(6), 1.0 / 60);
        document.view().advance(session, 800, 1.0 / 60);
        document.take_data(std::chrono::milliseconds(6), 1.0 / 60);
    };
    look();
    EXPECT_TRUE(source.wanted.empty()) << "all was asked for";
    const std::uint64_t first = session.first_tick();
    session.set_history({first / 2, first, 0});
    document.view().show({first + 1000, session.last_tick()});
    source.wanted.clear();
    look();
    EXPECT_TRUE(source.wanted.empty());
    document.view().go_to(first);
    look();
    ASSERT_FALSE(source.wanted.empty());
    EXPECT_LT(source.wanted.back(), first);
    source.wanted.clear();
    document.view().advance(session, 800, 1.0 / 60);
    document.view().fit();
    look();
    ASSERT_FALSE(source.wanted.empty());
    EXPECT_LE(source.wanted.back(), first / 2) << "all that there is was to be seen";
}

TEST(Documents, GoOnWithTheSourceThatHasOlderRowsToo) {
    support::CaptureBuilder late(1'000'000, 2.7e9);
    const auto a = late.channel("a");
    for (std::uint64_t i = 50; i < 100; ++i) late.tick(a, 2'000'000 + i * 1000);
    support::CaptureBuilder whole(1'000'000, 2.7e9);
    ASSERT_EQ(whole.channel("a"), a);
    for (std::uint64_t i = 0; i < 100; ++i) whole.tick(a, 2'000'000 + i * 1000);
    auto before = std::make_unique<CountingSource>(late);
    auto after = std::make_unique<CountingSource>(whole);
    Document document(std::move(before));
    document.view().advance(document.source->session(), 800, 1.0 / 60);
    const store::Lane& lane = *document.source->session().lane_named("a");
    document.marks.focus = &lane;
    document.marks.selection = Selection{&lane, 20, lane.tick(20)};
    document.marks.cursors.a = timeline::Cursor{lane.tick(3), false};
    document.view().lane_scroll = 7;
    document.search.set("a");
    document.rows.set_filter("kind == tick");
    document.losses_seen = 3;
    document.uncounted_seen = 2;
    const std::unique_ptr<Document> next = document.go_on_with(std::move(after));
    const store::Lane& twin = *next->source->session().lane_named("a");
    EXPECT_EQ(next->marks.focus, &twin);
    ASSERT_TRUE(next->marks.selection);
    EXPECT_EQ(next->marks.selection->lane, &twin);
    EXPECT_EQ(next->marks.selection->index, 70u) << "the same event, of which there are more before";
    EXPECT_EQ(next->marks.cursors.a->tick, twin.tick(53));
    EXPECT_EQ(next->view().lane_scroll, 7.0F);
    EXPECT_EQ(next->search.text(), "a");
    EXPECT_EQ(next->rows.filter(), "kind == tick");
    EXPECT_EQ(next->losses_seen, 3u);
    EXPECT_EQ(next->uncounted_seen, 2u);
}

}  // namespace
}  // namespace sla::workspace
