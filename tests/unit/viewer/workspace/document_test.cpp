#include "viewer/workspace/document.h"

#include "tests/support/sample_capture.h"

#include <gtest/gtest.h>

#include <chrono>
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

TEST(Documents, TakeInWhatComesWhileAnExportIsWritten) {
    auto owned = std::make_unique<CountingSource>();
    const CountingSource& source = *owned;
    Document document(std::move(owned), false);
    document.job = std::make_unique<ExportJob>(document.source->session(), *analysis::select(document.source->session(), {}),
                                               formats::ExportOptions{}, "/dev/null");
    document.take_data(std::chrono::milliseconds(6), 1.0 / 60);
    EXPECT_EQ(source.polls, 1);
}

TEST(Documents, FetchOlderHistoryWhenSomebodyLooksThereAndNotBefore) {
    auto owned = std::make_unique<CountingSource>();
    CountingSource& source = *owned;
    store::Session& session = source.session();
    Document document(std::move(owned), false);
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
    Document document(std::move(before), false);
    document.view().advance(document.source->session(), 800, 1.0 / 60);
    const store::Lane& lane = *document.source->session().lane_named("a");
    document.marks.focus = &lane;
    document.marks.selection = Selection{&lane, 20, lane.tick(20)};
    document.marks.cursors.a = timeline::Cursor{lane.tick(3), false};
    document.view().lane_scroll = 7;
    document.search.set("a");
    document.rows.set_filter("kind == tick");
    document.losses_seen = 3;
    const std::unique_ptr<Document> next = document.go_on_with(std::move(after), false);
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
}

}  // namespace
}  // namespace sla::workspace
