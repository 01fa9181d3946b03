// An agent without a descriptor or address space left: it says so once, turns away whom it cannot serve, and goes on for all
// others.
#include "tests/integration/service/raw_socket.h"
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>

namespace sla::service_test {
namespace {

using support::AgentUnderTest;
using support::Process;

// Seconds of CPU time that the process has used.
double used_seconds(pid_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text((std::istreambuf_iterator<char>(stat)), {});
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int field = 3; field < 14; field++) fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) count++;
    return count;
}

class Shortage : public testing::Test {
protected:
    void SetUp() override {
#if defined(__SANITIZE_ADDRESS__)
        GTEST_SKIP() << "the sanitizer of undefined behaviour needs a descriptor of its own to look at an object, and takes "
                        "its want of one for a bug";
#endif
    }
    void start(const std::string& limit) {
        agent_ = std::make_unique<Process>(
            std::vector<std::string>{"/bin/sh", "-c",
                                     limit + " && exec " SLA_BINARIES "/sla-agent --record " + place_.capture()},
            place_.environment());
        ASSERT_TRUE(support::eventually([&] { return agent_->errors().find("listening on unix:") != std::string::npos; }))
            << agent_->errors();
    }
    AgentUnderTest place_{SLA_BINARIES};  // its folders only
    std::unique_ptr<Process> agent_;
};

TEST_F(Shortage, IsSaidOnceAndLivedThroughWithoutSpinningByAnAgentFullOfClients) {
    start("ulimit -n 40");
    Process program({SLA_TEST_MARKER, "steady"}, place_.environment());
    ASSERT_TRUE(support::eventually([&] { return agent_->errors().find(" attached") != std::string::npos; }));
    std::vector<RawSocket> crowd;
    for (int i = 0; i < 60; i++) crowd.push_back(RawSocket::client(place_.runtime() + "/agent.sock"));
    ASSERT_TRUE(support::eventually([&] { return agent_->errors().find("cannot take clients in") != std::string::npos; }));
    // One that comes too late is refused.
    EXPECT_TRUE(support::eventually(
        [&] { return std::any_of(crowd.begin(), crowd.end(), [](const auto& c) { return !c.receive().empty(); }); }));
    const double before = used_seconds(agent_->pid());
    const auto begin = std::chrono::steady_clock::now();
    support::eventually([&] { return std::chrono::steady_clock::now() - begin > std::chrono::seconds(1); });
    EXPECT_LT(used_seconds(agent_->pid()) - before, 0.4) << "it spins";
    Process late({SLA_TEST_MARKER, "early", "10"}, place_.environment());
    EXPECT_EQ(late.wait().code, 0) << "a program that finds no place goes on without";
    EXPECT_LE(count_of(agent_->errors(), "cannot take"), 2U) << agent_->errors();

    crowd.clear();
    EXPECT_TRUE(support::eventually([&] {
        Process channels({SLA_BINARIES "/sla", "channels", place_.address()}, place_.environment());
        return channels.wait().code == 0;
    })) << agent_->errors();
    program.signal(SIGTERM);
    EXPECT_EQ(program.wait().code, 0);
    agent_->signal(SIGTERM);
    EXPECT_EQ(agent_->wait().code, 0) << agent_->errors();
    const auto session = place_.load();
    const store::Lane* lane = session->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    EXPECT_GE(lane->size(), program.number("offered")) << "who was there before lost nothing";
}

TEST_F(Shortage, IsPutOffByTakingAllThatTheHardLimitAllows) {
    start("ulimit -S -n 64");
    std::ifstream limits("/proc/" + std::to_string(agent_->pid()) + "/limits");
    std::string line;
    while (std::getline(limits, line) && line.rfind("Max open files", 0) != 0) {
    }
    std::istringstream words(line.substr(std::string("Max open files").size()));
    std::string soft;
    std::string hard;
    words >> soft >> hard;
    EXPECT_EQ(soft, hard);
    EXPECT_NE(soft, "64");
}

TEST_F(Shortage, OfProgramsIsSaidOnceToo) {
    start("ulimit -n 24");
    std::vector<std::unique_ptr<Process>> programs;
    for (int i = 0; i < 20; i++) {
        programs.push_back(
            std::make_unique<Process>(std::vector<std::string>{SLA_TEST_MARKER, "steady"}, place_.environment()));
    }
    ASSERT_TRUE(support::eventually([&] {
        return agent_->errors().find("cannot take programs in") != std::string::npos ||
               agent_->errors().find("no descriptor is left for its segment") != std::string::npos;
    })) << agent_->errors();
    const double before = used_seconds(agent_->pid());
    const auto begin = std::chrono::steady_clock::now();
    support::eventually([&] { return std::chrono::steady_clock::now() - begin > std::chrono::seconds(1); });
    EXPECT_LT(used_seconds(agent_->pid()) - before, 0.4) << "it spins";
    EXPECT_LE(count_of(agent_->errors(), "cannot take programs in"), 1U) << agent_->errors();
    for (auto& program : programs) {
        EXPECT_TRUE(program->wait_for_output("running"));
        program->signal(SIGTERM);
        EXPECT_EQ(program->wait().code, 0);
    }
    agent_->signal(SIGTERM);
    EXPECT_EQ(agent_->wait().code, 0) << agent_->errors();
}

// A thread's stack may be larger than all that the agent may have.
TEST_F(Shortage, OfSpaceForAThreadIsSaidWithWhatLimitsIt) {
    Process agent({"/bin/sh", "-c", "ulimit -s 4000000 && ulimit -v 3000000 && exec " SLA_BINARIES "/sla-agent --no-config"},
                  place_.environment());
    EXPECT_EQ(agent.wait().code, 3);
    EXPECT_NE(agent.errors().find("it cannot start a thread"), std::string::npos) << agent.errors();
    EXPECT_NE(agent.errors().find("ulimit -v"), std::string::npos) << agent.errors();
}

TEST_F(Shortage, OfAddressesIsALossOfWhatTheProgramsMark) {
    start("ulimit -v 400000");
    Process program({SLA_TEST_MARKER, "early", "10"}, place_.environment());
    ASSERT_EQ(program.wait().code, 0);
    ASSERT_TRUE(support::eventually([&] { return agent_->errors().find("was turned away") != std::string::npos; }))
        << agent_->errors();
    agent_->signal(SIGTERM);
    ASSERT_EQ(agent_->wait().code, 0) << agent_->errors();
    EXPECT_EQ(count_of(agent_->errors(), "was turned away"), 1U) << agent_->errors();
    EXPECT_EQ(count_of(agent_->errors(), "0 lost, and an unknown number"), 1U) << agent_->errors();
    const auto session = place_.load();
    const store::Lane* lane = session->lane_named("sla.turned-away");
    ASSERT_NE(lane, nullptr);
    EXPECT_GE(lane->size(), 1U);
    Process check({SLA_BINARIES "/sla", "check", place_.capture(), "--limit", "lost == 0"}, place_.environment());
    EXPECT_EQ(check.wait().code, 1) << check.output() << check.errors();
}

TEST_F(Shortage, OfAddressesInAProgramIsALossToo) {
    const std::string file = place_.capture();
    Process record({"/bin/sh", "-c",
                    "ulimit -v 400000; exec " SLA_BINARIES "/sla record -o " + file + " -- " SLA_TEST_MARKER " early 10"},
                   place_.environment());
    EXPECT_EQ(record.wait().code, 3) << record.errors();
    EXPECT_NE(record.errors().find("it could make no segment"), std::string::npos) << record.errors();
    EXPECT_EQ(record.errors().find("does the program use sla/marker.h"), std::string::npos) << record.errors();
    EXPECT_NE(place_.load()->lane_named("sla.turned-away"), nullptr);
}

}  // namespace
}  // namespace sla::service_test
