#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/file_source.h"
#include "viewer/workspace/search/search.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

namespace sla::workspace {
namespace {

// A capture of some hundred thousand rows: in memory, and in a file from which its rows are read when they are needed.
class FarSearches : public ::testing::Test {
protected:
    FarSearches() {
        ingest::write_random_capture(path_, 11, 400);
        EXPECT_TRUE(ingest::load_file(path_, whole_).ok());
        fill(paged_);
    }

    void fill(store::Session& session) const {
        ingest::FileOptions options;
        options.rows_in_memory = 0;
        EXPECT_TRUE(ingest::load_file(path_, session, {}, options).ok());
    }
    static void run(Search& search, const std::string& text, Search::Listing listing) {
        search.set(text, listing);
        do {
            search.step();
            std::this_thread::yield();
        } while (search.busy());
    }
    // Both find the same.
    void compare(const std::string& text, Search::Listing listing = {}) {
        SCOPED_TRACE(text);
        Search here(whole_);
        Search far(paged_);
        run(here, text, listing);
        run(far, text, listing);
        EXPECT_EQ(here.mode(), far.mode());
        ASSERT_EQ(here.hits().size(), far.hits().size());
        found_ = far.hits().size();
        for (std::size_t i = 0; i < found_; ++i) {
            const Hit& a = here.hits()[i];
            const Hit& b = far.hits()[i];
            ASSERT_EQ(a.tick, b.tick);
            ASSERT_EQ(a.index, b.index);
            ASSERT_EQ(a.repeats, b.repeats);
            ASSERT_EQ(a.certain, b.certain);
            ASSERT_EQ(a.details ? a.details->what : "", b.details ? b.details->what : "");
            ASSERT_EQ(a.lane == nullptr, b.lane == nullptr);
            if (a.lane == nullptr) continue;
            ASSERT_EQ(a.lane->channel().id, b.lane->channel().id);
            ASSERT_EQ(b.lane, paged_.lane(b.lane->channel().id));
        }
    }

    const support::TemporaryPath temporary_{"background_search.sla"};
    const std::filesystem::path& path_ = temporary_.path;
    store::Session whole_;
    store::Session paged_;
    std::size_t found_ = 0;  // by the last compare()
};

TEST_F(FarSearches, FindWhatASearchInMemoryFinds) {
    const std::string name = whole_.lanes()[1]->channel().name;
    for (const std::string& text : {std::string("value > 3"), std::string("kind == text or value < 0"), name,
                                    std::string("7"), std::string("/^1.*9$/"), "gap " + name + " > 1us"}) {
        compare(text);
        EXPECT_GT(found_, 0U) << text;
    }
    compare("no such words anywhere");
    EXPECT_EQ(found_, 0U);
}

TEST_F(FarSearches, ListAndCollapseEveryRow) {
    compare("", {.everything = true, .collapse = false});
    EXPECT_GT(found_, 40'000U);  // more than may wait to be taken
    compare("", {.everything = true, .collapse = true});
    EXPECT_GT(found_, 0U);
}

TEST_F(FarSearches, BeginAnewAndEndWhileTheyLook) {
    Search search(paged_);
    for (int i = 0; i < 20; ++i) {
        search.set(i % 2 == 0 ? "value > 3" : "kind == text", {.everything = true, .collapse = false});
        search.step();
        EXPECT_LE(search.progress(), 1);
    }
    run(search, "value > 3", {});
    const std::size_t found = search.hits().size();
    compare("value > 3");
    EXPECT_EQ(found, found_);
    search.set("kind == text");
    search.step();
}

}  // namespace
}  // namespace sla::workspace
