#include "agent/linux/events/owner_name.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sla::linux {
namespace {

TEST(OwnerName, OursIsNotAbandoned) {
    EXPECT_GT(start_time_of(getpid()), 0u);
    EXPECT_FALSE(is_abandoned(own_name("sla", '-'), "sla", '-'));
}

TEST(OwnerName, ADeadProcesssIsAbandonedAlsoWhenItsNumberIsUsedAgain) {
    EXPECT_TRUE(is_abandoned("sla-999999999-5", "sla", '-'));
    EXPECT_TRUE(is_abandoned("sla-" + std::to_string(getpid()) + "-1", "sla", '-'));
}

TEST(OwnerName, AProcessThatHasEndedIsGoneAlsoWhileItsParentHasNotAskedAboutIt) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    siginfo_t info{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);  // it stays a zombie
    EXPECT_EQ(start_time_of(child), 0u);
    ::waitpid(child, nullptr, 0);
}

TEST(OwnerName, NamesOfOthersAreLeftAlone) {
    for (const char* name : {"", "sla", "sla-", "sla-1", "sla--", "sla-x-y", "sla-999999999-", "sla-999999999-5x",
                             "slab-999999999-5", "trace-cmd-999999999-5"})
        EXPECT_FALSE(is_abandoned(name, "sla", '-')) << name;
}

}  // namespace
}  // namespace sla::linux
