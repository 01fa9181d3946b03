#include "agent/retain/batch_queue.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <cstdint>
#include <deque>
#include <random>

namespace sla::retain {
namespace {

TEST(BatchQueues, AreQueuesOfEveryLength) {
    BatchQueue<int> queue;
    std::deque<int> same;
    std::mt19937 random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp) the same each time
    for (int i = 0; i < 20'000; ++i) {
        const bool grows = (i / 2'000) % 2 == 0;  // up to some hundreds and back to none, again and again
        if (random() % 10 < (grows ? 6U : 4U)) {
            queue.push_back(i);
            same.push_back(i);
        } else if (!same.empty()) {
            queue.pop_front();
            same.pop_front();
        }
        ASSERT_EQ(queue.size(), same.size());
        ASSERT_EQ(queue.empty(), same.empty());
        if (same.empty()) continue;
        ASSERT_EQ(queue.front(), same.front());
        ASSERT_EQ(queue.back(), same.back());
        const std::size_t at = random() % same.size();
        ASSERT_EQ(queue[at], same[at]);
        ASSERT_EQ(queue.count_of_first([&](int one) { return one < same[at]; }), at);
    }
    EXPECT_EQ(queue.count_of_first([](int) { return true; }), queue.size());
}

std::size_t allocated() {
    const struct mallinfo2 now = ::mallinfo2();
    return now.uordblks + now.hblkhd;
}

TEST(BatchQueues, TakeLittleMoreThanWhatIsInThem) {
    using Entry = std::array<std::uint64_t, 10>;
    constexpr std::size_t kMany = 20'000;
    const std::size_t before = allocated();
    BatchQueue<Entry> many;
    for (std::size_t i = 0; i < kMany; ++i) many.push_back({});
    for (std::size_t i = 0; i < kMany + kMany / 2; ++i) {
        many.push_back({});
        many.pop_front();
        ASSERT_LE(allocated(), before + kMany * sizeof(Entry) * 11 / 10) << "after " << i;
    }
    const std::size_t with_many = allocated();
    BatchQueue<Entry> two;
    for (int i = 0; i < 1'000; ++i) {
        two.push_back({});
        if (two.size() > 2) two.pop_front();
    }
    EXPECT_LE(allocated(), with_many + 12 * sizeof(Entry));
}

}  // namespace
}  // namespace sla::retain
