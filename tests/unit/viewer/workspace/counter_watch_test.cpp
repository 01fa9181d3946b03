#include "viewer/workspace/counters/counter_watch.h"

#include "tests/support/capture_builder.h"
#include "tests/support/fake_guest.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
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
        target_ = {child_.pid(), *events, milliseconds(5), "", false};
    }
    // As the window does, frame by frame, until it is so.
    [[nodiscard]] bool becomes(const std::function<bool()>& is_so) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (std::chrono::steady_clock::now() < until) {
            watch_.poll(session_);
            if (is_so()) return true;
            std::this_thread::sleep_for(milliseconds(1));
        }
        return false;
    }

    Child child_;
    CounterWatch::Target target_;
    store::Session session_;
    CounterWatch watch_;
};

TEST_F(CounterWatches, CountNothingUntilTheyAreAsked) {
    watch_.poll(session_);
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
    ASSERT_TRUE(becomes([&] { return !watch_.is_logging() && !watch_.problem().empty(); }));
    EXPECT_EQ(watch_.problem(), "process " + std::to_string(target_.process) + " has ended");
    std::ifstream file(path);
    std::string head;
    std::getline(file, head);
    EXPECT_EQ(head, "time_ns,interval_ns,host:task-clock,host:page-faults,estimated");
    std::size_t rows = 0;
    for (std::string row; std::getline(file, row);) ++rows;
    EXPECT_GE(rows, 3u);
    std::filesystem::remove(path);
}

// The spans of this very process, which was asked to count nothing special.
TEST_F(CounterWatches, CountAMarkedSectionFromWhereTheLaneStoodAndLogIt) {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / ("sla-counter-section-" + std::to_string(getpid()) + ".csv");
    support::CaptureBuilder capture;
    const auto source =
        capture.source("counted", support::BuilderSource::kProgram, static_cast<std::uint32_t>(child_.pid()));
    const auto other = capture.channel("app.work");  // of another process
    const auto work = capture.channel("app.work", source);
    const auto empty = capture.channel("app.empty", source);
    target_.section = "app.work";
    watch_.watch(target_);
    ASSERT_TRUE(watch_.begin_log(path.string()).ok());
    ASSERT_TRUE(becomes([&] { return watch_.samples().size() >= 2; })) << watch_.problem();
    EXPECT_EQ(watch_.section().problem, "this program has no channel 'app.work' here yet");
    for (std::uint64_t i = 0; i < 5; ++i) {
        capture.detail(empty, 2000 + i, i % 2 == 0 ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END_VALUE, 4 * i, 0, 0);
        capture.detail(other, 2000 + i, i % 2 == 0 ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END_VALUE, 9 * i, 0, 0);
    }
    for (std::uint64_t i = 0; i < 6; ++i)
        capture.detail(work, 3000 + i, i % 2 == 0 ? SLA_CODE_BEGIN_VALUE : SLA_CODE_END_VALUE, 100 * i, 7 * i, 0);
    capture.fill(session_);
    ASSERT_TRUE(becomes([&] { return watch_.section().totals.size() == 3 && watch_.section().totals[0] == 3; }))
        << watch_.section().problem;
    EXPECT_EQ(watch_.section().problem, "");
    const auto& rows = watch_.section().rows;
    ASSERT_GE(rows.size(), 2U);
    EXPECT_EQ(rows[0].event, "host:cycles");
    EXPECT_EQ(rows[0].numbers.n, 3U);
    EXPECT_EQ(rows[0].numbers.median, 96) << "less the empty section's 4";
    EXPECT_EQ(rows[1].event, "host:instructions");
    EXPECT_EQ(rows[1].numbers.mean, 7);
    EXPECT_EQ(rows.back().event, "host:cpi") << "ratios, too";
    ASSERT_TRUE(watch_.end_log().ok());
    std::ifstream file(path);
    std::string head;
    std::getline(file, head);
    EXPECT_EQ(
        head,
        "time_ns,interval_ns,host:task-clock,host:page-faults,app.work:n,app.work:host:cycles,app.work:host:instructions,"
        "estimated");
    std::uint64_t cycles = 0;
    for (std::string row; std::getline(file, row);) {
        std::vector<std::string> fields;
        std::istringstream all(row);
        for (std::string field; std::getline(all, field, ',');) fields.push_back(field);
        ASSERT_GE(fields.size(), 6U) << row;
        cycles += std::stoull(fields[5]);
    }
    EXPECT_EQ(cycles, 300U) << "each span once, whenever its interval was";
    std::filesystem::remove(path);
}

TEST_F(CounterWatches, AskAnEmulatedPcForItsSectionAndNotifyItWhenNobodyLooks) {
    std::string directory = testing::TempDir() + "sla-section-XXXXXX";
    ASSERT_NE(mkdtemp(directory.data()), nullptr);
    setenv("SLA_RUNTIME_DIR", directory.c_str(), 1);
    std::atomic<int> looks = 0;
    {
        support::FakeGuest guest(child_.pid(), [&](const std::string& command) -> std::string {
            if (command == "counts") return "16 exact " + std::to_string(1000 * looks) + "\n";
            if (command == "section none irq.0.isr,irq.0.empty") return "";
            if (command != "section irq.0.isr,irq.0.empty 16") return "error: what?";
            const std::string spans = std::to_string(++looks);
            return R"({"cpu": "x86emu", "events": {"16": "exact"}, "sections": [{"name": "irq.0.isr", "unfinished": 0,)"
                   R"( "events": {"16": {"values": [[6, )" +
                   spans + "]]}}}]}";
        });
        target_.events = counters::parse_events("pentium:16", counters::World::kHost).value();
        target_.section = "irq.0.isr";
        target_.is_guest = true;
        watch_.watch(target_);
        ASSERT_TRUE(becomes([&] { return watch_.samples().size() >= 3; })) << watch_.problem();
        ASSERT_EQ(watch_.section().rows.size(), 1U);
        EXPECT_EQ(watch_.section().rows[0].numbers.median, 6);
        EXPECT_GE(watch_.section().totals[0].value_or(0), 3U);
        EXPECT_EQ(watch_.section().totals[1].value_or(0), 6 * *watch_.section().totals[0]);
        watch_.stop();
        const auto reported = [&] { return guest.commands().back() == "section none irq.0.isr,irq.0.empty"; };
        EXPECT_TRUE(becomes(reported)) << guest.commands().back();
        EXPECT_GT(guest.connections(), 5) << "a connection a look: others get at the PC in between";
        target_.section = "irq.9.isr";
        watch_.watch(target_);
        ASSERT_TRUE(becomes([&] { return !watch_.section().problem.empty(); }));
        EXPECT_EQ(watch_.section().problem, "what?");
        EXPECT_EQ(watch_.problem(), "") << "the whole is counted all the same";
        watch_.stop();
    }
    unsetenv("SLA_RUNTIME_DIR");
    std::filesystem::remove_all(directory);
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
