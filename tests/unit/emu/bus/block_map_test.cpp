#include "emu/bus/block_map.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::bus {
namespace {

constexpr std::size_t kSmall = 16 << 10;  // bytes that one write may take

void fill(BlockMap& map, std::uint64_t from, std::uint64_t to, std::uint8_t byte) {
    for (std::uint64_t number = from; number < to; ++number) map.at(number).fill(byte);
}

TEST(BlockMaps, HaveWhatWasWrittenInOrder) {
    BlockMap map;
    for (const std::uint64_t number : std::vector<std::uint64_t>{5'000'000'007U, 3, 2048, 4, 3})
        map.at(number).fill(static_cast<std::uint8_t>(number));
    EXPECT_EQ(map.size(), 4U);
    EXPECT_EQ(map.find(5), nullptr);
    EXPECT_EQ(map.find(2047), nullptr);
    ASSERT_NE(map.find(2048), nullptr);
    EXPECT_EQ((*map.find(4))[511], 4);
    std::vector<std::uint64_t> numbers;
    map.for_each([&](std::uint64_t number, const BlockMap::Block& block) {
        numbers.push_back(number);
        EXPECT_EQ(block[0], static_cast<std::uint8_t>(number));
    });
    EXPECT_EQ(numbers, (std::vector<std::uint64_t>{3, 4, 2048, 5'000'000'007U}));
    map.clear();
    EXPECT_EQ(map.size(), 0U);
    EXPECT_EQ(map.find(3), nullptr);
}

TEST(BlockMaps, ACopyKeepsWhatItHadAndSharesTheRest) {
    BlockMap map;
    fill(map, 0, 20'000, 'a');
    EXPECT_EQ(map.bytes_elsewhere(), 0U);
    BlockMap copy = map;
    EXPECT_EQ(map.bytes_elsewhere(), 0U) << "all of it is shared";
    map.at(7).fill('b');
    map.at(30'000).fill('c');
    EXPECT_EQ((*copy.find(7))[0], 'a');
    EXPECT_EQ(copy.find(30'000), nullptr);
    EXPECT_EQ((*map.find(7))[0], 'b');
    EXPECT_EQ(map.find(19'999), copy.find(19'999)) << "one block, of both";
    EXPECT_GT(map.bytes_elsewhere(), 0U);
    EXPECT_LT(map.bytes_elsewhere(), kSmall) << "what the copy has of its own";
    copy = map;
    EXPECT_EQ(map.bytes_elsewhere(), 0U) << "what nobody has any more takes nothing";
    EXPECT_EQ((*copy.find(7))[0], 'b');
}

TEST(BlockMaps, GoBackToAnEarlierCopy) {
    BlockMap map;
    fill(map, 0, 5'000, 'a');
    const BlockMap early = map;
    fill(map, 0, 5'000, 'b');
    const BlockMap late = map;
    map = early;
    map.at(9).fill('c');
    EXPECT_EQ((*map.find(8))[0], 'a');
    EXPECT_EQ((*map.find(9))[0], 'c');
    EXPECT_EQ((*early.find(9))[0], 'a');
    EXPECT_EQ((*late.find(9))[0], 'b');
}

}  // namespace
}  // namespace sla::bus
