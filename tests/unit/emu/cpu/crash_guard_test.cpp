#include "emu/cpu/unicorn/crash_guard.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace sla::cpu {
namespace {

TEST(CrashGuard, LetsACallThatReturnsPass) {
    int calls = 0;
    EXPECT_FALSE(CrashGuard::run([&] { ++calls; }));
    EXPECT_EQ(calls, 1);
}

TEST(CrashGuard, IsLeftFromTheMiddleOfACallAsIfThatHadComeBack) {
    for (int round = 0; round < 3; ++round) {
        volatile bool went_on = false;
        EXPECT_FALSE(CrashGuard::run([&] {
            { const CrashGuard::Outside ours; }
            if (round != 3) CrashGuard::leave();
            went_on = true;
        }));
        EXPECT_FALSE(went_on);
    }
}

TEST(CrashGuard, ComesBackFromAnAbortAgainAndAgain) {
    for (int round = 0; round < 3; ++round) {
        EXPECT_TRUE(CrashGuard::run([] { std::abort(); })) << round;
    }
}

TEST(CrashGuard, ComesBackFromASegmentationFault) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer loses track when a second sort of signal handler is left by a jump";
#endif
    void* closed = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(closed, MAP_FAILED);
    for (int round = 0; round < 3; ++round) {
        EXPECT_TRUE(CrashGuard::run([closed] { *static_cast<volatile char*>(closed) = 1; })) << round;
    }
    ::munmap(closed, 4096);
}

TEST(LibraryFenceDeathTest, LeavesOurOwnCrashesAlone) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_DEATH((void)CrashGuard::run([] {
                     const CrashGuard::Outside ours;
                     std::abort();
                 }),
                 "");
    EXPECT_DEATH(
        {
            (void)CrashGuard::run([] {});
            std::abort();
        },
        "");
}

// Who wants a dump of a run that hangs sends one, and once.
TEST(LibraryFenceDeathTest, LeavesASignalThatWasSentAlone) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    auto send = [] { ::kill(::getpid(), SIGABRT); };
    EXPECT_EXIT(
        {
            (void)CrashGuard::run([] {});
            send();
            std::_Exit(0);
        },
        testing::KilledBySignal(SIGABRT), "");
    EXPECT_EXIT(
        {
            (void)CrashGuard::run(send);
            std::_Exit(0);
        },
        testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace sla::cpu
