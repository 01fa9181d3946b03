#include "proto/base/process_stat.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace sla {
namespace {

// A child of ours that does nothing, called `name`.
pid_t waiting_child(const char* name) {
    const pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_NAME, name);
    raise(SIGSTOP);
    _exit(0);
}

TEST(ProcessStat, KnowsStateParentGroupAndStartWhateverItsNameIs) {
    const pid_t child = waiting_child(") R 1 1 (");
    ASSERT_EQ(waitpid(child, nullptr, WUNTRACED), child);
    const auto stopped = process_stat(child);
    ASSERT_TRUE(stopped);
    EXPECT_TRUE(stopped->is_stopped());
    EXPECT_FALSE(stopped->has_ended());
    EXPECT_EQ(stopped->parent, getpid());
    EXPECT_EQ(stopped->group, getpgrp());
    EXPECT_GE(stopped->start, process_stat(getpid())->start);
    kill(child, SIGKILL);
    siginfo_t info{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(process_stat(child)->has_ended());
    waitpid(child, nullptr, 0);
    EXPECT_FALSE(process_stat(child));
}

TEST(ProcessStat, OfNoProcessIsNothing) {
    for (const pid_t process : {0, -1, 999'999'999}) EXPECT_FALSE(process_stat(process)) << process;
}

}  // namespace
}  // namespace sla
