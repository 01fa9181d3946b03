#include "proto/wire/event.h"

#include "proto/wire/formatter.h"
#include "tests/unit/proto/wire/random_batch.h"

#include <gtest/gtest.h>

#include <set>

namespace sla::wire {
namespace {

std::string formatted(std::string_view formatter, std::uint64_t detail0, std::uint64_t detail1, std::string before = "") {
    const std::uint64_t detail[2] = {detail0, detail1};
    format_details(formatter, detail, before);
    return before;
}

TEST(Event, EveryCodeHasAKindWithAName) {
    std::set<std::string> names;
    for (const std::uint8_t code : kAllCodes) {
        EXPECT_TRUE(is_known_code(code));
        names.insert(kind_name(kind_of(code)));
    }
    EXPECT_EQ(names, (std::set<std::string>{"tick", "begin", "end", "level", "value", "text", "gap"}));
}

TEST(Event, NoOtherNumberIsACode) {
    const std::set<std::uint8_t> known(std::begin(kAllCodes), std::end(kAllCodes));
    for (unsigned number = 0; number < 256; ++number) {
        EXPECT_EQ(is_known_code(static_cast<std::uint8_t>(number)), known.count(static_cast<std::uint8_t>(number)) != 0);
    }
}

TEST(Event, CausesOfLossHaveNames) {
    EXPECT_STREQ(loss_cause_name(LossCause::kNone), "");
    EXPECT_STREQ(loss_cause_name(LossCause::kOverrun), "overrun");
    EXPECT_STREQ(loss_cause_name(LossCause::kDamaged), "damaged");
    for (int number = 0; number <= static_cast<int>(kLastLossCause); ++number) {
        const auto cause = static_cast<LossCause>(number);
        EXPECT_EQ(loss_cause_named(loss_cause_name(cause)), cause) << number;
    }
    EXPECT_EQ(loss_cause_named("no such"), LossCause::kNone);
}

TEST(Formatter, WritesPortAccessesAsPeopleReadThem) {
    EXPECT_EQ(formatted("x86.port", 0x80 | 1u << 18, 0), "out 80h");
    EXPECT_EQ(formatted("x86.port", 0x1f0 | 1u << 16, 0), "in 1f0h.w");
    EXPECT_EQ(formatted("x86.port", 0xcf8 | 2u << 16 | 1u << 18, 0), "out cf8h.d");
    EXPECT_EQ(formatted("x86.mem", 0xfee000b0 | 2ull << 32 | 1ull << 34, 0), "write fee000b0h.d");
    EXPECT_EQ(formatted("x86.mem", 0x8000 | 3ull << 32, 0xf000'0000'e05bULL), "read 8000h at f000:e05b");
    EXPECT_EQ(formatted("x86.port", 0x03, 0xf000'0000'e05bULL), "in 03h at f000:e05b");
}

TEST(Formatter, WritesAddressesAndNothingForNone) {
    EXPECT_EQ(formatted("x86.addr", 0, 0xf000'0000'e05bULL), "at f000:e05b");
    EXPECT_EQ(formatted("x86.addr", 0, 0x0008'c010'0abcULL), "at 0008:c0100abc");
    EXPECT_EQ(formatted("x86.addr", 5, 0), "");
}

TEST(Formatter, AddsToWhatStandsThereAndLeavesUnknownFormatsAlone) {
    EXPECT_EQ(formatted("x86.addr", 0, 0xf000'0000'e05bULL, "page fault"), "page fault at f000:e05b");
    EXPECT_EQ(formatted("", 1, 2, "text"), "text");
    EXPECT_EQ(formatted("arm.port", 1, 2), "");
}

}  // namespace
}  // namespace sla::wire
