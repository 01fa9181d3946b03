#include "viewer/process/child.h"

#include "proto/base/process_stat.h"
#include "tests/support/process.h"
#include "tests/support/with_directory.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

namespace sla::process {
namespace {

using std::chrono::milliseconds;

bool runs(pid_t process) {
    const auto stat = process_stat(process);
    return stat && !stat->has_ended();
}

class ChildTest : public support::WithDirectory {
protected:
    static Ending end_of(Child& child) {
        std::optional<Ending> ending;
        while (!ending) ending = child.wait(milliseconds(1000));
        return *ending;
    }
};

TEST_F(ChildTest, ItsExitCodeComesBack) {
    auto child = Child::start({{"sh", "-c", "exit 7"}, {}, "", false});
    ASSERT_TRUE(child.ok());
    const Ending ending = end_of(*child);
    EXPECT_EQ(ending.code, 7);
    EXPECT_EQ(ending.text(), "exited with code 7");
}

TEST_F(ChildTest, ItsEndIsKnownWhereWhoStartedUsIgnoresEndedChildren) {
    auto* const before = std::signal(SIGCHLD, SIG_IGN);
    auto child = Child::start({{"sh", "-c", "exit 7"}, {}, "", false});
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(end_of(*child).text(), "exited with code 7");
    std::signal(SIGCHLD, before);
}

TEST_F(ChildTest, OneThatIsWaitedForElsewhereHasEndedToo) {
    auto child = Child::start({{"sh", "-c", "exit 7"}, {}, "", false});
    ASSERT_TRUE(child.ok());
    ASSERT_EQ(waitpid(child->pid(), nullptr, 0), child->pid());
    const Ending ending = end_of(*child);
    EXPECT_EQ(ending.code, 255);
    EXPECT_EQ(ending.text(), "ended, and how is not known");
}

TEST_F(ChildTest, ASignalThatEndedItIsNamed) {
    auto child = Child::start({{"sleep", "100"}, {}, "", true, true});
    ASSERT_TRUE(child.ok());
    child->signal(SIGKILL);
    EXPECT_EQ(end_of(*child).text(), "was ended by signal 9 (Killed)");
}

TEST_F(ChildTest, GetsItsEnvironmentAndWritesIntoItsFile) {
    auto child = Child::start(
        {{"sh", "-c", "echo $SLA_RUNTIME_DIR; echo trouble >&2"}, {{"SLA_RUNTIME_DIR", "here"}}, file("log"), false});
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(end_of(*child).code, 0);
    EXPECT_EQ(content(file("log")), "here\ntrouble\n");
}

TEST_F(ChildTest, ItsEnvironmentStandsInPlaceOfOurs) {
    setenv("SLA_CHILD_TEST", "ours", 1);
    auto child = Child::start({{"sh", "-c", "env | grep -c SLA_CHILD_TEST; echo $SLA_CHILD_TEST $HOME"},
                               {{"SLA_CHILD_TEST", "its"}, {"HOME", "there"}},
                               file("log"),
                               false});
    unsetenv("SLA_CHILD_TEST");
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(end_of(*child).code, 0);
    EXPECT_EQ(content(file("log")), "1\nits there\n");
}

TEST_F(ChildTest, WithoutInputItReadsNothing) {
    ChildOptions options;
    options.argv = {"cat"};
    options.output = file("log");
    options.no_input = true;
    auto child = Child::start(options);
    ASSERT_TRUE(child.ok());
    EXPECT_EQ(end_of(*child).code, 0);
    EXPECT_EQ(content(file("log")), "");
}

TEST_F(ChildTest, AProgramThatIsNotThereIsAnErrorWithItsName) {
    const auto child = Child::start({{"/no/such/program"}, {}, "", false});
    ASSERT_FALSE(child.ok());
    EXPECT_NE(child.error().message.find("/no/such/program"), std::string::npos);
}

TEST_F(ChildTest, OneThatStillRunsGoesWithItsOwner) {
    pid_t pid = -1;
    {
        auto child = Child::start({{"sleep", "100"}, {}, "", false});
        ASSERT_TRUE(child.ok());
        pid = child->pid();
        EXPECT_FALSE(child->wait(milliseconds(1)));
    }
    EXPECT_EQ(kill(pid, 0), -1);
}

// A shell that has started a sleep and, by a shell in between that is gone, another one.
class ScriptTest : public ChildTest {
protected:
    Result<Child> start(bool with_all_below) {
        ChildOptions options;
        options.argv = {"sh", "-c", "sh -c 'sleep 100 & echo $!'; sleep 100 & echo $!; wait; echo never"};
        options.output = file("log");
        options.with_all_below = with_all_below;
        auto child = Child::start(options);
        EXPECT_TRUE(child.ok());
        EXPECT_TRUE(support::eventually([&] { return std::ifstream(file("log")) >> orphan_ >> child_; }));
        return child;
    }
    ~ScriptTest() override {
        for (const pid_t one : {orphan_, child_}) {
            if (one > 0 && runs(one)) kill(one, SIGKILL);
        }
    }

    pid_t orphan_ = 0;
    pid_t child_ = 0;
};

TEST_F(ScriptTest, ASignalReachesAllThatItStartedWhenItIsTo) {
    auto script = start(true);
    script->signal(SIGTERM);
    EXPECT_EQ(end_of(*script).signal, SIGTERM);
    EXPECT_TRUE(support::eventually([&] { return !runs(child_) && !runs(orphan_); }));
    EXPECT_EQ(content(file("log")).find("never"), std::string::npos);
}

TEST_F(ScriptTest, AndElseTheScriptAlone) {
    auto script = start(false);
    script->signal(SIGTERM);
    EXPECT_EQ(end_of(*script).signal, SIGTERM);
    EXPECT_TRUE(runs(child_));
    EXPECT_TRUE(runs(orphan_));
}

TEST_F(ScriptTest, WhatBelongsToAnotherChildGetsNoSignal) {
    auto other = Child::start({{"sleep", "100"}, {}, "", false});
    ASSERT_TRUE(other.ok());
    auto script = start(true);
    script->signal(SIGTERM);
    EXPECT_EQ(end_of(*script).signal, SIGTERM);
    EXPECT_TRUE(support::eventually([&] { return !runs(child_) && !runs(orphan_); }));
    EXPECT_TRUE(runs(other->pid()));
}

TEST_F(ScriptTest, OrphansThatHaveEndedAreNoZombiesOfOurs) {
    auto script = start(true);
    kill(orphan_, SIGKILL);
    EXPECT_TRUE(support::eventually([&] {
        EXPECT_FALSE(script->wait(milliseconds(1)));
        return !process_stat(orphan_);
    }));
}

// A process that starts a child and is killed; what becomes of the child: has it ended within a moment?
class OrphanTest : public ChildTest {
protected:
    pid_t orphan(const ChildOptions& options) {
        int report[2];
        if (pipe(report) != 0) return -1;
        const pid_t parent = fork();
        if (parent == 0) {
            auto child = Child::start(options);
            const pid_t pid = child.ok() ? child->pid() : -1;
            if (write(report[1], &pid, sizeof pid) != sizeof pid) _exit(1);
            for (;;) pause();
        }
        pid_t child = -1;
        const bool told = read(report[0], &child, sizeof child) == sizeof child;
        kill(parent, SIGKILL);
        waitpid(parent, nullptr, 0);
        close(report[0]);
        close(report[1]);
        return told ? child : -1;
    }
};

TEST_F(OrphanTest, EndsWithUsWhenItIsToAndElseLivesOn) {
    ChildOptions options;
    options.argv = {"sleep", "100"};
    const pid_t lives = orphan(options);
    ASSERT_GT(lives, 0);
    options.ends_with_us = true;
    const pid_t ends = orphan(options);
    ASSERT_GT(ends, 0);
    EXPECT_TRUE(support::eventually([&] { return !runs(ends); }));
    EXPECT_TRUE(runs(lives));
    kill(lives, SIGKILL);
}

TEST_F(OrphanTest, OneThatIsHeldNeverBegins) {
    ChildOptions options;
    options.argv = {"sh", "-c", "echo begun; exec sleep 100"};
    options.output = file("log");
    options.held = true;
    const pid_t held = orphan(options);
    ASSERT_GT(held, 0);
    EXPECT_TRUE(support::eventually([&] { return !runs(held); }));
    EXPECT_EQ(content(file("log")), "");
    kill(held, SIGKILL);
}

}  // namespace
}  // namespace sla::process
