// What is packed comes back, and bytes that make no sense are refused.
#include "viewer/formats/parquet/packing.h"
#include "viewer/formats/parquet/unpacking.h"

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

namespace sla::formats::parquet {
namespace {

using Numbers = std::vector<std::uint64_t>;

void expect_deltas_come_back(const Numbers& numbers) {
    std::string bytes;
    put_deltas(numbers, bytes);
    Numbers back;
    ASSERT_TRUE(take_deltas(bytes, numbers.size(), back));
    EXPECT_EQ(back, numbers);
    back.clear();
    EXPECT_FALSE(take_deltas(bytes, numbers.size() + 1, back));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        Numbers cut;
        EXPECT_FALSE(take_deltas(std::string_view(bytes).substr(0, size), numbers.size(), cut)) << size;
    }
}

template <typename Number>
void expect_runs_come_back(const std::vector<Number>& numbers, unsigned width) {
    std::string bytes;
    put_runs(std::span(numbers), width, bytes);
    Numbers back;
    ASSERT_TRUE(take_runs(bytes, width, numbers.size(), back));
    EXPECT_EQ(back, Numbers(numbers.begin(), numbers.end()));
    back.clear();
    EXPECT_FALSE(take_runs(std::string_view(bytes).substr(0, bytes.size() - 1), width, numbers.size(), back));
}

TEST(ParquetPacking, DifferencesOfEveryWidthComeBack) {
    std::mt19937_64 random(5);
    for (unsigned width = 0; width <= 64; ++width) {
        Numbers numbers;
        std::uint64_t number = random();
        for (int i = 0; i < 200; ++i) {
            numbers.push_back(number);
            number += width == 0 ? 3 : random() >> (64 - width);  // wraps: differences are modulo 2^64
        }
        expect_deltas_come_back(numbers);
    }
}

TEST(ParquetPacking, DifferencesOfFewNumbersAndOfTheExtremesComeBack) {
    expect_deltas_come_back({7});
    expect_deltas_come_back({7, 3});
    expect_deltas_come_back({0, ~std::uint64_t{0}, 0, std::uint64_t{1} << 63, 1});
    std::string bytes;
    put_deltas({}, bytes);
    Numbers back;
    EXPECT_TRUE(take_deltas(bytes, 0, back));
    EXPECT_TRUE(back.empty());
}

TEST(ParquetPacking, DifferencesAreAsTheSpecificationShowsThem) {
    // parquet-format, Encodings.md: 1, 2, 3, 4, 5 is header, first 1, least difference 1, and no bits.
    std::string bytes;
    put_deltas(Numbers{1, 2, 3, 4, 5}, bytes);
    EXPECT_EQ(bytes, std::string("\x80\x01\x04\x05\x02\x02\0\0\0\0", 10));
}

TEST(ParquetPacking, BitsArePackedAsTheSpecificationShowsThem) {
    std::string bytes;
    put_packed(Numbers{0, 1, 2, 3, 4, 5, 6, 7}, 3, bytes);
    EXPECT_EQ(bytes, std::string("\x88\xc6\xfa"));
}

TEST(ParquetPacking, RunsAndMixturesComeBack) {
    std::mt19937 random(6);
    for (unsigned width = 1; width <= 32; ++width) {
        Numbers numbers;
        while (numbers.size() < 500) {
            const std::uint64_t number = static_cast<std::uint32_t>(random()) >> (32 - width);
            numbers.insert(numbers.end(), 1 + random() % (random() % 3 == 0 ? 60 : 3), number);
        }
        expect_runs_come_back(numbers, width);
    }
    expect_runs_come_back(Numbers{1}, 1);
    expect_runs_come_back(std::vector<std::uint8_t>(100'000, 1), 1);
    expect_runs_come_back(std::vector<std::uint8_t>{1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1}, 1);
}

TEST(ParquetPacking, NonsenseIsRefused) {
    Numbers out;
    EXPECT_FALSE(take_runs(std::string_view("\0", 1), 1, 1, out)) << "a run of none";
    EXPECT_FALSE(take_runs(std::string_view("\x01", 1), 1, 1, out)) << "no groups";
    EXPECT_FALSE(take_runs("\x03", 40, 1, out)) << "40 bits a number";
    EXPECT_FALSE(take_runs("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 0, 5, out)) << "2^62 groups";
    EXPECT_FALSE(take_deltas(std::string_view("\0\x04\x05\x02", 4), 5, out)) << "a block of nothing";
    EXPECT_FALSE(take_deltas(std::string_view("\x80\x01\0\x05\x02", 5), 5, out)) << "no parts of a block";
    EXPECT_FALSE(take_deltas("\x80\x01\x04\x05\x02\x02\x41\x41\x41\x41", 5, out)) << "65 bits a difference";
    std::string_view endless = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    EXPECT_FALSE(take_varint(endless));
}

}  // namespace
}  // namespace sla::formats::parquet
