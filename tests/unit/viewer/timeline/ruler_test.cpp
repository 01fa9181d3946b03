#include "viewer/timeline/ruler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace sla::timeline {
namespace {

constexpr double kCharacter = 7;

TEST(Ruler, StepsAreOneTwoOrFiveTimesAPowerOfTen) {
    EXPECT_EQ(nice_step(0.3), 1);
    EXPECT_EQ(nice_step(1.5), 2);
    EXPECT_EQ(nice_step(30), 50);
    EXPECT_EQ(nice_step(51'000), 100'000);
    EXPECT_EQ(nice_step(1e30), 1'000'000'000'000'000'000 / 10);
}

TEST(Ruler, LabelsNeverTouchAtAnyZoomAndPlace) {
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{12'300'000'000}, std::int64_t{86'400'123'456'789'000}}) {
        for (double ps_per_pixel = 2; ps_per_pixel < 1e13; ps_per_pixel *= 1.7) {
            const Ruler ruler = make_ruler({first, ps_per_pixel, 1500}, kCharacter);
            double end = -1e9;
            int labels = 0;
            for (const RulerMark& mark : ruler.marks) {
                if (!mark.major || mark.base) continue;
                std::size_t characters = 0;
                for (const char c : mark.label) characters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
                const double half = static_cast<double>(characters) * kCharacter / 2;
                EXPECT_GE(mark.x - half, end) << mark.label << " at " << ps_per_pixel << " ps a pixel from " << first;
                end = mark.x + half;
                ++labels;
            }
            EXPECT_GE(labels, 2) << ps_per_pixel << " from " << first;
        }
    }
}

// A clock's times end at 106 days: 9.2e18 ps. Of an axis that is longer the marks end there.
TEST(Ruler, EndsWhereTimesDo) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    for (const RulerScale& scale :
         {RulerScale{0, 1.1e18, 1000}, RulerScale{kLast - 1'000'000, 1e3, 1500}, RulerScale{kLast, 1e15, 1000},
          RulerScale{-kLast - 1, 1e15, 1000}, RulerScale{-kLast, 1e17, 1000}}) {
        const Ruler ruler = make_ruler(scale, kCharacter);
        EXPECT_LE(ruler.marks.size(), 10'000u);
        for (const RulerMark& mark : ruler.marks) EXPECT_LE(mark.x, scale.width) << scale.first_ps;
    }
}

TEST(Ruler, MarksStandWhereTheirTimeIs) {
    const Ruler ruler = make_ruler({12'300'000'000, 1e5, 1000}, kCharacter);
    ASSERT_FALSE(ruler.marks.empty());
    double before = -1e9;
    for (const RulerMark& mark : ruler.marks) {
        EXPECT_GT(mark.x, before);
        before = mark.x;
        const double ps = 12'300'000'000.0 + mark.x * 1e5;
        if (mark.major) {
            EXPECT_NEAR(std::remainder(ps, static_cast<double>(ruler.step_ps)), 0.0, 1.0);
        }
    }
    EXPECT_EQ(ruler.base, "");
}

TEST(Ruler, CountsFromARoundTimeWhenFullTimesWouldBeLong) {
    const std::int64_t first = 100'012'345'678'901;  // 100 s and then some
    const Ruler ruler = make_ruler({first, 100, 1500}, kCharacter);
    EXPECT_FALSE(ruler.base.empty());
    for (const RulerMark& mark : ruler.marks) {
        if (mark.major && !mark.base) {
            EXPECT_EQ(mark.label.front(), '+') << mark.label;
        }
    }
}

TEST(Ruler, GoesOnLeftOfTheBeginning) {
    const Ruler ruler = make_ruler({-5'000'000, 1e4, 1000}, kCharacter);
    EXPECT_FALSE(ruler.marks.empty());
    EXPECT_NE(ruler.marks.front().label.find("\xE2\x88\x92"), std::string::npos);
}

}  // namespace
}  // namespace sla::timeline
