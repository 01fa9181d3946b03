#include "agent/linux/tracefs/trace_page.h"

#include "tests/unit/agent/linux/page_builder.h"

#include <gtest/gtest.h>

#include <random>

namespace sla::linux {
namespace {

struct Seen {
    std::vector<std::uint64_t> ticks;
    std::vector<std::size_t> sizes;
    bool damaged = false;
};

Seen read_all(const std::vector<std::byte>& bytes) {
    TracePage page(bytes);
    Seen seen;
    TraceRecord record;
    while (page.next(record)) {
        seen.ticks.push_back(record.tick);
        seen.sizes.push_back(record.data.size());
    }
    seen.damaged = page.damaged();
    return seen;
}

TEST(TracePage, EventsCarryTheSumOfTheTimesBeforeThem) {
    PageBuilder page(1000);
    page.event(0, std::vector<std::byte>(8)).event(5, std::vector<std::byte>(24)).event(7, std::vector<std::byte>(112));
    const Seen seen = read_all(page.bytes());
    EXPECT_EQ(seen.ticks, (std::vector<std::uint64_t>{1000, 1005, 1012}));
    EXPECT_EQ(seen.sizes, (std::vector<std::size_t>{8, 24, 112}));
    EXPECT_FALSE(seen.damaged);
}

TEST(TracePage, LongEventsHaveTheirLengthInAWordOfItsOwn) {
    PageBuilder page(0);
    page.long_event(3, std::vector<std::byte>(400)).event(1, std::vector<std::byte>(4));
    const Seen seen = read_all(page.bytes());
    EXPECT_EQ(seen.sizes, (std::vector<std::size_t>{400, 4}));
    EXPECT_EQ(seen.ticks, (std::vector<std::uint64_t>{3, 4}));
}

TEST(TracePage, TimeExtendsAddWhatDoesNotFitTheHead) {
    PageBuilder page(10);
    page.extend(std::uint64_t{1} << 40).event(2, std::vector<std::byte>(8));
    EXPECT_EQ(read_all(page.bytes()).ticks, (std::vector<std::uint64_t>{10 + (std::uint64_t{1} << 40) + 2}));
}

TEST(TracePage, AnAbsoluteTimeReplacesTheSum) {
    PageBuilder page(10);
    page.event(1, std::vector<std::byte>(8)).absolute(123456789012345).event(1, std::vector<std::byte>(8));
    EXPECT_EQ(read_all(page.bytes()).ticks, (std::vector<std::uint64_t>{11, 123456789012346}));
}

TEST(TracePage, DiscardedEventsCountForTimeOnly) {
    PageBuilder page(100);
    page.discarded(4, 12).event(1, std::vector<std::byte>(8));
    EXPECT_EQ(read_all(page.bytes()).ticks, (std::vector<std::uint64_t>{105}));
}

TEST(TracePage, PaddingWithoutTimeEndsThePage) {
    PageBuilder page(100);
    page.event(1, std::vector<std::byte>(8)).word(29).word(0).word(0xffffffff);
    const Seen seen = read_all(page.bytes());
    EXPECT_EQ(seen.ticks.size(), 1u);
    EXPECT_FALSE(seen.damaged);
}

TEST(TracePage, LossesAreReportedWithTheirNumberOrWithout) {
    PageBuilder page(100);
    page.event(1, std::vector<std::byte>(8));
    const std::vector<std::byte> counted = page.bytes(8568);
    EXPECT_EQ(TracePage(counted).lost(), 8568u);
    const std::vector<std::byte> uncounted = page.bytes(-1);
    EXPECT_TRUE(TracePage(uncounted).lost_any());
    EXPECT_EQ(TracePage(uncounted).lost(), std::nullopt);
    EXPECT_EQ(read_all(counted).ticks.size(), 1u);
}

TEST(TracePage, BrokenLengthsEndThePageAndAreReportedAsDamage) {
    for (const std::uint32_t head : {std::uint32_t{28}, std::uint32_t{0}, std::uint32_t{30}, std::uint32_t{29 | 1 << 5}}) {
        PageBuilder page(1);
        page.event(1, std::vector<std::byte>(8)).word(head);
        const Seen seen = read_all(page.bytes());
        EXPECT_EQ(seen.ticks.size(), 1u) << head;
        EXPECT_TRUE(seen.damaged) << head;
    }
    EXPECT_TRUE(read_all(std::vector<std::byte>(7)).damaged);
    std::vector<std::byte> boastful = PageBuilder(1).bytes();
    boastful[8] = std::byte{200};
    EXPECT_TRUE(read_all(boastful).damaged);
}

TEST(TracePage, AnyBytesAtAllAreReadWithinTheirBounds) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 20000; round++) {
        std::vector<std::byte> bytes(random() % 200);
        for (std::byte& each : bytes) each = static_cast<std::byte>(random());
        if (bytes.size() >= 16 && round % 2 == 0) {  // a length that fits: then the events are looked at
            const std::uint64_t commit = (bytes.size() - 16) | (random() & 3) << 30;
            std::memcpy(bytes.data() + 8, &commit, sizeof commit);
        }
        TracePage page(bytes);
        TraceRecord record;
        while (page.next(record)) {
            ASSERT_GE(record.data.data(), bytes.data() + 16);
            ASSERT_LE(record.data.data() + record.data.size(), bytes.data() + bytes.size());
        }
    }
}

}  // namespace
}  // namespace sla::linux
