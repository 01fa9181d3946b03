#include "emu/bus/memory.h"

#include <gmock/gmock.h>

#include <numeric>

namespace sla::bus {
namespace {

using testing::HasSubstr;

constexpr std::size_t kRam = std::size_t{2} << 20;

std::vector<std::uint8_t> image_of(std::size_t bytes) {
    std::vector<std::uint8_t> image(bytes);
    std::iota(image.begin(), image.end(), std::uint8_t{1});
    return image;
}

TEST(Memory, PutsTheImageBelowOneMegabyteAndBelowFourGigabytes) {
    Memory memory(kRam);
    const auto image = image_of(8192);
    ASSERT_TRUE(memory.load_rom(image).ok());
    EXPECT_EQ(memory.at(0xFFFFF, 1)[0], image.back());
    EXPECT_EQ(memory.at(0xFE000, 1)[0], image.front());
    EXPECT_EQ(memory.at(0xFDFFF, 1)[0], 0);
    EXPECT_EQ(memory.at(0xFFFFFFFF, 1)[0], image.back());
    EXPECT_EQ(memory.at(0xFFFFE000, 1)[0], image.front());
}

TEST(Memory, ShadowsOnlyTheEndOfALargeImage) {
    Memory memory(kRam);
    const auto image = image_of(Memory::kMaxRomBytes);
    ASSERT_TRUE(memory.load_rom(image).ok());
    EXPECT_EQ(memory.at(0xE0000, 1)[0], image[image.size() - Memory::kShadowBytes]);
    EXPECT_EQ(memory.at(0xDFFFF, 1)[0], 0);
}

TEST(Memory, TakesAnImageThatIsNotWholePages) {
    Memory memory(kRam);
    const auto image = image_of(100);
    ASSERT_TRUE(memory.load_rom(image).ok());
    EXPECT_EQ(memory.at(0xFFFFF, 1)[0], image.back());
    EXPECT_EQ(memory.at(0xFFFFFFFF - 99, 1)[0], image.front());
}

TEST(Memory, RefusesImagesWithoutResetVectorOrBeyondTheLimit) {
    Memory memory(kRam);
    const auto small = memory.load_rom(image_of(15));
    ASSERT_FALSE(small.ok());
    EXPECT_THAT(small.error().message, HasSubstr("15 bytes"));
    const auto large = memory.load_rom(image_of(Memory::kMaxRomBytes + 1));
    ASSERT_FALSE(large.ok());
    EXPECT_EQ(large.error().code, ErrorCode::kInvalidInput);
}

TEST(Memory, GivesWhatLiesInOneRegionAndNothingInAHole) {
    Memory memory(kRam);
    EXPECT_EQ(memory.at(0, 16).size(), 16U);
    EXPECT_EQ(memory.at(kRam - 4, 16).size(), 4U);
    EXPECT_TRUE(memory.at(kRam, 16).empty());
    EXPECT_TRUE(memory.at(0xFFFFFFFF, 1).empty()) << "no image loaded";
}

}  // namespace
}  // namespace sla::bus
