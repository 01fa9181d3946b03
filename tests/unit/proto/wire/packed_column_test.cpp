#include "proto/wire/columns/packed_column.h"
#include "proto/wire/columns/packed_shape.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sla::wire {
namespace {

using Numbers = std::vector<std::uint64_t>;

// Around where a block begins and ends, and a vector in it.
constexpr std::size_t kCounts[] = {0,  1,  2,   7,   8,   9,   15,  16,  17,  31,  33,   63,
                                   64, 65, 127, 128, 129, 143, 255, 256, 257, 300, 1000, 1024};

// Numbers behind a first one, as bytes; what is beyond the promised capacity stays as it was.
std::string packed(const Numbers& numbers, Steps steps) {
    const std::size_t capacity = packed_capacity(numbers.size() - 1);
    std::vector<char> out(capacity + 8, '\x5a');
    const char* end = put_packed(numbers.data() + 1, numbers.size() - 1, steps, out.data());
    std::vector<char> plain(capacity + 8, '\x5a');
    const char* const plain_end = packed::put_everywhere(numbers.data() + 1, numbers.size() - 1, steps, plain.data());
    EXPECT_EQ(std::string_view(plain.data(), static_cast<std::size_t>(plain_end - plain.data())),
              std::string_view(out.data(), static_cast<std::size_t>(end - out.data())))
        << "another processor writes other bytes";
    EXPECT_EQ(std::string(out.data() + capacity, 8), std::string(8, '\x5a')) << numbers.size() - 1 << " numbers";
    EXPECT_LE(static_cast<std::size_t>(end - out.data()), capacity);
    return {static_cast<const char*>(out.data()), end};
}

Numbers unpacked(const std::string& bytes, std::uint64_t first, std::size_t count) {
    Numbers numbers(count + 1, 77);
    numbers[0] = first;
    const char* at = bytes.data();
    const char* wrong = get_packed(at, bytes.data() + bytes.size(), count, numbers.data() + 1);
    EXPECT_EQ(wrong, nullptr) << wrong;
    EXPECT_EQ(at, bytes.data() + bytes.size());
    return numbers;
}

using Make = std::function<std::uint64_t(std::size_t)>;

// The same for every number of them, kind of column, and beginning; none of its bytes can be missing.
void expect_back(const std::string& what, const Make& make) {
    for (const std::size_t count : kCounts) {
        Numbers numbers;
        for (std::size_t i = 0; i <= count; ++i) numbers.push_back(make(i));
        for (const Steps steps : {Steps::kMaybe, Steps::kAlways}) {
            const std::string bytes = packed(numbers, steps);
            ASSERT_EQ(unpacked(bytes, numbers[0], count), numbers) << what << ", " << count;
            ASSERT_GE(bytes.size(), least_packed_bytes(count)) << what << ", " << count;
            for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 20) {
                Numbers short_of(count + 1);
                const char* at = bytes.data();
                ASSERT_NE(get_packed(at, bytes.data() + cut, count, short_of.data() + 1), nullptr) << what << ", " << cut;
            }
        }
    }
}

TEST(PackedColumn, GivesBackEveryPatternOfNumbers) {
    std::mt19937_64 random(3);
    std::uint64_t tick = 1'000'000;
    expect_back("all the same", [](std::size_t) { return 42; });
    expect_back("counting", [](std::size_t i) { return i; });
    expect_back("counting down", [](std::size_t i) { return 100 - i; });
    expect_back("regular", [](std::size_t i) { return 1'000'000 + 100 * i; });
    expect_back("jittered", [&](std::size_t) { return tick += 60 + random() % 200; });
    expect_back("bursts", [&](std::size_t i) { return tick += 34 + random() % 12 + (i % 64 == 0 ? 9000 : 0); });
    expect_back("small", [&](std::size_t) { return random() % 100; });
    expect_back("small, of both signs", [&](std::size_t) { return random() % 100 - 50; });
    expect_back("by turns", [](std::size_t i) { return i % 2; });
    expect_back("32 random bits", [&](std::size_t) { return random() & 0xffffffff; });
    expect_back("64 random bits", [&](std::size_t) { return random(); });
}

TEST(PackedColumn, GivesBackNumbersOfEveryWidth) {
    std::mt19937_64 random(4);
    for (unsigned width = 1; width <= 64; ++width) {
        expect_back(std::to_string(width) + " bits", [&](std::size_t) { return random() >> (64 - width); });
        expect_back(std::to_string(width) + " bits, all or none",
                    [&](std::size_t) { return random() % 2 == 0 ? 0 : ~std::uint64_t{0} >> (64 - width); });
    }
}

TEST(PackedColumn, GivesBackFewWideNumbersAmongManyNarrowOnes) {
    std::mt19937_64 random(5);
    for (unsigned narrow = 0; narrow < 40; narrow += 3) {
        for (unsigned wide = narrow; wide <= 64; wide += 4) {
            const unsigned luck = 2 + static_cast<unsigned>(random() % 100);
            expect_back(std::to_string(wide) + " among " + std::to_string(narrow), [&](std::size_t) {
                const unsigned width = random() % luck == 0 ? wide : narrow;
                return width == 0 ? 0 : random() >> (64 - width);
            });
        }
    }
}

TEST(PackedColumn, GivesBackTheGreatestLeapsThereAre) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
    expect_back("ends by turns", [](std::size_t i) { return i % 2 == 0 ? 0 : kMax; });
    expect_back("signed ends by turns", [](std::size_t i) { return i % 2 == 0 ? kTop : kTop - 1; });
    expect_back("half the way", [](std::size_t i) { return i * kTop; });
    expect_back("a third of it", [](std::size_t i) { return i * (kMax / 3); });
    expect_back("at the bounds of 32 bits", [](std::size_t i) { return (i % 3) << 31; });
    expect_back("at the bounds of 30 bits", [](std::size_t i) { return i % 2 == 0 ? 0 : (1 << 30) - (i % 4 == 1); });
    expect_back("below them", [](std::size_t i) { return i % 2 == 0 ? 0 : std::uint64_t{0} - (1 << 30) - (i % 4 == 1); });
}

TEST(PackedColumn, TakesWhatItsLayoutsPromise) {
    std::mt19937_64 random(6);
    const auto size = [](std::size_t count, const Make& make) {
        Numbers numbers;
        for (std::size_t i = 0; i <= count; ++i) numbers.push_back(make(i));
        return packed(numbers, Steps::kMaybe).size();
    };
    EXPECT_EQ(size(128, [](std::size_t i) { return 5 * i; }), 2U) << "shape and base";
    EXPECT_EQ(size(1280, [](std::size_t i) { return 5 * i; }), 20U);
    EXPECT_LE(size(128, [&](std::size_t) { return random() % 2; }), 2U + 16);
    EXPECT_LE(size(128, [&](std::size_t) { return random() % 16; }), 2U + 64);
    EXPECT_LE(size(128, [&](std::size_t) { return random() % 256; }), 3U + 128);
    EXPECT_LE(size(128, [&](std::size_t) { return random() % 4096; }), 4U + 192);
    EXPECT_LE(size(128, [](std::size_t i) { return i == 64 ? 1'000'000'000 : 5; }), 9U) << "one exception";
}

TEST(PackedColumn, OfRandomBytesIsRefusedOrReadWithinItsBounds) {
    std::mt19937_64 random(7);
    std::size_t read = 0;
    std::size_t refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string bytes(random() % 200, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random() >> (random() % 8));
        const std::size_t count = random() % 200;
        Numbers numbers(count + 2, 0x5a5a);  // the first one's predecessor, and one behind the last
        const char* at = bytes.data();
        const char* wrong = get_packed(at, bytes.data() + bytes.size(), count, numbers.data() + 1);
        ASSERT_LE(at, bytes.data() + bytes.size());
        ASSERT_EQ(numbers.back(), 0x5a5aU);
        ++(wrong == nullptr ? read : refused);
    }
    EXPECT_GT(read, 100U);
    EXPECT_GT(refused, 1000U);
}

}  // namespace
}  // namespace sla::wire
