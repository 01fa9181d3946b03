#include "proto/base/memory_reserve.h"

#include <gtest/gtest.h>

#include <new>

namespace sla {
namespace {

// What operator new does when malloc has failed.
void lack_memory() {
    std::get_new_handler()();
}

class MemoryReserve : public testing::Test {
protected:
    void SetUp() override { hold_memory_reserve(); }
    void TearDown() override { std::set_new_handler(before_); }

private:
    std::new_handler before_ = std::get_new_handler();
};

TEST_F(MemoryReserve, HelpsOnceAndThenThereIsNoMemory) {
    EXPECT_NO_THROW(lack_memory());
    EXPECT_THROW(lack_memory(), std::bad_alloc);
    EXPECT_THROW(lack_memory(), std::bad_alloc);
}

TEST_F(MemoryReserve, HelpsAgainWhenItIsHeldAgain) {
    EXPECT_NO_THROW(lack_memory());
    hold_memory_reserve();
    hold_memory_reserve();
    EXPECT_NO_THROW(lack_memory());
    EXPECT_THROW(lack_memory(), std::bad_alloc);
}

}  // namespace
}  // namespace sla
