// SLA_COUNT as far as it goes without counters, and the reading of the kernel's page with a counter made by hand.
#include "agent/marker/counter.h"

#include <sla/count.h>

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sla {
namespace {

std::uint64_t counter_value = 0;
perf_event_mmap_page* busy_page = nullptr;

std::uint64_t read_by_hand(std::uint32_t index) {
    EXPECT_EQ(index, 2u);        // the page has index + 1
    if (busy_page != nullptr) {  // the kernel changes the page under us, once
        busy_page->lock += 2;
        busy_page->offset = 5'000;
        busy_page = nullptr;
    }
    return counter_value;
}

perf_event_mmap_page page_of(std::uint64_t offset) {
    perf_event_mmap_page page{};
    page.cap_user_rdpmc = 1;
    page.index = 3;
    page.pmc_width = 48;
    page.offset = static_cast<std::int64_t>(offset);
    return page;
}

TEST(CountTest, ACountIsTheKernelsOffsetAndTheCountersOwnBitsWithTheirSign) {
    perf_event_mmap_page page = page_of(1'000);
    std::uint64_t count = 0;
    counter_value = 234;
    ASSERT_TRUE(sla_counter_read(&page, read_by_hand, &count));
    EXPECT_EQ(count, 1'234u);
    counter_value = (std::uint64_t{1} << 48) - 100;  // -100 in 48 bits
    ASSERT_TRUE(sla_counter_read(&page, read_by_hand, &count));
    EXPECT_EQ(count, 900u);
}

TEST(CountTest, WhatTheKernelChangesMeanwhileIsReadAgain) {
    perf_event_mmap_page page = page_of(1'000);
    std::uint64_t count = 0;
    counter_value = 1;
    busy_page = &page;
    ASSERT_TRUE(sla_counter_read(&page, read_by_hand, &count));
    EXPECT_EQ(count, 5'001u);
}

TEST(CountTest, ACounterThatIsNotOnTheProcessorIsNotRead) {
    std::uint64_t count = 0;
    perf_event_mmap_page page = page_of(0);
    page.index = 0;
    EXPECT_FALSE(sla_counter_read(&page, read_by_hand, &count));
    page = page_of(0);
    page.cap_user_rdpmc = 0;
    EXPECT_FALSE(sla_counter_read(&page, read_by_hand, &count));
    page = page_of(0);
    page.pmc_width = 0;
    EXPECT_FALSE(sla_counter_read(&page, read_by_hand, &count));
}

TEST(CountTest, TwoCountersAreChosenByNameOrNumber) {
    sla_counter_choice choice{};
    ASSERT_TRUE(sla_counter_choose("branches,branch-misses", &choice));
    EXPECT_EQ(choice.config[0], std::uint64_t{PERF_COUNT_HW_BRANCH_INSTRUCTIONS});
    EXPECT_EQ(choice.config[1], std::uint64_t{PERF_COUNT_HW_BRANCH_MISSES});
    ASSERT_TRUE(sla_counter_choose("cycles,r1c2", &choice));
    EXPECT_EQ(choice.type[1], std::uint32_t{PERF_TYPE_RAW});
    EXPECT_EQ(choice.config[1], 0x1c2u);
    for (const char* wrong : {"", "cycles", "cycles,", "cycles,coffee", ",cycles", "r,cycles", "rxyz,cycles",
                              "cycles,cycles,cycles", "r0x1c2,cycles", "cycles,r-5", "cycles,r+1", "r 1,cycles",
                              "r\x11,cycles", "r11112222333344445,cycles", "host:cycles,instructions", "cycles,migrations"})
        EXPECT_FALSE(sla_counter_choose(wrong, &choice)) << wrong;
}

TEST(CountTest, TheKernelsOwnCountersAreChosenByName) {
    sla_counter_choice choice{};
    ASSERT_TRUE(sla_counter_choose("page-faults,task-clock", &choice));
    EXPECT_EQ(choice.type[0], std::uint32_t{PERF_TYPE_SOFTWARE});
    EXPECT_EQ(choice.config[0], std::uint64_t{PERF_COUNT_SW_PAGE_FAULTS});
    EXPECT_EQ(choice.config[1], std::uint64_t{PERF_COUNT_SW_TASK_CLOCK});
    ASSERT_TRUE(sla_counter_choose("cycles,context-switches", &choice));
    EXPECT_EQ(choice.type[0], std::uint32_t{PERF_TYPE_HARDWARE});
    EXPECT_EQ(choice.type[1], std::uint32_t{PERF_TYPE_SOFTWARE});
}

TEST(CountTest, AMachineWithoutCountersSaysSo) {
    const char* problem = sla_count_problem();
    if (problem == nullptr) GTEST_SKIP() << "skipped, because this machine has counters";
    EXPECT_TRUE(std::string(problem).starts_with("not present: ")) << problem;
    EXPECT_GT(std::strlen(problem), std::strlen("not present: "));
}

}  // namespace
}  // namespace sla
