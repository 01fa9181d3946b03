#include "viewer/workspace/jobs/job_runner.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <future>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace sla::workspace {
namespace {

void wait(const JobRunner::Job& job) {
    while (job.is_running()) std::this_thread::yield();
}

TEST(JobRunners, RunWhatTheyAreGivenAndSayWhenItIsDone) {
    JobRunner runner(2);
    int result = 0;
    JobRunner::Job job = runner.start("a test", [&](JobRunner::Control&) { result = 42; });
    wait(job);
    EXPECT_EQ(result, 42);
    EXPECT_FALSE(JobRunner::Job().is_running());
}

TEST(JobRunners, HaveNoMoreThreadsThanTheyMay) {
    JobRunner runner(2);
    std::promise<void> go_on;
    const std::shared_future<void> may(go_on.get_future());
    std::atomic<int> begun = 0;
    std::vector<JobRunner::Job> jobs;
    for (int i = 0; i < 5; ++i) {
        jobs.push_back(runner.start("a test", [&begun, may](JobRunner::Control&) {
            ++begun;
            may.wait();
        }));
    }
    while (begun < 2) std::this_thread::yield();
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    EXPECT_EQ(begun, 2);
    go_on.set_value();
    for (const JobRunner::Job& job : jobs) wait(job);
    EXPECT_EQ(begun, 5);
}

TEST(JobRunners, WhoLetsGoOfAJobWaitsUntilItHasNoticed) {
    JobRunner runner(1);
    std::atomic<bool> begun = false;
    std::atomic<bool> ended = false;
    bool waited_begun = false;
    {
        JobRunner::Job job = runner.start("a test", [&](JobRunner::Control& control) {
            begun = true;
            while (!control.is_cancelled()) std::this_thread::yield();
            ended = true;
        });
        JobRunner::Job behind = runner.start("a test", [&](JobRunner::Control&) { waited_begun = true; });
        while (!begun) std::this_thread::yield();
    }
    EXPECT_TRUE(ended);
    EXPECT_FALSE(waited_begun) << "it was let go before its turn came";
}

TEST(JobRunners, CancelWhatRunsWhenTheyGo) {
    JobRunner::Job job;
    {
        JobRunner runner(1);
        std::atomic<bool> begun = false;
        job = runner.start("a test", [&](JobRunner::Control& control) {
            begun = true;
            while (!control.is_cancelled()) std::this_thread::yield();
        });
        while (!begun) std::this_thread::yield();
    }
    EXPECT_FALSE(job.is_running());
}

TEST(JobRunners, DoNotWaitForAJobThatIsLeft) {
    std::atomic<bool> begun = false;
    std::atomic<bool> may_end = false;
    std::atomic<bool> was_cancelled = false;
    JobRunner runner(1);
    JobRunner::Job job = runner.start("a test", [&](JobRunner::Control& control) {
        begun = true;
        while (!may_end) std::this_thread::yield();
        was_cancelled = control.is_cancelled();
    });
    while (!begun) std::this_thread::yield();
    job.leave();
    EXPECT_FALSE(job.is_running());
    job = runner.start("the next", [](JobRunner::Control&) {});
    may_end = true;
    wait(job);
    EXPECT_TRUE(was_cancelled);
}

TEST(JobRunners, EndAJobThatRunsOutOfMemoryAndGoOnWithTheOthers) {
    JobRunner runner(1);
    const JobRunner::Job greedy = runner.start("counting too much", [](JobRunner::Control&) { throw std::bad_alloc(); });
    const JobRunner::Job other = runner.start("another", [](JobRunner::Control&) {});
    wait(greedy);
    wait(other);
    EXPECT_TRUE(greedy.ran_out_of_memory());
    EXPECT_FALSE(other.ran_out_of_memory());
    EXPECT_EQ(runner.take_failures(), std::vector<std::string>{"counting too much"});
    EXPECT_TRUE(runner.take_failures().empty());
}

// In a process of its own, whose user may start no thread.
void work_without_threads() {
    if (geteuid() == 0 && setuid(65534) != 0) _exit(2);
    const rlimit none{0, 0};
    if (setrlimit(RLIMIT_NPROC, &none) != 0) _exit(3);
    int result = 0;
    {
        JobRunner runner(2);
        const JobRunner::Job job = runner.start("a test", [&](JobRunner::Control&) { result = 42; });
        if (job.is_running()) _exit(4);
    }
    _exit(result == 42 ? 0 : 5);
}

TEST(JobRunners, WorkOnWhoseThreadStartsItWhereThereAreNoOthers) {
    EXPECT_EXIT(work_without_threads(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sla::workspace
