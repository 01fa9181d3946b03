// What OpenGL has drawn, put the right way up.
#include "viewer/ui/app/pixels.h"

#include <gtest/gtest.h>

namespace sla::ui {
namespace {

TEST(Pixels, TurnsRowsUpsideDownAndLeavesNothingTransparent) {
    const Pixels turned = upright({1, 3, {1, 1, 1, 0, 2, 2, 2, 9, 3, 3, 3, 255}});
    EXPECT_EQ(turned.width, 1);
    EXPECT_EQ(turned.height, 3);
    EXPECT_EQ(turned.rgba, (std::vector<std::uint8_t>{3, 3, 3, 255, 2, 2, 2, 255, 1, 1, 1, 255}));
}

TEST(Pixels, KeepsTheOrderWithinARow) {
    EXPECT_EQ(upright({2, 2, {1, 0, 0, 255, 2, 0, 0, 255, 3, 0, 0, 255, 4, 0, 0, 255}}).rgba,
              (std::vector<std::uint8_t>{3, 0, 0, 255, 4, 0, 0, 255, 1, 0, 0, 255, 2, 0, 0, 255}));
}

TEST(Pixels, HasNothingToTurnInAWindowOfNoSize) {
    EXPECT_TRUE(upright({}).rgba.empty());
}

}  // namespace
}  // namespace sla::ui
