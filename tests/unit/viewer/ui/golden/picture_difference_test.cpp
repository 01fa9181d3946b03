// What the comparison of pictures lets pass, and what it does not.
#include "tests/support/picture_difference.h"
#include "viewer/ui/app/surface.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace sla::ui {
namespace {

Pixels grey(int width, int height, std::uint8_t shade) {
    Pixels out;
    out.width = width;
    out.height = height;
    out.rgba.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4, shade);
    return out;
}

void draw_line(Pixels& pixels, int x, int from, int until, std::uint8_t shade) {
    for (int y = from; y < until; ++y) {
        auto* const at = &pixels.rgba[static_cast<std::size_t>(y * pixels.width + x) * 4];
        std::fill(at, at + 3, shade);
    }
}

TEST(PictureDifference, EqualPicturesAndAnotherShadeOfEdgesPass) {
    Pixels one = grey(640, 480, 20);
    EXPECT_TRUE(support::difference(one, one).is_tolerable());
    Pixels other = one;
    for (int x = 0; x < 640; x += 4) draw_line(other, x, 0, 480, 40);  // a quarter of all by 20 of 255
    const auto apart = support::difference(one, other);
    EXPECT_TRUE(apart.is_tolerable()) << apart.tiles_apart << " tiles, at most " << apart.largest;
    EXPECT_EQ(apart.largest, 5);
}

TEST(PictureDifference, ALineThatIsMissingOrElsewhereFails) {
    Pixels one = grey(640, 480, 20);
    draw_line(one, 100, 0, 480, 200);
    EXPECT_FALSE(support::difference(one, grey(640, 480, 20)).is_tolerable());
    Pixels moved = grey(640, 480, 20);
    draw_line(moved, 110, 0, 480, 200);
    EXPECT_FALSE(support::difference(one, moved).is_tolerable());
}

TEST(PictureDifference, OneStrongBlotchFailsAndAnotherSizeFails) {
    const Pixels one = grey(640, 480, 20);
    Pixels other = one;
    for (int x = 8; x < 16; ++x) draw_line(other, x, 8, 16, 120);  // a single tile of 4,800
    const auto apart = support::difference(one, other);
    EXPECT_EQ(apart.tiles_apart, 1u);
    EXPECT_FALSE(apart.is_tolerable());
    EXPECT_FALSE(support::difference(one, grey(640, 479, 20)).is_tolerable());
}

TEST(PictureDifference, WhereItIsStandsOutInTheMarkedPicture) {
    const Pixels one = grey(64, 64, 60);
    Pixels other = one;
    for (int x = 8; x < 16; ++x) draw_line(other, x, 8, 16, 200);
    const Pixels marked = support::marked_difference(one, other);
    EXPECT_EQ(marked.rgba[static_cast<std::size_t>(9 * 64 + 9) * 4], 0xFF);
    EXPECT_EQ(marked.rgba[0], 20);
}

TEST(PictureDifference, PicturesAreReadBackAsWrittenAndDamagedOnesAreNone) {
    const std::string path = testing::TempDir() + "sla-picture-" + std::to_string(getpid()) + ".png";
    Pixels one = grey(33, 17, 0xFF);
    draw_line(one, 5, 0, 17, 90);
    ASSERT_TRUE(write_png(one, path).ok());
    const Pixels back = support::read_png(path);
    EXPECT_EQ(back.width, 33);
    EXPECT_EQ(back.rgba, one.rgba);
    std::ofstream(path) << "no picture";
    EXPECT_EQ(support::read_png(path).width, 0);
    std::filesystem::remove(path);
    EXPECT_EQ(support::read_png(path).width, 0);
}

}  // namespace
}  // namespace sla::ui
