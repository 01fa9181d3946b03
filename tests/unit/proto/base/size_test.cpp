#include "proto/base/size.h"

#include <gtest/gtest.h>

#include <map>

namespace sla {
namespace {

TEST(ParseSize, NumbersAndUnitsAreRead) {
    for (const auto& [text, bytes] : std::map<std::string, std::uint64_t>{{"0", 0},
                                                                          {"4096", 4096},
                                                                          {"7B", 7},
                                                                          {"2kB", 2000},
                                                                          {"2KiB", 2048},
                                                                          {"64MiB", 64u << 20},
                                                                          {"64 mib", 64u << 20},
                                                                          {"3GB", 3'000'000'000},
                                                                          {"1TiB", std::uint64_t{1} << 40}}) {
        Result<std::uint64_t> read = parse_size(text);
        ASSERT_TRUE(read.ok()) << text;
        EXPECT_EQ(*read, bytes) << text;
    }
}

TEST(ParseSize, WhatIsNoSizeIsRefused) {
    for (const char* text :
         {"", " ", "-1", "MiB", "1.5GB", "1 apple", "99999999999999999999", "99999999999TiB", "0x10", "1m"}) {
        EXPECT_FALSE(parse_size(text).ok()) << text;
    }
}

}  // namespace
}  // namespace sla
