#include "agent/drain/spare_memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::drain {
namespace {

constexpr std::size_t kBytes = 100;

TEST(SpareMemory, WhatWasPutLastIsTakenFirst) {
    SpareMemory<std::vector<int>> spares(10 * kBytes);
    spares.put({1}, kBytes);
    spares.put({2}, kBytes);
    std::vector<int> taken;
    spares.take(taken);
    EXPECT_EQ(taken, std::vector<int>{2});
    EXPECT_EQ(spares.bytes(), kBytes);
    spares.take(taken);
    EXPECT_EQ(taken, std::vector<int>{1});
    spares.take(taken);
    EXPECT_EQ(taken, std::vector<int>{1}) << "there was none to spare";
    EXPECT_EQ(spares.bytes(), 0u);
}

TEST(SpareMemory, NoMoreIsKeptThanWasSaid) {
    SpareMemory<std::vector<int>> spares(2 * kBytes + kBytes / 2);
    for (int i = 0; i < 10; i++) spares.put({i}, kBytes);
    EXPECT_EQ(spares.bytes(), 2 * kBytes);
}

TEST(SpareMemory, WhatNobodyTookBetweenTwoCallsGoes) {
    SpareMemory<std::vector<int>> spares(100 * kBytes);
    for (int i = 0; i < 5; i++) spares.put({i}, kBytes);
    spares.drop_unused();
    EXPECT_EQ(spares.bytes(), 5 * kBytes) << "they have only just come";
    std::vector<int> first;
    std::vector<int> second;
    spares.take(first);
    spares.take(second);
    spares.put(second, kBytes);
    spares.put(first, kBytes);
    spares.drop_unused();
    EXPECT_EQ(spares.bytes(), 2 * kBytes);
    spares.take(first);
    EXPECT_EQ(first, std::vector<int>{4});
    spares.drop_unused();
    spares.drop_unused();
    EXPECT_EQ(spares.bytes(), 0u);
}

}  // namespace
}  // namespace sla::drain
