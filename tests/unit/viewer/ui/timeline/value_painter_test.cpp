// What is infinite or no number is painted as that, not as a finite value.
#include "tests/unit/viewer/ui/window_fixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sla::ui {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kFirst = 1'000'000;
constexpr std::uint64_t kStep = 1'000;

class ValuePainter : public Window {
protected:
    // One lane with a value every thousand ticks.
    void show(const std::vector<double>& values) {
        open([&](support::CaptureBuilder& capture) {
            const auto channel = capture.channel("v");
            std::uint64_t tick = kFirst;
            for (const double value : values) capture.number(channel, std::exchange(tick, tick + kStep), value);
        });
        app().view().show({kFirst, kFirst + values.size() * kStep});
        frames(20);
        pixels_ = screen_->pixels();
    }
    // Heights, from the lane's top on, that have its colour in a column of pixels.
    std::vector<int> painted_at(float x) {
        const timeline::TreeRow* row = app().document().tree.row_of(&lane("v"));
        const ImU32 colour = theme_of(app().settings().theme).lane(row->hue);
        std::vector<int> found;
        for (int y = 0; y < static_cast<int>(row->height); ++y) {
            if (colour_at(pixels_, static_cast<int>(x), static_cast<int>(lanes().y + row->y) + y) == colour)
                found.push_back(y);
        }
        return found;
    }
    // Between two values, where the first one holds.
    std::vector<int> painted_behind(std::size_t value) { return painted_at(x_of(kFirst + value * kStep + kStep / 2)); }
    [[nodiscard]] int height() { return static_cast<int>(app().document().tree.row_of(&lane("v"))->height); }

    Pixels pixels_;
};

TEST_F(ValuePainter, InfiniteValuesStandBeyondTheScaleAndNoNumberIsAHole) {
    show({0, 10, kInfinity, 5, kNoNumber, -kInfinity, 5, 10, 0});
    keep("odd-values");
    const auto least = painted_behind(0);
    const auto greatest = painted_behind(1);
    const auto above = painted_behind(2);
    const auto middle = painted_behind(3);
    const auto below = painted_behind(5);
    ASSERT_FALSE(least.empty() || greatest.empty() || above.empty() || middle.empty() || below.empty());
    EXPECT_LT(above.back(), greatest.front()) << "no finite value reaches that edge";
    EXPECT_GT(below.front(), least.back());
    EXPECT_NEAR(middle.front(), (greatest.front() + least.front()) / 2, 1);
    EXPECT_EQ(painted_behind(4), std::vector<int>()) << "no number";
    EXPECT_EQ(painted_behind(7).front(), greatest.front());
}

TEST_F(ValuePainter, AValueAloneBetweenHolesIsSeen) {
    show({kNoNumber, 3, kNoNumber, kNoNumber, 9, 9});
    EXPECT_FALSE(painted_behind(1).empty());
    EXPECT_TRUE(painted_behind(0).empty());
    EXPECT_TRUE(painted_behind(3).empty());
    std::vector<double> values(3000, kNoNumber);
    values[1500] = 7;
    show(values);
    EXPECT_FALSE(painted_at(x_of(kFirst + 1500 * kStep)).empty());
}

// From afar, where each column has several values.
TEST_F(ValuePainter, ManyInAColumnLeaveTheScaleToTheFiniteOnes) {
    std::vector<double> values;
    for (int i = 0; i < 60'000; ++i) values.push_back(i % 30 == 7 ? kNoNumber : i % 30 == 17 ? kInfinity : 100 + i % 2);
    show(values);
    keep("odd-values-dense");
    const float x = lanes().x + lanes().width / 2;
    const auto painted = painted_at(std::floor(x));
    constexpr int kEdge = 6;  // below the mark for many
    EXPECT_TRUE(std::binary_search(painted.begin(), painted.end(), kEdge)) << "some are infinite";
    EXPECT_GT(painted.back(), height() / 2 + 5) << "the scale is of 100 to 101";
}

// Their difference is no number of this kind; they stand at the ends of the scale.
TEST_F(ValuePainter, ValuesThatLieAsFarApartAsCanBeHaveAScale) {
    show({-1.7e308, 1.7e308, 0, 1.7e308});
    ASSERT_FALSE(painted_behind(0).empty() || painted_behind(1).empty() || painted_behind(2).empty());
    EXPECT_GT(painted_behind(0).front(), height() / 2 + 5);
    EXPECT_LT(painted_behind(1).front(), height() / 2 - 5);
    EXPECT_NEAR(painted_behind(2).front(), (painted_behind(0).front() + painted_behind(1).front()) / 2, 1);
}

TEST_F(ValuePainter, TheLastValueOfALaneThatIsDrawnLaterHoldsAsLongAsOneThatIsNot) {
    constexpr std::uint64_t kKnown = 8;  // steps
    constexpr std::int64_t kLater = 4;
    open([&](support::CaptureBuilder& capture) {
        const auto values = capture.channel("v");
        for (std::uint64_t i = 0; i < 4; ++i) capture.number(values, kFirst + i * kStep, static_cast<double>(i));
        capture.tick(capture.channel("w"), kFirst + kKnown * kStep);
    });
    for (const std::int64_t later : {std::int64_t{0}, kLater, -kLater}) {
        timeline::LaneStyle style = app().document().tree.style_of(lane("v"));
        style.offset_ticks = later * static_cast<std::int64_t>(kStep);
        app().document().tree.set_style(lane("v"), style);
        app().view().show({kFirst - 8 * kStep, kFirst + 16 * kStep});
        frames(20);
        pixels_ = screen_->pixels();
        const auto is_painted_at_its_end = [&](std::int64_t half_steps) {
            const auto end = static_cast<std::int64_t>(kKnown) + later;
            const auto ticks = (2 * end + half_steps) * static_cast<std::int64_t>(kStep) / 2;
            return !painted_at(x_of(kFirst + static_cast<std::uint64_t>(ticks))).empty();
        };
        EXPECT_TRUE(is_painted_at_its_end(-1)) << later;
        EXPECT_FALSE(is_painted_at_its_end(1)) << later;
    }
}

}  // namespace
}  // namespace sla::ui
