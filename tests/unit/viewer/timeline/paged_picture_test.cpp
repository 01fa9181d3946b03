// Pictures of rows that stay in a file: exact when they are here, honest while they are not.
#include "tests/support/temporary_path.h"
#include "tests/unit/viewer/ingest/random_capture.h"
#include "viewer/ingest/caches.h"
#include "viewer/ingest/file_source.h"
#include "viewer/timeline/pictures/lane_picture.h"
#include "viewer/timeline/pictures/rate_strip.h"
#include "viewer/timeline/pictures/refiner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <thread>

namespace sla::timeline {
namespace {

class PagedPictures : public ::testing::Test {
protected:
    PagedPictures() {
        ingest::write_random_capture(path_, 11, 60);
        options_.rows_in_memory = 0;
        options_.cache_bytes = 200'000;
        EXPECT_TRUE(ingest::load_file(path_, whole_).ok());
        EXPECT_TRUE(ingest::load_file(path_, paged_, {}, options_).ok());
    }

    Viewport random_view(int zoom) {
        const std::uint64_t length = std::max<std::uint64_t>(whole_.last_tick() >> (zoom % 12), 3);
        const std::uint64_t first = random_() % whole_.last_tick();
        Viewport view;
        view.set_width(40 + static_cast<double>(random_() % 500));
        view.show({zoom == 0 ? 0 : first, (zoom == 0 ? 0 : first) + length});
        return view;
    }
    template <typename Check>
    void for_lanes_and_views(Check check) {
        for (int zoom = 0; zoom < 60; ++zoom) {
            const Viewport view = random_view(zoom);
            for (std::size_t i = 0; i < ingest::kRandomChannels; ++i) check(*whole_.lanes()[i], *paged_.lanes()[i], view);
            if (HasFatalFailure()) return;
        }
    }
    [[nodiscard]] std::uint64_t now() const { return whole_.last_tick(); }

    const support::TemporaryPath temporary_{"paged_picture.sla"};
    const std::filesystem::path& path_ = temporary_.path;
    ingest::FileOptions options_;
    store::Session whole_;
    store::Session paged_;
    std::mt19937_64 random_{3};
};

template <typename Mark>
std::vector<std::pair<int, std::uint64_t>> counts(const std::vector<Mark>& marks) {
    std::vector<std::pair<int, std::uint64_t>> out;
    for (const Mark& mark : marks) out.emplace_back(static_cast<int>(std::floor(mark.x)), mark.count);
    return out;
}

void expect_same(const LanePicture& a, const LanePicture& b) {
    ASSERT_EQ(counts(a.ticks), counts(b.ticks));
    ASSERT_EQ(counts(a.busy_levels), counts(b.busy_levels));
    ASSERT_EQ(counts(a.slivers), counts(b.slivers));
    ASSERT_EQ(counts(a.texts), counts(b.texts));
    for (std::size_t i = 0; i < a.busy_levels.size(); ++i) {
        ASSERT_NEAR(a.busy_levels[i].high_share, b.busy_levels[i].high_share, 1e-4);
    }
    ASSERT_EQ(a.bars.size(), b.bars.size());
    ASSERT_EQ(a.value_min, b.value_min);
    ASSERT_EQ(a.value_max, b.value_max);
    ASSERT_EQ(a.gaps.size(), b.gaps.size());
    for (std::size_t i = 0; i < a.gaps.size(); ++i) ASSERT_EQ(a.gaps[i].lost, b.gaps[i].lost);
}

TEST_F(PagedPictures, AreExactlyThoseOfRowsInMemoryAtEveryZoom) {
    for_lanes_and_views([&](const store::Lane& whole, const store::Lane& paged, const Viewport& view) {
        LanePicture of_whole;
        LanePicture of_paged;
        picture_lane_exactly(whole, view, now(), of_whole);
        picture_lane_exactly(paged, view, now(), of_paged);
        expect_same(of_paged, of_whole);
        ASSERT_EQ(of_paged.levels.size(), of_whole.levels.size());
        ASSERT_EQ(of_paged.values.size(), of_whole.values.size());
    });
}

TEST_F(PagedPictures, PutTogetherOfStripsAreTheWhole) {
    for_lanes_and_views([&](const store::Lane& lane, const store::Lane&, const Viewport& view) {
        LanePicture whole;
        picture_lane_exactly(lane, view, now(), whole);
        LanePicture joined;
        LanePicture part;
        for (int begin = 0; begin < static_cast<int>(std::ceil(view.width())); begin += 32) {
            picture_lane_exactly(lane, view.strip(begin, std::min(32.0, view.width() - begin)), now(), part);
            append_strip(part, static_cast<float>(begin), joined);
        }
        fit_value_scale(joined);
        picture_losses(lane, view, joined);
        expect_same(joined, whole);
    });
}

// Columns of the view that hold events of the lane, by hand.
std::set<int> occupied(const store::Lane& lane, const Viewport& view) {
    std::set<int> out;
    for (std::uint64_t i = 0; i < lane.size(); ++i) {
        const double x = std::floor(view.x_of(lane.tick(i)));
        if (x >= 0 && x < view.width() && lane[i].kind() != wire::Kind::kGap) out.insert(static_cast<int>(x));
    }
    return out;
}

TEST_F(PagedPictures, WhileRoughHideNoEventAndLoseNoLoss) {
    int rough_ones = 0;
    for_lanes_and_views([&](const store::Lane& whole, const store::Lane& paged, const Viewport& view) {
        LanePicture rough;
        picture_lane(paged, view, now(), rough);
        if (!rough.rough) return;
        ++rough_ones;
        std::set<int> marked;
        for (const BusyLevel& mark : rough.busy_levels) marked.insert(static_cast<int>(mark.x));
        for (const int x : occupied(whole, view)) ASSERT_TRUE(marked.contains(x)) << x;
        LanePicture exact;
        picture_lane_exactly(whole, view, now(), exact);
        ASSERT_EQ(rough.gaps.size(), exact.gaps.size());
        for (std::size_t i = 0; i < exact.gaps.size(); ++i) ASSERT_EQ(rough.gaps[i].lost, exact.gaps[i].lost);
    });
    EXPECT_GT(rough_ones, 10);
}

TEST_F(PagedPictures, RatesCountNoLossRowsWhileTheyAreRough) {
    Viewport view;
    view.set_width(400);
    view.show({0, now()}, 0.01);
    const store::Lane& lane = *paged_.lanes()[0];
    ASSERT_GT(lane.gaps().size(), 100u) << "a test of nothing";
    RateStrip strip;
    rate_strip(lane, view, view.visible().last + 1'000'000, 1e9, 1, strip);  // each step is over
    ASSERT_TRUE(strip.rough);
    double events = 0;
    for (std::size_t i = 0; i < strip.rates.size(); ++i) {
        const double x = static_cast<double>(i) * strip.step;
        events +=
            strip.rates[i] * 1e-9 * static_cast<double>(view.first_tick_from(x + strip.step) - view.first_tick_from(x));
    }
    EXPECT_NEAR(events, static_cast<double>(lane.events()), 20);
}

TEST_F(PagedPictures, OfAFrameWaitForNoPage) {
    options_.cache_bytes = 4'000'000;
    auto source = ingest::FileSource::open(path_, options_);
    ASSERT_TRUE(source.ok());
    store::Session session;
    ingest::FrameApplier applier(session);
    while (source->step(applier, std::chrono::milliseconds(50))) {
    }
    int exact = 0;
    for (int zoom = 0; zoom < 120; ++zoom) {
        const Viewport view = random_view(zoom);
        for (int frame = 0; frame < 3; ++frame) {
            for (const store::Lane* lane : session.lanes()) {
                LanePicture picture;
                picture_lane(*lane, view, now(), picture);
                exact += picture.rough ? 0 : 1;
            }
            source->poll();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the pages that were asked for come, or not
        }
    }
    EXPECT_GT(exact, 100);
    EXPECT_EQ(session.page_waits(), 0U);
}

TEST_F(PagedPictures, BecomeExactWhenTheViewRests) {
    store::Session paged;
    ASSERT_TRUE(ingest::load_file(path_, paged, {}, options_).ok());
    Refiner refiner([view = paged.view()](store::Session& session) { view.open(session, ingest::kPictureCache); });
    Viewport view;
    view.set_width(300);
    view.show({0, now()});
    const std::vector<Refiner::Wanted> lanes{{ChannelId{1}, 0}, {ChannelId{2}, 1234}};  // the second is drawn later
    const auto timeout = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (refiner.progress() < 1 || refiner.picture(ChannelId{1}) == nullptr) {
        refiner.want(view, now(), lanes);
        ASSERT_LT(std::chrono::steady_clock::now(), timeout);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    for (std::size_t i = 0; i < 2; ++i) {
        LanePicture exact;
        picture_lane_exactly(*whole_.lanes()[i], view.shifted(-lanes[i].later), now(), exact);
        expect_same(*refiner.picture(lanes[i].id), exact);
    }
    view.pan(5);
    refiner.want(view, now(), lanes);
    EXPECT_EQ(refiner.picture(ChannelId{1}), nullptr) << "what was made is of another view";
}

}  // namespace
}  // namespace sla::timeline
