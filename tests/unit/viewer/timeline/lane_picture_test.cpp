#include "viewer/timeline/pictures/lane_picture.h"

#include "tests/support/capture_builder.h"
#include "viewer/store/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

namespace sla::timeline {
namespace {

constexpr std::uint64_t kStart = 1000;

Viewport view_of(std::uint64_t first, std::uint64_t last, double width = 400) {
    Viewport view;
    view.set_width(width);
    view.show({first, last});
    return view;
}

int column_of(const Viewport& view, std::uint64_t tick) {
    return static_cast<int>(std::floor(view.x_of(tick)));
}

// A thousand events at random ticks; every kind of view from everything to single ticks.
class Pictures : public ::testing::Test {
protected:
    store::Session session_;
    support::CaptureBuilder capture_{kStart};
    std::mt19937_64 random_{5};

    std::vector<std::uint64_t> random_ticks(std::size_t count) {
        std::vector<std::uint64_t> ticks;
        std::uint64_t tick = kStart;
        for (std::size_t i = 0; i < count; ++i) {
            tick += 1 + (random_() % 10 == 0 ? random_() % 3000 : random_() % 20);
            ticks.push_back(tick);
        }
        return ticks;
    }
    LanePicture picture(const Viewport& view) {
        LanePicture out;
        picture_lane(*session_.lanes().at(0), view, session_.last_tick(), out);
        return out;
    }
    template <typename Check>
    void for_many_views(Check check) {
        const std::uint64_t first = session_.first_tick();
        const std::uint64_t length = session_.last_tick() - first;
        for (int round = 0; round < 60; ++round) {
            const std::uint64_t size = std::max<std::uint64_t>(2, length >> (round % 14));
            const std::uint64_t at = first + random_() % length;
            check(view_of(at, at + size, 50 + static_cast<double>(random_() % 700)));
        }
    }
};

TEST_F(Pictures, EveryTickIsInTheMarkOfItsPixelColumn) {
    const auto channel = capture_.channel("t");
    const auto ticks = random_ticks(1000);
    for (const std::uint64_t tick : ticks) capture_.tick(channel, tick);
    capture_.fill(session_);
    for_many_views([&](const Viewport& view) {
        std::map<int, std::uint64_t> expected;
        for (const std::uint64_t tick : ticks) {
            const int x = column_of(view, tick);
            if (x >= 0 && x < std::ceil(view.width())) ++expected[x];
        }
        std::map<int, std::uint64_t> drawn;
        for (const TickMark& mark : picture(view).ticks) drawn[static_cast<int>(std::floor(mark.x))] += mark.count;
        EXPECT_EQ(drawn, expected);
    });
}

TEST_F(Pictures, ALevelIsRightInEveryPixelColumn) {
    const auto channel = capture_.channel("l");
    const auto ticks = random_ticks(800);
    for (const std::uint64_t tick : ticks) capture_.level(channel, tick, random_() % 2 == 0);
    capture_.fill(session_);
    const store::Lane& lane = *session_.lanes().at(0);
    for_many_views([&](const Viewport& view) {
        const LanePicture drawn = picture(view);
        for (const LevelMark& mark : drawn.levels) {
            const double middle = (mark.x0 + mark.x1) / 2.0;
            const std::uint64_t tick = view.first_tick_from(middle);
            if (view.x_of(tick) > mark.x1 || tick == 0) continue;  // narrower than a tick
            EXPECT_EQ(mark.level, lane.level_at(view.first_tick_from(middle + 1e-9) - 1)) << middle;
        }
        for (const BusyLevel& busy : drawn.busy_levels) {
            std::uint64_t high = 0;
            const std::uint64_t from = view.first_tick_from(std::floor(busy.x));
            const std::uint64_t until = view.first_tick_from(std::floor(busy.x) + 1);
            for (std::uint64_t tick = from; tick < until; ++tick) high += lane.level_at(tick) == store::Level::kHigh ? 1 : 0;
            EXPECT_NEAR(busy.high_share, static_cast<double>(high) / static_cast<double>(until - from), 1e-5);
        }
    });
}

TEST_F(Pictures, TheWaveHasNoHolesFromEdgeToNewestTick) {
    const auto channel = capture_.channel("l");
    for (const std::uint64_t tick : random_ticks(300)) capture_.level(channel, tick, random_() % 2 == 0);
    capture_.fill(session_);
    for_many_views([&](const Viewport& view) {
        const LanePicture drawn = picture(view);
        double covered = 0;
        for (const LevelMark& mark : drawn.levels) covered += static_cast<double>(mark.x1 - mark.x0);
        covered += static_cast<double>(drawn.busy_levels.size());
        const double end = std::min(view.width(), view.x_of(session_.last_tick()));
        EXPECT_NEAR(covered, end, 1.01 + 0.001 * static_cast<double>(drawn.levels.size()));
    });
}

TEST_F(Pictures, AValueColumnHasTheLeastAndGreatestOfItsValues) {
    const auto channel = capture_.channel("v");
    const auto ticks = random_ticks(1000);
    std::vector<double> values;
    for (const std::uint64_t tick : ticks) {
        values.push_back(static_cast<double>(random_() % 1000) / 7.0);
        capture_.number(channel, tick, values.back());
    }
    capture_.fill(session_);
    for_many_views([&](const Viewport& view) {
        std::map<int, std::pair<double, double>> expected;
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            const int x = column_of(view, ticks[i]);
            if (x < 0 || x >= std::ceil(view.width())) continue;
            auto [at, added] = expected.try_emplace(x, values[i], values[i]);
            at->second.first = std::min(at->second.first, values[i]);
            at->second.second = std::max(at->second.second, values[i]);
        }
        for (const ValueStep& step : picture(view).values) {
            if (step.x < 0) continue;
            const auto found = expected.find(static_cast<int>(std::floor(step.x)));
            ASSERT_NE(found, expected.end());
            EXPECT_DOUBLE_EQ(step.min, found->second.first);
            EXPECT_DOUBLE_EQ(step.max, found->second.second);
            expected.erase(found);
        }
        EXPECT_TRUE(expected.empty());
    });
}

TEST_F(Pictures, WhatWasNotKeptIsABandOfItsOwnBesideWhatWasLost) {
    const auto channel = capture_.channel("g");
    capture_.gap(channel, 2'000, 900, wire::LossCause::kNotKept, 4'000);
    capture_.gap(channel, 4'000, 7, wire::LossCause::kLagged, 5'000);
    capture_.gap(channel, 5'001, 2, wire::LossCause::kOverrun, 5'002);
    capture_.gap(channel, 6'000, 1, wire::LossCause::kNotKept, 6'001);
    capture_.gap(channel, 6'002, 1, wire::LossCause::kOverrun, 6'003);
    capture_.tick(channel, 9'000);
    capture_.fill(session_);
    Viewport view;
    view.set_width(1000);
    view.show({0, 10'000});
    const std::vector<GapBand> bands = picture(view).gaps;
    ASSERT_EQ(bands.size(), 3u);
    EXPECT_TRUE(bands[0].not_kept);
    EXPECT_NEAR(bands[0].x0, 200, 1);
    EXPECT_NEAR(bands[0].x1, 400, 1);
    EXPECT_EQ(bands[0].lost, 900u);
    EXPECT_FALSE(bands[1].not_kept);
    EXPECT_EQ(bands[1].lost, 9u);
    EXPECT_FALSE(bands[2].not_kept) << "too narrow to be told apart: a loss is never hidden";
    EXPECT_EQ(bands[2].lost, 2u);
}

TEST_F(Pictures, AllLossesInViewAreCountedOnce) {
    const auto channel = capture_.channel("g");
    const auto ticks = random_ticks(400);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        if (i % 3 == 0)
            capture_.gap(channel, ticks[i], 1 + i, wire::LossCause::kOverrun, ticks[i] + 1);
        else
            capture_.tick(channel, ticks[i]);
    }
    capture_.fill(session_);
    const store::Lane& lane = *session_.lanes().at(0);
    for_many_views([&](const Viewport& view) {
        const TickRange visible = view.visible();
        std::uint64_t least = 0;
        std::uint64_t most = 0;
        for (const store::Gap& gap : lane.gaps()) {
            const bool inside = gap.tick >= visible.first && gap.tick <= visible.last;
            const bool touches =
                gap.until_tick + 8 * static_cast<std::uint64_t>(view.ticks_per_pixel() + 1) >= visible.first &&
                view.x_of(gap.tick) <= view.width() + 8;
            least += inside ? gap.lost : 0;
            most += inside || touches ? gap.lost : 0;
        }
        std::uint64_t drawn = 0;
        for (const GapBand& band : picture(view).gaps) drawn += band.lost;
        EXPECT_GE(drawn, least);
        EXPECT_LE(drawn, most);
    });
}

TEST_F(Pictures, ALevelIsUnknownBeforeItsFirstEventAndAfterALoss) {
    const auto channel = capture_.channel("l");
    capture_.level(channel, 2000, true);
    capture_.gap(channel, 3000, 5);
    capture_.level(channel, 4000, false);
    capture_.tick(channel, 5000);
    capture_.fill(session_);
    const LanePicture drawn = picture(view_of(1000, 5000, 400));
    ASSERT_EQ(drawn.levels.size(), 4u);
    EXPECT_EQ(drawn.levels[0].level, store::Level::kUnknown);
    EXPECT_EQ(drawn.levels[1].level, store::Level::kHigh);
    EXPECT_EQ(drawn.levels[2].level, store::Level::kUnknown);
    EXPECT_EQ(drawn.levels[3].level, store::Level::kLow);
    EXPECT_NEAR(drawn.levels[1].x0, 100, 0.01);
    EXPECT_NEAR(drawn.levels[2].x0, 200, 0.01);
}

TEST_F(Pictures, TextsAreFlagsAndInstants) {
    const auto channel = capture_.channel("x");
    capture_.text(channel, 2000, "hello");
    capture_.text(channel, 2001, "world");
    capture_.fill(session_);
    const LanePicture drawn = picture(view_of(1000, 5000, 400));
    ASSERT_EQ(drawn.texts.size(), 1u);
    EXPECT_EQ(drawn.texts[0].count, 2u);
    ASSERT_EQ(drawn.ticks.size(), 1u);
    EXPECT_EQ(drawn.ticks[0].count, 2u);
}

TEST_F(Pictures, AnEmptyLaneHasAnEmptyPicture) {
    capture_.channel("nothing");
    capture_.fill(session_);
    const LanePicture drawn = picture(view_of(0, 100));
    EXPECT_TRUE(drawn.ticks.empty());
    EXPECT_TRUE(drawn.levels.empty());
    EXPECT_TRUE(drawn.gaps.empty());
}

TEST_F(Pictures, AValueThatIsNoNumberHidesNoOtherOfItsColumn) {
    const auto channel = capture_.channel("v");
    for (const double value : {std::nan(""), 5.0, 3.0}) capture_.number(channel, 2000, value);
    capture_.number(channel, 90'000, 4.0);
    capture_.fill(session_);
    const LanePicture seen = picture(view_of(0, 100'000));
    ASSERT_EQ(seen.values.size(), 2u);
    EXPECT_EQ(seen.values[0].min, 3.0);
    EXPECT_EQ(seen.values[0].max, 5.0);
    EXPECT_EQ(seen.value_max, 5.0);
}

}  // namespace
}  // namespace sla::timeline
