#include "proto/capture/summary/width_block.h"

#include "proto/capture/summary/interval_sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

namespace sla::capture {
namespace {

// Whatever the processor that the tests run on can do.
class WidthBlocks : public testing::Test {
protected:
    // Rising, some from wherever the one before was.
    void fill() {
        const unsigned widest = 1 + random_() % 24;
        before_ = random_() >> 1;
        std::uint64_t tick = before_;
        for (std::uint64_t& one : ticks_) one = tick += random_() >> (64 - widest);
    }
    static void expect_same(const WidthBlock& a, const WidthBlock& b) {
        EXPECT_EQ(std::tie(a.least, a.most, a.most_inside, a.squares), std::tie(b.least, b.most, b.most_inside, b.squares));
    }
    static void expect_sums(const WidthBlock& block, const std::vector<std::uint64_t>& widths) {
        std::uint64_t squares = 0;
        for (const std::uint64_t width : widths) squares += width * width;
        EXPECT_EQ(block.squares, squares);
        EXPECT_EQ(block.least, *std::min_element(widths.begin(), widths.end()));
        EXPECT_EQ(block.most, *std::max_element(widths.begin(), widths.end()));
    }
    static bool is_short(const std::vector<std::uint64_t>& widths) {
        return std::all_of(widths.begin(), widths.end(), [](std::uint64_t width) { return width < 1 << 23; });
    }

    std::mt19937_64 random_{12};
    std::uint64_t before_ = 0;
    std::uint64_t ticks_[kBlockWidths];
};

TEST_F(WidthBlocks, SayTheSameInBothWaysAndWhatTheirWidthsSay) {
    for (int round = 0; round < 6000 && !HasFailure(); ++round) {
        fill();
        const std::size_t count = round % 2 == 0 ? kBlockWidths : 1 + random_() % kBlockWidths;
        std::vector<std::uint64_t> widths{ticks_[0] - before_};
        for (std::size_t i = 1; i < count; ++i) widths.push_back(ticks_[i] - ticks_[i - 1]);
        WidthBlock blocks[2];
        std::uint16_t bins[2][kBlockBins];
        const bool fast = sum_widths(before_, ticks_, count, blocks[0], bins[0]);
        ASSERT_EQ(fast, sum_widths_anywhere(before_, ticks_, count, blocks[1], bins[1]));
        ASSERT_EQ(fast, is_short(widths));
        if (!fast) continue;
        expect_same(blocks[0], blocks[1]);
        expect_sums(blocks[0], widths);
        EXPECT_EQ(blocks[0].most_inside, count == 1 ? 0 : *std::max_element(widths.begin() + 1, widths.end()));
        std::vector<std::uint16_t> expected;
        for (const std::uint64_t width : widths) expected.push_back(width_bin(width));
        std::sort(expected.begin(), expected.end());
        for (auto& found : bins) {
            std::sort(found, found + count);
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), found));
        }
    }
}

TEST_F(WidthBlocks, OfPairsSayWhatTheirSpansAndWhatAllIntervalsSay) {
    for (int round = 0; round < 6000 && !HasFailure(); ++round) {
        fill();
        const std::size_t pairs = round % 2 == 0 ? kBlockPairs : 1 + random_() % kBlockPairs;
        std::vector<std::uint64_t> all;
        std::vector<std::uint64_t> spans;
        std::uint64_t sum = 0;
        for (std::size_t i = 1; i < 2 * pairs; ++i) all.push_back(ticks_[i] - ticks_[i - 1]);
        for (std::size_t i = 0; i < all.size(); i += 2) sum += spans.emplace_back(all[i]);
        PairBlock blocks[2];
        std::uint16_t bins[2][kBlockBins];
        const bool fast = sum_pairs(ticks_, pairs, blocks[0], bins[0]);
        ASSERT_EQ(fast, sum_pairs_anywhere(ticks_, pairs, blocks[1], bins[1]));
        ASSERT_EQ(fast, is_short(all));
        if (!fast) continue;
        for (std::size_t way = 0; way < 2; ++way) {
            expect_sums(blocks[way].between, all);
            expect_sums(blocks[way].spans, spans);
            EXPECT_EQ(blocks[way].sum, sum);
            for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(bins[way][i], width_bin(all[i]));
        }
    }
}

TEST_F(WidthBlocks, FindTheLeastAndTheGreatestOfNumbers) {
    for (int round = 0; round < 3000 && !HasFailure(); ++round) {
        for (std::uint64_t& one : ticks_) one = random_();
        const std::size_t count = 1 + random_() % kBlockWidths;
        std::vector<std::int64_t> numbers(ticks_, ticks_ + count);
        const SignedRange expected{*std::min_element(numbers.begin(), numbers.end()),
                                   *std::max_element(numbers.begin(), numbers.end())};
        std::vector<std::int64_t> others;
        for (std::size_t i = 0; i < count; i += 2) others.push_back(numbers[i]);
        const SignedRange ranges[] = {range_of(ticks_, ticks_ + count), range_of_anywhere(ticks_, ticks_ + count)};
        for (const SignedRange& range : ranges)
            EXPECT_EQ(std::tie(range.least, range.most), std::tie(expected.least, expected.most));
        const SignedRange other[] = {range_of_every_other(ticks_, ticks_ + count),
                                     range_of_every_other_anywhere(ticks_, ticks_ + count)};
        for (const SignedRange& range : other) {
            EXPECT_EQ(range.least, *std::min_element(others.begin(), others.end()));
            EXPECT_EQ(range.most, *std::max_element(others.begin(), others.end()));
        }
    }
}

}  // namespace
}  // namespace sla::capture
