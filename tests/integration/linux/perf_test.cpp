// Watched data and samples: what the processor's debug registers and the kernel's perf events report, on the markers' axis.
#include "tests/integration/linux/host_test.h"

#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <sstream>

namespace sla {
namespace {

class Perf : public HostTest {
protected:
    // An ordinary user has all of this for processes of his own.
    void SetUp() override {}

    // A program that waits for its input, then stores COUNT times.
    std::unique_ptr<support::Process> waiting_program(std::size_t count, const std::string& path = SLA_HOST_PROGRAM) {
        return started_program({path, "stores", std::to_string(count), directory_.file("go")});
    }
    std::unique_ptr<support::Process> started_program(const std::vector<std::string>& argv) {
        auto program =
            std::make_unique<support::Process>(argv, std::map<std::string, std::string>{{"SLA_RUNTIME_DIR", runtime_dir()}});
        EXPECT_TRUE(program->wait_for_output("ready"));
        return program;
    }
    std::unique_ptr<support::Process> agent(const std::vector<std::string>& options) {
        std::vector<std::string> argv{SLA_BINARIES "/sla-agent", "--no-config", "--record", capture()};
        argv.insert(argv.end(), options.begin(), options.end());
        return std::make_unique<support::Process>(argv,
                                                  std::map<std::string, std::string>{{"SLA_RUNTIME_DIR", runtime_dir()}});
    }
    std::string runtime_dir() {
        const std::string path = directory_.file("run");
        ::mkdir(path.c_str(), 0700);
        return path;
    }
    bool is_up(support::Process& agent) {
        return support::eventually(
            [&] { return agent.errors().find("listening") != std::string::npos || !agent.is_running(); });
    }
    // "+-N ns" of the notice.
    static double stated_error_ns(const std::string& said) {
        const std::size_t at = said.find("+-");
        return at == std::string::npos ? 0 : std::strtod(said.c_str() + at + 2, nullptr);
    }
};

TEST_F(Perf, EveryWatchedStoreLiesBetweenTheMarkersAroundItWithinTheStatedError) {
    constexpr std::size_t kStores = 1'000;
    auto program = waiting_program(kStores);
    auto watching = agent({"--watch", std::to_string(program->pid()) + ":host_watched"});
    ASSERT_TRUE(is_up(*watching)) << watching->errors();
    if (watching->errors().find("not present") != std::string::npos)
        GTEST_SKIP() << "skipped, because " << watching->errors();
    std::ofstream(directory_.file("go")) << "go";
    EXPECT_EQ(program->wait().code, 0);
    watching->signal(SIGTERM);
    EXPECT_EQ(watching->wait().code, 0);
    const double error_ns = stated_error_ns(watching->errors());
    ASSERT_GT(error_ns, 0) << watching->errors();
    EXPECT_LT(error_ns, 20'000);
    HostRows rows = this->rows({"host.*", "linux.watch.host_watched"});
    const std::vector<HostRow>& stores = rows["linux.watch.host_watched"];
    ASSERT_EQ(rows["host.before"].size(), kStores);
    ASSERT_EQ(stores.size(), kStores);
    const auto error_ticks = static_cast<std::uint64_t>(error_ns * 5);  // no counter is faster than 5 GHz
    std::size_t inside = 0;
    std::size_t with_value = 0;
    std::int64_t last_value = -1;
    for (std::size_t i = 0; i < kStores; i++) {
        inside += rows["host.before"][i].tick <= stores[i].tick + error_ticks &&
                  stores[i].tick <= rows["host.after"][i].tick + error_ticks;
        EXPECT_NE(stores[i].text.find("sla-test-host-program:"), std::string::npos) << stores[i].text;
        if (stores[i].value == 0) continue;
        // Read after the store, and no earlier value than it wrote.
        EXPECT_GE(stores[i].value, static_cast<std::int64_t>(i));
        EXPECT_GE(stores[i].value, last_value);
        last_value = stores[i].value;
        with_value++;
    }
    EXPECT_EQ(inside, kStores);
    EXPECT_GT(with_value, 0u);
    EXPECT_EQ(stores.back().value, static_cast<std::int64_t>(kStores) - 1);
}

TEST_F(Perf, TheFifthWatchpointSaysWhyThereIsNone) {
    auto program = waiting_program(1);
    const std::string pid = std::to_string(program->pid());
    std::vector<std::string> options;
    for (const char* symbol : {"host_watched", "host_others:rw", "host_hot:x", "host_work:x", "host_watched:rw"})
        options.insert(options.end(), {"--watch", pid + ":" + symbol});
    auto watching = agent(options);
    ASSERT_TRUE(is_up(*watching));
    if (watching->errors().find("never fire") != std::string::npos)
        GTEST_SKIP() << "skipped, because " << watching->errors();
    EXPECT_NE(watching->errors().find("debug registers are all in use (there are four)"), std::string::npos)
        << watching->errors();
    EXPECT_NE(watching->errors().find("--watch " + pid + ":host_watched:rw"), std::string::npos) << watching->errors();
}

TEST_F(Perf, WhatCannotBeWatchedIsSaidPlainly) {
    auto program = waiting_program(1);
    const std::string pid = std::to_string(program->pid());
    const std::map<std::string, std::string> wrong = {
        {pid + ":no_such_thing", "has no variable or function 'no_such_thing'"},
        {"999999999:host_watched", "there is no process 999999999"},
        {pid + ":host_watched:r", "no reads alone"},
        {"host_watched", "is not PID:SYMBOL"},
    };
    for (const auto& [watch, complaint] : wrong) {
        auto watching = agent({"--watch", watch});
        EXPECT_NE(watching->wait().code, 0) << watch;
        EXPECT_NE(watching->errors().find(complaint), std::string::npos) << watching->errors();
    }
}

TEST_F(Perf, AVariableOfAProgramThatIsStrippedOrDeletedCannotBeFoundByNameAndWhyIsSaid) {
    const std::string stripped = directory_.file("stripped");
    std::filesystem::copy_file(SLA_HOST_PROGRAM, stripped);
    EXPECT_EQ(support::Process({"/usr/bin/strip", stripped}).wait().code, 0);
    const std::string deleted = directory_.file("deleted");
    std::filesystem::copy_file(SLA_HOST_PROGRAM, deleted);
    auto of_stripped = waiting_program(1, stripped);
    auto of_deleted = waiting_program(1, deleted);
    std::filesystem::remove(deleted);
    const std::map<pid_t, std::string> complaints = {{of_stripped->pid(), "it is stripped: build it with symbols"},
                                                     {of_deleted->pid(), "was deleted or built anew while it runs"}};
    for (const auto& [pid, complaint] : complaints) {
        auto watching = agent({"--watch", std::to_string(pid) + ":host_watched"});
        EXPECT_EQ(watching->wait().code, 2) << watching->errors();
        EXPECT_NE(watching->errors().find(complaint), std::string::npos) << watching->errors();
        EXPECT_NE(watching->errors().find("or give 0xADDRESS"), std::string::npos) << watching->errors();
    }
}

TEST_F(Perf, AWatchedProcessThatEndsLeavesWhatItDidAndTheAgentGoesOn) {
    auto program = waiting_program(10);
    auto watching = agent({"--watch", std::to_string(program->pid()) + ":host_watched"});
    ASSERT_TRUE(is_up(*watching)) << watching->errors();
    if (watching->errors().find("not present") != std::string::npos)
        GTEST_SKIP() << "skipped, because " << watching->errors();
    std::ofstream(directory_.file("go")) << "go";
    EXPECT_EQ(program->wait().code, 0);
    usleep(100'000);
    EXPECT_TRUE(watching->is_running()) << watching->errors();
    watching->signal(SIGTERM);
    EXPECT_EQ(watching->wait().code, 0) << watching->errors();
    EXPECT_EQ(rows({"linux.watch.*"})["linux.watch.host_watched"].size(), 10u);
}

TEST_F(Perf, AVariableOfTheRecordedProgramIsWatchedFromItsFirstStore) {
    constexpr std::size_t kStores = 100;
    std::ofstream(directory_.file("go")) << "go";
    ASSERT_EQ(record({"--watch", "host_watched", "--", SLA_HOST_PROGRAM, "stores", std::to_string(kStores),
                      directory_.file("go")}),
              0)
        << errors_;
    if (absent_) GTEST_SKIP() << "skipped, because " << errors_;
    HostRows rows = this->rows({"host.*", "linux.watch.*"});
    EXPECT_EQ(rows["host.after"].size(), kStores);
    EXPECT_EQ(rows["linux.watch.host_watched"].size(), kStores);
}

TEST_F(Perf, AWatchOfTheRecordedProgramNeedsOneThatHasTheVariable) {
    EXPECT_EQ(record({"--watch", "host_watched", "--for", "100ms"}), 2);
    EXPECT_NE(errors_.find("names no process: PID:SYMBOL, or write the PROGRAM"), std::string::npos) << errors_;
    const std::string ran = directory_.file("ran");
    EXPECT_EQ(record({"--watch", "host_watched:rw", "--", "/usr/bin/touch", ran}), 2);
    EXPECT_NE(errors_.find("has no variable or function 'host_watched'"), std::string::npos) << errors_;
    EXPECT_FALSE(std::filesystem::exists(ran)) << "the program ran although its recording could not begin";
}

TEST_F(Perf, SamplesByTimeNameTheFunctionThatIsBusy) {
    ASSERT_EQ(record({"--sample", "time:1ms", "--follow", "--", SLA_HOST_PROGRAM, "busy", "400"}), 0) << errors_;
    if (absent_) GTEST_SKIP() << "skipped, because " << errors_;
    support::Process places({SLA_BINARIES "/sla", "places", capture(), "--format", "csv"});
    ASSERT_EQ(places.wait().code, 0) << places.errors();
    std::istringstream lines(places.output());
    std::string head;
    std::string first;
    std::getline(lines, head);
    std::getline(lines, first);
    EXPECT_EQ(head, "channel,rank,place,samples,percent,percent_so_far");
    EXPECT_TRUE(first.starts_with("linux.sample.time,1,sla-test-host-program:host_hot,")) << places.output();
}

// As in a container: what stands at the path here is another program.
TEST_F(Perf, AProgramInAnotherMountNamespaceHasItsOwnNames) {
    if (geteuid() != 0) GTEST_SKIP() << "skipped, because a mount namespace needs root";
    const std::string path = directory_.file("program");
    std::filesystem::copy_file("/bin/sh", path);
    const std::string run = "mount --bind " SLA_HOST_PROGRAM " " + path + " && exec " + path + " busy 400";
    const int code = record({"--sample", "time:1ms", "--follow", "--", "/usr/bin/unshare", "-m", "/bin/sh", "-c", run});
    if (code != 0) GTEST_SKIP() << "skipped, because there are no mount namespaces here: " << errors_ << output_;
    HostRows rows = this->rows({"linux.sample.time"});
    std::size_t named = 0;
    for (const HostRow& row : rows["linux.sample.time"]) named += row.text == "program:host_hot" ? 1 : 0;
    EXPECT_GT(named, rows["linux.sample.time"].size() / 2);
}

TEST_F(Perf, EveryPageFaultOfAProgramIsASampleWithItsPlace) {
    ASSERT_EQ(record({"--sample", "page-faults:1", "--follow", "--", SLA_HOST_PROGRAM, "busy", "1"}), 0) << errors_;
    HostRows rows = this->rows({"linux.sample.*"});
    EXPECT_GT(rows["linux.sample.page-faults"].size(), 50u);
}

// Nothing comes behind the lost ones that could report them: the program has ended.
TEST_F(Perf, WhatTheKernelsBufferCouldNotHoldIsCountedOnItsOwnLaneAlsoWhenNothingFollows) {
    constexpr std::int64_t kFaults = 60'000;
    auto program = started_program({SLA_HOST_PROGRAM, "faults", std::to_string(kFaults), directory_.file("go")});
    auto sampling =
        agent({"--sample", "page-faults:1", "--sample", "context-switches:1", "--pid", std::to_string(program->pid())});
    ASSERT_TRUE(is_up(*sampling)) << sampling->errors();
    sampling->signal(SIGSTOP);
    std::ofstream(directory_.file("go")) << "go";
    EXPECT_EQ(program->wait().code, 0);
    sampling->signal(SIGCONT);
    sampling->signal(SIGTERM);
    EXPECT_EQ(sampling->wait().code, 0) << sampling->errors();
    HostRows rows = this->rows({"linux.sample.*"});
    std::int64_t taken = 0;
    std::int64_t lost = 0;
    for (const HostRow& row : rows["linux.sample.page-faults"]) {
        taken += row.kind == "tick" ? 1 : 0;
        lost += row.kind == "gap" ? row.value : 0;
    }
    EXPECT_GT(lost, kFaults / 2) << "the buffers were large enough";
    EXPECT_GE(taken + lost, kFaults) << "some stand on the other lane";
    EXPECT_LT(taken + lost, kFaults + 1000) << "more than the program's start and end make";
}

TEST_F(Perf, ThreadsThatEndWhileTheyAreBeingFollowedAreNoReasonToFollowNone) {
    auto program = started_program({SLA_HOST_PROGRAM, "threads", "8"});
    for (int i = 0; i < 5; i++) {
        auto sampling = agent({"--sample", "context-switches:1", "--pid", std::to_string(program->pid())});
        ASSERT_TRUE(is_up(*sampling)) << sampling->errors();
        EXPECT_EQ(sampling->errors().find("left out"), std::string::npos) << sampling->errors();
        sampling->signal(SIGTERM);
        EXPECT_EQ(sampling->wait().code, 0) << sampling->errors();
        std::filesystem::remove(capture());
    }
}

TEST_F(Perf, AHardwareCounterIsASampleOrNotPresentWithTheReason) {
    const int code = record({"--sample", "cycles:1000000", "--follow", "--", SLA_HOST_PROGRAM, "busy", "50"});
    if (errors_.find("not present") != std::string::npos) {
        EXPECT_NE(errors_.find("no performance counters are exposed by this processor or virtual machine"),
                  std::string::npos)
            << errors_;
        return;
    }
    ASSERT_EQ(code, 0) << errors_;
    EXPECT_GT(rows({"linux.sample.cycles"})["linux.sample.cycles"].size(), 10u);
}

}  // namespace
}  // namespace sla
