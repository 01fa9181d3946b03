#include "emu/cpu/unicorn/library_fence.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>

namespace sla::cpu {
namespace {

TEST(LibraryFence, LetsACallThatReturnsPass) {
    int calls = 0;
    EXPECT_FALSE(LibraryFence::run([&] { ++calls; }));
    EXPECT_EQ(calls, 1);
}

TEST(LibraryFence, ComesBackFromAnAbortAgainAndAgain) {
    for (int round = 0; round < 3; ++round) {
        EXPECT_TRUE(LibraryFence::run([] { std::abort(); })) << round;
    }
}

TEST(LibraryFence, ComesBackFromASegmentationFault) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer loses track when a second sort of signal handler is left by a jump";
#endif
    void* closed = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(closed, MAP_FAILED);
    for (int round = 0; round < 3; ++round) {
        EXPECT_TRUE(LibraryFence::run([closed] { *static_cast<volatile char*>(closed) = 1; })) << round;
    }
    ::munmap(closed, 4096);
}

TEST(LibraryFenceDeathTest, LeavesOurOwnCrashesAlone) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_DEATH((void)LibraryFence::run([] {
                     const LibraryFence::Outside ours;
                     std::abort();
                 }),
                 "");
    EXPECT_DEATH(
        {
            (void)LibraryFence::run([] {});
            std::abort();
        },
        "");
}

}  // namespace
}  // namespace sla::cpu
