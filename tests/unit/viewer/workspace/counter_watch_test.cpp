#include "viewer/workspace/counters/counter_watch.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

namespace sla::workspace {
namespace {

using std::chrono::milliseconds;

// A process of ours that runs until it is killed.
class Child {
public:
    Child() : pid_(fork()) {
        if (pid_ != 0) return;
        for (;;) pause();
    }
    ~Child() { end(); }
    void end() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        pid_ = 0;
    }
    [[nodiscard]] pid_t pid() const { return pid_; }

private:
    pid_t pid_;
};

class CounterWatches : public ::testing::Test {
protected:
    void SetUp() override {
        const auto events = counters::parse_events("task-clock,page-faults", counters::World::kHost);
        ASSERT_TRUE(events.ok());
        const std::string absence = counters::absence_of(events->front(), counters::Privilege::kBoth);
        if (!absence.empty()) GTEST_SKIP() << absence;
        target_ = {child_.pid(), *events, milliseconds(5)};
    }
    // As the window does, frame by frame, until it is so.
    [[nodiscard]] bool becomes(const std::function<bool()>& is_so) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (std::chrono::steady_clock::now() < until) {
            watch_.poll();
            if (is_so()) return true;
            std::this_thread::sleep_for(milliseconds(1));
        }
        return false;
    }

    Child child_;
    CounterWatch::Target target_;
    CounterWatch watch_;
};

TEST_F(CounterWatches, CountNothingUntilTheyAreAsked) {
    watch_.poll();
    EXPECT_FALSE(watch_.is_running());
    EXPECT_TRUE(watch_.samples().empty());
    EXPECT_FALSE(watch_.begin_log("/nowhere/x.csv").ok());
}

TEST_F(CounterWatches, GiveIntervalAfterIntervalThatAddUp) {
    watch_.watch(target_);
    ASSERT_TRUE(becomes([&] { return watch_.samples().size() >= 5; })) << watch_.problem();
    std::int64_t last = 0;
    std::uint64_t faults = 0;
    for (const CounterSample& sample : watch_.samples()) {
        EXPECT_EQ(sample.at_ps - sample.interval_ps, last);
        last = sample.at_ps;
        ASSERT_TRUE(sample.counts[1]);
        faults += *sample.counts[1];
    }
    EXPECT_EQ(watch_.totals()[1], faults);
    watch_.stop();
    EXPECT_FALSE(watch_.is_running());
}

TEST_F(CounterWatches, BeginAnewForAnotherProcessAndSayWhenThereIsNone) {
    watch_.watch(target_);
    ASSERT_TRUE(becomes([&] { return !watch_.samples().empty(); })) << watch_.problem();
    CounterWatch::Target gone = target_;
    Child other;
    gone.process = other.pid();
    other.end();
    watch_.watch(gone);
    EXPECT_TRUE(watch_.samples().empty());
    ASSERT_TRUE(becomes([&] { return !watch_.problem().empty(); }));
    EXPECT_EQ(watch_.problem(), "there is no process " + std::to_string(gone.process));
}

TEST_F(CounterWatches, EndTheirLogWithTheProcess) {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / ("sla-counter-watch-" + std::to_string(getpid()) + ".csv");
    watch_.watch(target_);
    ASSERT_TRUE(watch_.begin_log(path.string()).ok());
    ASSERT_TRUE(becomes([&] { return watch_.logged() >= 3; })) << watch_.problem();
    EXPECT_FALSE(std::filesystem::exists(path)) << "it is not whole yet";
    child_.end();
    ASSERT_TRUE(becomes([&] { return !watch_.is_logging(); }));
    EXPECT_EQ(watch_.problem(), "process " + std::to_string(target_.process) + " has ended");
    std::ifstream file(path);
    std::string head;
    std::getline(file, head);
    EXPECT_EQ(head, "time_ns,interval_ns,host:task-clock,host:page-faults");
    std::size_t rows = 0;
    for (std::string row; std::getline(file, row);) ++rows;
    EXPECT_GE(rows, 3u);
    std::filesystem::remove(path);
}

TEST_F(CounterWatches, RefuseALogOfAFormThatIsNone) {
    watch_.watch(target_);
    ASSERT_TRUE(becomes([&] { return !watch_.samples().empty(); })) << watch_.problem();
    EXPECT_FALSE(watch_.begin_log("run.jpg").ok());
    EXPECT_FALSE(watch_.begin_log("/nowhere/at/all/run.csv").ok());
    EXPECT_FALSE(watch_.is_logging());
    EXPECT_TRUE(watch_.is_running());
}

}  // namespace
}  // namespace sla::workspace
