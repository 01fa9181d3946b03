#include "agent/daemon/health/unused_memory.h"

#include <gtest/gtest.h>

namespace sla::daemon {
namespace {

constexpr std::uint64_t kCounted = std::uint64_t{50} << 20;

class UnusedMemoryTest : public testing::Test {
protected:
    // How often it is given back within so many seconds of looks, one each.
    int run(int seconds) {
        const int before = given_back_;
        for (int i = 0; i < seconds; i++) unused_.look(now_++, kCounted, limit_);
        return given_back_ - before;
    }
    std::uint64_t resident_ = kCounted + UnusedMemory::kMuch;
    std::uint64_t limit_ = 2 * kCounted + UnusedMemory::kMuch;
    std::uint64_t of_use_ = 0;  // so much is given back each time
    int given_back_ = 0;
    double now_ = 100;
    UnusedMemory unused_{[this] { return resident_; },
                         [this] {
                             given_back_++;
                             resident_ -= of_use_;
                         }};
};

TEST_F(UnusedMemoryTest, StaysAsLongAsItIsNotMuch) {
    EXPECT_EQ(run(1000), 0);
}

TEST_F(UnusedMemoryTest, GoesWhenItIsMuch) {
    resident_ += 1;
    of_use_ = std::uint64_t{20} << 20;
    EXPECT_EQ(run(1000), 1);
}

TEST_F(UnusedMemoryTest, IsTriedMoreAndMoreSeldomWhereItIsOfNoUse) {
    resident_ += 1;
    EXPECT_LE(run(1300), 8);
    EXPECT_EQ(run(1300), 2) << "but never given up";
}

TEST_F(UnusedMemoryTest, GoesSoonWhereMoreIsTakenThanMayBe) {
    run(1);
    resident_ += 1;
    of_use_ = std::uint64_t{20} << 20;
    EXPECT_EQ(run(3), 0) << "within the limit it may wait";
    limit_ = kCounted;
    resident_ = kCounted + UnusedMemory::kMuchBeyond + 3 * of_use_;
    EXPECT_EQ(run(5), 3) << "until it is not much any more";
}

TEST_F(UnusedMemoryTest, IsMuchSoonerWhereMoreIsTakenThanMayBe) {
    run(1);
    limit_ = kCounted;
    of_use_ = std::uint64_t{10} << 20;
    resident_ = kCounted + UnusedMemory::kMuchBeyond;
    EXPECT_EQ(run(100), 0);
    resident_ += 1;
    EXPECT_EQ(run(100), 1) << "half of what may be left where there is space";
}

TEST_F(UnusedMemoryTest, IsTriedSeldomWhereItIsOfNoUseBeyondTheLimitAsWell) {
    run(1);
    resident_ += 1;
    limit_ = kCounted;
    EXPECT_LE(run(1300), 16);
}

}  // namespace
}  // namespace sla::daemon
