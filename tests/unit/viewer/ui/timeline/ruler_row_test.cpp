// The tags of the ruler find their space, and none hides another.
#include "viewer/ui/timeline/ruler_row.h"
#include "tests/unit/viewer/ui/panels_fixture.h"

#include <vector>

namespace sla::ui {
namespace {

using Piece = RulerRow::Piece;

TEST(RulerRow, ATagStandsRightOfItsLineElseLeftOfIt) {
    RulerRow row({0, 200}, 1);
    const auto alone = row.beside(100, 30, 20, 40);
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->from, 100);
    EXPECT_EQ(alone->until, 130);
    const auto left = row.beside(90, 30, 20, 40);
    ASSERT_TRUE(left);
    EXPECT_EQ(left->until, 90);
    const auto at_the_end = row.beside(195, 30, 20, 40);
    ASSERT_TRUE(at_the_end);
    EXPECT_EQ(at_the_end->until, 195);
}

TEST(RulerRow, ATagIsPushedAsideShortenedOrLeftOut) {
    RulerRow row({0, 100}, 1);
    row.take({40, 56});
    const auto pushed = row.beside(48, 20, 20, 40);
    ASSERT_TRUE(pushed);
    EXPECT_EQ(pushed->from, 57);
    const auto shortened = row.beside(78, 60, 20, 40);
    ASSERT_TRUE(shortened);
    EXPECT_EQ(shortened->from, 78);
    EXPECT_EQ(shortened->until, 100);
    EXPECT_FALSE(row.beside(50, 60, 45, 40));
    EXPECT_FALSE(row.beside(50, 20, 20, 5));  // there would be space, too far away
}

TEST(RulerRow, NoTwoTagsOverlapWhateverIsAskedFor) {
    RulerRow row({0, 1000}, 1);
    std::vector<Piece> all{{300, 316}, {310 + 7, 333}};
    for (const Piece& piece : all) row.take(piece);
    for (int i = 0; i < 400; ++i) {
        const auto at = static_cast<float>((i * 337) % 1000);
        const auto width = static_cast<float>(10 + (i * 7) % 60);
        if (const auto piece = row.beside(at, width, std::min(width, 20.0F), 40)) all.push_back(*piece);
    }
    if (const auto piece = row.within({0, 1000}, 12)) all.push_back(*piece);
    EXPECT_GT(all.size(), 20u);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_GE(all[i].from, 0);
        EXPECT_LE(all[i].until, 1000);
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_TRUE(all[i].until < all[j].from || all[j].until < all[i].from) << i << ", " << j;
        }
    }
}

TEST(RulerRow, ADeltaStandsInTheMiddleElseInTheWidestGap) {
    RulerRow row({0, 400}, 1);
    const auto middle = row.within({100, 300}, 40);
    ASSERT_TRUE(middle);
    EXPECT_EQ(middle->from, 180);
    const auto gap = row.within({100, 350}, 60);
    ASSERT_TRUE(gap);
    EXPECT_GT(gap->from, 220);
    EXPECT_LE(gap->until, 350);
    EXPECT_FALSE(row.within({100, 110}, 40));
}

TEST_F(Panels, TagsOfTheRulerDoNotHideTheCursors) {
    for (const float scale : {1.0F, 2.0F}) {
        open(support::add_few, ThemeName::kDark, static_cast<int>(1280 * scale), static_cast<int>(720 * scale), scale);
        Marks& marks = app().document().marks;
        const auto tick_at = [&](double x) { return port().tick_at(x * static_cast<double>(scale)); };
        marks.cursors.a = timeline::Cursor{tick_at(300), false};
        marks.cursors.b = timeline::Cursor{tick_at(520), false};
        marks.annotations.zero = tick_at(296);
        for (const double x : {290, 298, 305, 400, 410, 418, 424, 515, 524}) {
            marks.annotations.markers.push_back({marks.annotations.free_name("marker "), tick_at(x)});
        }
        marks.annotations.ranges.push_back({"R1", tick_at(302), tick_at(700)});
        marks.annotations.ranges.push_back({"R2", tick_at(740), tick_at(780)});
        marks.annotations.bookmarks[3] = {{tick_at(600), tick_at(640)}, "a note"};
        frames(2);
        keep(scale > 1 ? "ruler-tags-2x" : "ruler-tags");
        const Rect& ruler = app().layout().ruler;
        const auto corners_shown = [&](std::uint64_t tick, ImU32 colour) {
            const auto x = static_cast<int>(x_of(tick));
            const auto y = static_cast<int>(ruler.bottom() - 3 * scale);
            const int away = static_cast<int>(6 * scale);
            return colour_at(screen_->pixels(), x - away, y) == colour &&
                   colour_at(screen_->pixels(), x + away, y) == colour;
        };
        EXPECT_TRUE(corners_shown(marks.cursors.a->tick, theme_of(ThemeName::kDark).cursor_a));
        EXPECT_TRUE(corners_shown(marks.cursors.b->tick, theme_of(ThemeName::kDark).cursor_b));
        EXPECT_TRUE(has_colour(screen_->pixels(), ruler, theme_of(ThemeName::kDark).trigger));
    }
}

}  // namespace
}  // namespace sla::ui
