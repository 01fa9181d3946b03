// A view is what its session was at that moment, for any thread, whatever comes later and wherever its rows go.
#include "viewer/store/session_view.h"

#include "tests/unit/viewer/ingest/same_answers.h"
#include "tests/unit/viewer/ingest/spill_fixture.h"
#include "viewer/ingest/caches.h"
#include "viewer/ingest/file_source.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

namespace sla::ingest {
namespace {

class SessionViews : public SpillTest {
protected:
    // The frames of a stream, of which the first so many make a session.
    static std::vector<std::string> stream(std::uint64_t seed, int chunks) {
        std::vector<std::string> frames;
        make_random_stream({[&](const std::string& frame) { frames.push_back(frame); }}, seed, chunks, false);
        return frames;
    }
    static void apply_first(const std::vector<std::string>& frames, std::size_t count, Session& session) {
        FrameApplier applier(session);
        for (std::size_t i = 0; i < count; ++i) applier.apply(std::string_view(frames[i]));
    }
    void expect_same_session(Session& shown, const std::vector<std::string>& frames, std::size_t count) {
        SCOPED_TRACE(testing::Message() << "after " << count << " frames");
        Session whole;
        apply_first(frames, count, whole);
        expect_same_rows(shown, whole);
        expect_same_sums(shown, whole, random_);
        expect_same_spans(shown, whole, random_);
        EXPECT_EQ(shown.sources().size(), whole.sources().size());
        EXPECT_GE(shown.watermark(), whole.watermark());  // below it is set, and it never goes back
        EXPECT_EQ(shown.origin().host, whole.origin().host);
        EXPECT_EQ(shown.clock().to_ps(whole.last_tick()), whole.clock().to_ps(whole.last_tick()));
        for (Session* one : {&shown, &whole}) one->set_watermark(whole.last_tick());  // every row is final
        expect_same_table(shown, whole, random_);
    }
};

TEST_F(SessionViews, AreWhatTheSessionWasWhenTheyWereMade) {
    const std::vector<std::string> frames = stream(21, 150);
    Small small(directory_, 400'000, 500);
    std::vector<std::pair<std::size_t, store::SessionView>> views;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        small.take(frames[i]);
        if (i % 150 == 149) views.emplace_back(i + 1, small.session.view());
    }
    ASSERT_GT(small.spill.report().rows_on_disk, small.session.events() / 2) << "a test of nothing";
    ASSERT_GE(views.size(), 3u);
    for (const auto& [count, view] : views) {
        Session shown;
        view.open(shown, kWalkCache);
        expect_same_session(shown, frames, count);
    }
    expect_same_session(small.session, frames, frames.size());
}

TEST_F(SessionViews, OpenedOneAfterTheOtherAreASessionThatGrows) {
    const std::vector<std::string> frames = stream(22, 100);
    Small small(directory_, 400'000, 500);
    Session shown;
    const store::Lane* first = nullptr;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        small.take(frames[i]);
        if (i % 60 != 59) continue;
        small.session.view().open(shown, kWalkCache);
        if (first == nullptr) first = shown.lanes()[0];
        EXPECT_EQ(shown.lanes()[0], first) << "lanes stay where they are";
        ASSERT_EQ(shown.events(), small.session.events());
        ASSERT_EQ((*first)[first->size() / 2].tick, (*small.session.lanes()[0])[first->size() / 2].tick);
        if (i % 180 == 179) expect_same_session(shown, frames, i + 1);
    }
    EXPECT_GT(small.spill.report().rows_on_disk, 0u);
}

TEST_F(SessionViews, OfFewLanesHaveThoseAlone) {
    const std::vector<std::string> frames = stream(23, 20);
    Session session;
    apply_first(frames, frames.size(), session);
    Session shown;
    session.view().open(shown, kWalkCache, {ChannelId{2}});
    ASSERT_EQ(shown.lanes().size(), 1u);
    EXPECT_EQ(shown.lanes()[0]->size(), session.lane(ChannelId{2})->size());
}

TEST_F(SessionViews, OfASessionInMemoryShareItsRowsAndOutliveIt) {
    const std::vector<std::string> frames = stream(24, 60);
    std::optional<store::SessionView> view;
    {
        Session session;
        apply_first(frames, 100, session);
        view = session.view();
        const store::Lane& lane = *session.lanes()[0];
        Session shown;
        view->open(shown, kWalkCache);
        EXPECT_EQ(shown.lanes()[0]->columns_from(0).ticks, lane.columns_from(0).ticks) << "no copy of them";
        EXPECT_EQ(session.lanes()[0]->view(), lane.view()) << "nothing has changed: it is made once";
    }
    Session shown;
    view->open(shown, kWalkCache);
    expect_same_session(shown, frames, 100);
}

TEST_F(SessionViews, OutliveASessionWhoseRowsArePartlyOnDisk) {
    const std::vector<std::string> frames = stream(27, 100);
    std::optional<store::SessionView> view;
    {
        Small small(directory_, 400'000, 500);
        for (const std::string& frame : frames) small.take(frame);
        EXPECT_GT(small.spill.report().rows_on_disk, 0u);
        view = small.session.view();
    }
    Session shown;
    view->open(shown, kWalkCache);
    expect_same_session(shown, frames, frames.size());
}

TEST_F(SessionViews, OfARecordingReadTheSameFile) {
    const std::string path = (directory_ / "recorded.sla").string();
    write_random_capture(path, 25, 60);
    Session whole;
    ASSERT_TRUE(load_file(path, whole).ok());
    FileOptions options;
    options.rows_in_memory = 0;
    Session paged;
    ASSERT_TRUE(load_file(path, paged, {}, options).ok());
    Session shown;
    paged.view().open(shown, kWalkCache);
    expect_same_rows(shown, whole);
    expect_same_spans(shown, whole, random_);
    EXPECT_EQ(shown.lanes()[0]->pages(), paged.lanes()[0]->pages()) << "what is known of pages is shared";
    EXPECT_EQ(paged.page_waits(), 0u) << "each reads by itself";
}

// Run under the thread sanitizer too.
TEST_F(SessionViews, AreReadBesideTheSessionThatGrows) {
    const std::vector<std::string> frames = stream(26, 200);
    Small small(directory_, 400'000, 500);
    std::mutex mutex;
    std::optional<store::SessionView> newest;
    std::atomic<bool> over = false;
    std::atomic<int> read = 0;
    const auto work = [&](bool anew) {
        Session kept;
        while (!over || read == 0) {
            std::optional<store::SessionView> view;
            {
                const std::lock_guard lock(mutex);
                view = newest;
            }
            if (!view) continue;
            Session own;
            Session& shown = anew ? own : kept;
            view->open(shown, kWalkCache);
            for (const store::Lane* lane : shown.lanes()) {
                std::uint64_t rows = 0;
                while (rows < lane->size()) rows += lane->columns_from(rows).rows;
                EXPECT_EQ(rows, lane->size());
                EXPECT_LE(lane->spans().unmatched_ends(), lane->size());
                EXPECT_GE(lane->lost(), lane->gaps().empty() ? 0 : lane->gaps().front().lost);
                EXPECT_LE(lane->level_over(0, lane->last_tick()).high_ticks, lane->last_tick());
            }
            ++read;
        }
    };
    std::thread one([&] { work(true); });
    std::thread other([&] { work(false); });
    for (std::size_t i = 0; i < frames.size(); ++i) {
        small.take(frames[i]);
        small.spill.poll();
        if (i % 20 != 19) continue;
        const std::lock_guard lock(mutex);
        newest = small.session.view();
    }
    over = true;
    one.join();
    other.join();
    EXPECT_GT(read, 1);
    EXPECT_GT(small.spill.report().rows_on_disk, 0u);
}

}  // namespace
}  // namespace sla::ingest
