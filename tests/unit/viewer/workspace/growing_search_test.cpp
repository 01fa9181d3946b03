// A search over a session that grows while its older rows go to disk finds what one finds that has all of them in memory.
#include "tests/unit/viewer/ingest/spill_fixture.h"
#include "viewer/workspace/search/search.h"

#include <chrono>
#include <string>
#include <thread>

namespace sla::workspace {
namespace {

class GrowingSearches : public ingest::SpillTest {
protected:
    // Typed when `typed_at` frames have come, and stepped after every one.
    void search_while_it_grows(const std::string& text, int typed_at, Search::Listing listing = {}) {
        SCOPED_TRACE(text);
        Small small(directory_, 400'000, 500);
        store::Session whole;
        ingest::FrameApplier applier(whole);
        Search far(small.session, SearchOver::kEvents);
        int frames = 0;
        const auto take = [&](const std::string& frame) {
            small.take(frame);
            applier.apply(std::string_view(frame));
            if (++frames == typed_at) far.set(text, listing);
            far.step();
        };
        ingest::make_random_stream({take}, 5, 150);
        ASSERT_GT(frames, typed_at);
        ASSERT_GT(small.spill.report().rows_on_disk, 0u);
        run(far);
        Search here(whole, SearchOver::kEvents);
        here.set(text, listing);
        run(here);
        expect_same(far, here, small.session);
    }
    static void run(Search& search) {
        const auto deadline = std::chrono::steady_clock::now() + ingest::kTimeout;
        do {
            search.step();
            std::this_thread::yield();
        } while ((search.busy() || !search.is_abreast()) && std::chrono::steady_clock::now() < deadline);
        ASSERT_FALSE(search.busy());
        ASSERT_TRUE(search.is_abreast() || search.full());
    }
    static void expect_same(const Search& far, const Search& here, const store::Session& session) {
        ASSERT_EQ(far.hits().size(), here.hits().size());
        ASSERT_GT(far.hits().size(), 100u) << "a test of nothing";
        for (std::size_t i = 0; i < far.hits().size(); ++i) {
            const Hit& a = far.hits()[i];
            const Hit& b = here.hits()[i];
            ASSERT_EQ(a.tick, b.tick) << i;
            ASSERT_EQ(a.index, b.index) << i;
            ASSERT_EQ(a.lane->channel().id, b.lane->channel().id) << i;
            ASSERT_EQ(a.lane, session.lane(a.lane->channel().id)) << "the lanes of the session that grows";
        }
    }
};

TEST_F(GrowingSearches, FindWhatHasGoneToDiskAndWhatCameMeanwhile) {
    search_while_it_grows("value > 0", 400);
}

TEST_F(GrowingSearches, ThatBeginEarlyGoOnAsRowsLeaveMemory) {
    search_while_it_grows("value > 0", 3);
}

TEST_F(GrowingSearches, OfRowsThatAreCollapsedAreOneWalk) {
    search_while_it_grows("", 400, {.everything = true, .collapse = true});
}

TEST_F(GrowingSearches, EndedByAnotherTextBeginAnew) {
    Small small(directory_, 400'000, 500);
    Search far(small.session, SearchOver::kEvents);
    int frames = 0;
    ingest::make_random_stream({[&](const std::string& frame) {
                                   small.take(frame);
                                   if (++frames % 100 == 0) far.set("value > " + std::to_string(frames));
                                   far.step();
                               }},
                               5, 150);
    far.set("value > 1000000000000");
    run(far);
    far.set("kind == value");
    run(far);
    ASSERT_FALSE(far.hits().empty());
    for (const Hit& hit : far.hits()) ASSERT_EQ((*hit.lane)[hit.index].kind(), wire::Kind::kValue);
}

}  // namespace
}  // namespace sla::workspace
