// The agent as a service: sockets and notifications of a service manager, reload, journal, metrics, restart.
#include "tests/integration/service/raw_socket.h"
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

namespace sla::service_test {
namespace {

using std::chrono::milliseconds;
using support::AgentUnderTest;
using support::Process;
using Clock = std::chrono::steady_clock;

const std::string kAgent = SLA_BINARIES "/sla-agent";

class Service : public testing::Test {
protected:
    std::map<std::string, std::string> environment(bool with_notifications = true) {
        auto variables = agent_.environment();
        if (with_notifications) variables["NOTIFY_SOCKET"] = agent_.file("notify");
        return variables;
    }
    bool receives(const std::string& assignment) {
        return support::eventually([&] {
            received_ += manager_.receive();
            return received_.find(assignment) != std::string::npos;
        });
    }
    void configure(const std::string& json) {
        std::filesystem::create_directories(agent_.file("config") + "/sla");
        std::ofstream(agent_.file("config") + "/sla/agent.json") << json;
    }
    static bool says(Process& process, const std::string& text) {
        return support::eventually(
                   [&] { return process.errors().find(text) != std::string::npos || !process.is_running(); }) &&
               process.errors().find(text) != std::string::npos;
    }

    AgentUnderTest agent_{SLA_BINARIES};
    RawSocket manager_ = RawSocket::notifications(agent_.file("notify"));
    std::string received_;
};

TEST_F(Service, IsStartedByTheFirstMarkerAndServesTheSocketsItWasPassed) {
    Process agent({SLA_ACTIVATE, agent_.runtime(), kAgent, "--record", agent_.capture()}, environment());
    ASSERT_TRUE(agent.wait_for_output("bound"));
    Process program({SLA_TEST_MARKER, "clocked", "100"}, agent_.environment());
    EXPECT_TRUE(receives("READY=1")) << agent.errors();
    Process channels({SLA_BINARIES "/sla", "channels", agent_.address()}, agent_.environment());
    EXPECT_EQ(channels.wait().code, 0) << channels.errors();
    EXPECT_EQ(program.wait().code, 0);
    agent.signal(SIGTERM);
    EXPECT_EQ(agent.wait().code, 0) << agent.errors();
    EXPECT_TRUE(receives("STOPPING=1"));
    EXPECT_TRUE(std::filesystem::exists(agent_.runtime() + "/agent.sock"))
        << "the manager's socket is not the agent's to remove";
    EXPECT_TRUE(std::filesystem::exists(agent_.runtime() + "/programs.sock"));
    const auto session = agent_.load();
    const store::Lane* lane = session->lane_named("test.main");
    ASSERT_NE(lane, nullptr);
    EXPECT_EQ(lane->size(), 100U) << "from the marker on that started it";
}

TEST_F(Service, RefusesDescriptorsThatAreNotWhatTheySayWithAWordAboutThem) {
    auto variables = environment(false);
    Process agent({"/bin/sh", "-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec " + kAgent + " 3</dev/null"}, variables);
    EXPECT_EQ(agent.wait().code, 2);
    EXPECT_NE(agent.errors().find("descriptor 3"), std::string::npos) << agent.errors();
}

std::ptrdiff_t values_in(const std::string& table) {
    std::ptrdiff_t rows = 0;
    for (std::size_t at = 0; (at = table.find("test.main,value", at)) != std::string::npos; at++) rows++;
    return rows;
}

TEST_F(Service, ReadsItsConfigurationAgainAndKeepsTheOldOneWhenTheNewOneIsWrong) {
    configure(R"({"channels": [{"match": "test.main", "enabled": false}]})");
    Process agent({kAgent}, environment());
    ASSERT_TRUE(receives("READY=1"));
    received_.clear();
    configure(R"({"channels": [{"match": "test.main")");
    agent.signal(SIGHUP);
    EXPECT_TRUE(says(agent, "everything stays as it was")) << agent.errors();
    EXPECT_TRUE(receives("RELOADING=1\nMONOTONIC_USEC="));
    EXPECT_TRUE(receives("READY=1"));
    EXPECT_NE(agent.errors().find("agent.json:1:"), std::string::npos) << "with the place: " << agent.errors();
    Process off({SLA_TEST_MARKER, "pace", "1", "1000"}, agent_.environment());
    EXPECT_EQ(off.wait().code, 0);
    // A program marks until it notices that its channel is off, milliseconds after it came.
    Process few({SLA_BINARIES "/sla", "table", agent_.address(), "--format", "csv"}, agent_.environment());
    few.wait();
    EXPECT_LT(values_in(few.output()), 300) << few.output();

    received_.clear();
    configure(R"({"channels": [{"match": "test.other", "enabled": false}], "record": "later.sla"})");
    agent.signal(SIGHUP);
    EXPECT_TRUE(says(agent, "was read anew; waits for the next start: record")) << agent.errors();
    EXPECT_TRUE(receives("READY=1"));
    Process on({SLA_TEST_MARKER, "pace", "1", "1000"}, agent_.environment());
    EXPECT_EQ(on.wait().code, 0);
    Process some({SLA_BINARIES "/sla", "table", agent_.address(), "--format", "csv"}, agent_.environment());
    some.wait();
    EXPECT_GE(values_in(some.output()), 1000) << some.errors();
    agent.signal(SIGTERM);
    EXPECT_EQ(agent.wait().code, 0) << agent.errors();
}

TEST_F(Service, LogsWithPrioritiesWhenTheJournalListens) {
    Process agent({"/bin/sh", "-c", "JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr) exec " + kAgent}, environment());
    ASSERT_TRUE(receives("READY=1"));
    agent.signal(SIGTERM);
    EXPECT_EQ(agent.wait().code, 0);
    EXPECT_EQ(agent.errors().rfind("<6>listening on ", 0), 0U) << agent.errors();
    EXPECT_NE(agent.errors().find("\n<6>finishing"), std::string::npos) << agent.errors();
}

TEST_F(Service, EndsAtOnceWhenNobodyNeedsMoreAndCanBeStartedAgainRightAway) {
    milliseconds quickest = std::chrono::hours(1);
    for (int round = 0; round < 4; round++) {
        ASSERT_TRUE(agent_.start()) << agent_.process().errors();
        Process program({SLA_TEST_MARKER, "early", "10"}, agent_.environment());
        EXPECT_EQ(program.wait().code, 0);
        // Somebody who is connected and wants nothing.
        const RawSocket idle = RawSocket::client(agent_.runtime() + "/agent.sock");
        ASSERT_TRUE(idle.is_connected());
        const auto asked = Clock::now();
        EXPECT_EQ(agent_.stop(), 0) << agent_.process().errors();
        quickest = std::min(quickest, std::chrono::duration_cast<milliseconds>(Clock::now() - asked));
    }
    EXPECT_LT(quickest.count(), 200);
}

TEST_F(Service, WaitsForAnAgentThatIsJustEnding) {
    ASSERT_TRUE(agent_.start());
    // A viewer that takes nothing more keeps the old agent from ending for a while.
    Process program({SLA_TEST_MARKER, "burst", "2", "2", "500000"}, agent_.environment());
    EXPECT_EQ(program.wait().code, 0);
    Process stalled({SLA_BINARIES "/sla", "record", "-o", agent_.file("stalled.sla")}, agent_.environment());
    ASSERT_TRUE(says(agent_.process(), " joined"));
    stalled.signal(SIGSTOP);
    agent_.process().signal(SIGTERM);
    ASSERT_TRUE(says(agent_.process(), "finishing"));
    Process next({kAgent}, environment());
    EXPECT_TRUE(receives("READY=1")) << next.errors();
    EXPECT_EQ(agent_.process().wait().code, 0);
    next.signal(SIGTERM);
    EXPECT_EQ(next.wait().code, 0) << next.errors();
}

TEST_F(Service, GivesMetricsThatPromtoolAcceptsWhileHostileClientsTry) {
    if (!std::filesystem::exists("/usr/bin/promtool")) GTEST_SKIP() << "there is no promtool (Debian package prometheus)";
    const std::string address = agent_.file("metrics");
    ASSERT_TRUE(agent_.start({"--metrics", "unix:" + address, "--trigger", "test.main > 5"})) << agent_.process().errors();
    Process program({SLA_TEST_MARKER, "burst", "2", "1", "50"}, agent_.environment());
    EXPECT_EQ(program.wait().code, 0);
    std::vector<RawSocket> slow;
    for (int i = 0; i < 20; i++) {
        slow.push_back(RawSocket::client(address));
        slow.back().send(i % 2 ? "GET /met" : std::string(3000, '\xff'));
    }
    std::string page;
    ASSERT_TRUE(support::eventually([&] {
        RawSocket client = RawSocket::client(address);
        client.send("GET /metrics HTTP/1.0\r\n\r\n");
        page = client.receive_all();
        return page.find("\nsla_events_total 100\n") != std::string::npos;
    })) << page;
    std::ofstream(agent_.file("page")) << page.substr(page.find("\r\n\r\n") + 4);
    Process check({"/bin/sh", "-c", "/usr/bin/promtool check metrics < " + agent_.file("page")});
    EXPECT_EQ(check.wait().code, 0) << check.output() << check.errors() << page;
    EXPECT_EQ(check.errors(), "");
    EXPECT_EQ(agent_.stop(), 0) << agent_.process().errors();
}

}  // namespace
}  // namespace sla::service_test
