// A program that marks millions a second, viewers that come, stall and go, an agent that is restarted twice and killed once:
// every event is recorded, counted as lost, or was marked while nobody listened.
//
//   agent 1 ── SIGTERM ── agent 2 ── kill -9 ── agent 3 ── SIGTERM ── agent 4 ── end
//
// $SLA_SOAK_SECONDS (4) and $SLA_SOAK_RATE (2000000) make it longer and harder; tests/bench/soak.sh is the full form.
#include "tests/integration/soak/soak_ledger.h"
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numeric>
#include <sstream>
#include <thread>

namespace sla::soak {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using support::AgentUnderTest;
using support::Process;

constexpr unsigned long kThreads = 2;
constexpr double kRowsInHand = 64;     // of an agent that was kept from its core for a while: a ring's worth
constexpr double kMaxMebibytes = 256;  // 64 MiB of events, what every agent has, and what readers have in flight

unsigned long setting(const char* name, unsigned long fallback) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtoul(text, nullptr, 10) : fallback;
}

// What the agent itself holds. The pages of programs' rings that it has looked at are the programs', and bounded there.
double own_mebibytes(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    std::string word;
    double kibibytes = 0;
    while (status >> word) {
        if (word == "RssAnon:") status >> kibibytes;
    }
    return kibibytes / 1024;
}

class Soak : public testing::Test {
protected:
    // One viewer that comes, stalls, goes on, and goes; again and again.
    void be_a_crowd() {
        for (int visit = 0; !over_; visit++) {
            const std::string file = agent_.file("visit.sla");
            Process viewer({SLA_BINARIES "/sla", "record", "-o", file}, agent_.environment());
            pause(milliseconds(700));
            viewer.signal(SIGSTOP);
            pause(milliseconds(visit % 3 == 0 ? 2500 : 300));
            viewer.signal(SIGCONT);
            pause(milliseconds(500));
            viewer.signal(visit % 2 == 0 ? SIGINT : SIGKILL);
            viewer.wait(seconds(20));
            std::filesystem::remove(file);
        }
    }
    void pause(milliseconds time) const {
        for (; time.count() > 0 && !over_; time -= milliseconds(50)) std::this_thread::sleep_for(milliseconds(50));
    }

    // Lets the agent run, looking at its memory; the capture gets a name of its own when it has ended.
    void run_agent(milliseconds time, bool by_kill) {
        std::vector<double> memory;
        for (auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
            std::this_thread::sleep_for(milliseconds(100));
            memory.push_back(own_mebibytes(agent_.process().pid()));
        }
        EXPECT_TRUE(agent_.process().is_running()) << agent_.process().errors();
        const auto half = memory.begin() + static_cast<std::ptrdiff_t>(memory.size() / 2);
        const double before = *std::max_element(memory.begin(), half);
        const double after = *std::max_element(half, memory.end());
        std::cout << "agent " << captures_.size() + 1 << ": at most " << before << " MiB in its first half, " << after
                  << " MiB in its second\n";
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)  // their shadows are several times what they watch
        EXPECT_LT(after, kMaxMebibytes);
#endif
        if (time > seconds(60)) {
            EXPECT_LT(after, before * 1.1 + kRowsInHand) << "memory is not flat";
        }
        if (by_kill) {
            agent_.kill_hard();
        } else {
            EXPECT_EQ(agent_.stop(), 0) << agent_.process().errors();
        }
        captures_.push_back(agent_.file("agent." + std::to_string(captures_.size()) + ".sla"));
        std::filesystem::rename(agent_.capture(), captures_.back());
    }

    AgentUnderTest agent_{SLA_BINARIES};
    std::vector<std::string> captures_;
    std::atomic<bool> over_{false};
};

TEST_F(Soak, EveryEventIsRecordedCountedAsLostOrWasMarkedWhileNobodyListened) {
    const unsigned long time = setting("SLA_SOAK_SECONDS", 4);
    const milliseconds of_each(time * 1000 / 4);
    const unsigned long rate = setting("SLA_SOAK_RATE", 2'000'000);
    ASSERT_TRUE(agent_.start({"--memory", "64MiB", "--channel-memory", "32MiB"}));
    Process program({SLA_SOAK_PROGRAM, std::to_string(kThreads), std::to_string(rate)}, agent_.environment());
    std::thread crowd([this] { be_a_crowd(); });
    for (int agent = 0; agent < 4 && !HasFailure(); agent++) {
        if (agent > 0 && !agent_.start({"--memory", "64MiB", "--channel-memory", "32MiB"})) {
            ADD_FAILURE() << agent_.process().errors();
            break;
        }
        if (agent == 3) {
            std::this_thread::sleep_for(of_each + seconds(1));
            program.signal(SIGTERM);
            EXPECT_EQ(program.wait().code, 0);
        }
        run_agent(agent == 3 ? seconds(1) : of_each, agent == 1);
    }
    over_ = true;
    crowd.join();
    ASSERT_FALSE(HasFailure());

    Ledger ledger;
    for (const std::string& capture : captures_) ledger.add(capture);
    std::istringstream said(program.output());
    for (unsigned long t = 0; t < kThreads; t++) {
        std::uint64_t made = 0;
        std::uint64_t unheard = 0;
        std::uint64_t silences = 0;
        ASSERT_TRUE(said >> made >> unheard >> silences);
        const std::string channel = "soak." + std::to_string(t);
        ledger.close(channel, made);
        const Account& account = ledger.accounts().at(channel);
        const std::uint64_t holes = std::accumulate(account.holes.begin(), account.holes.end(), std::uint64_t{0});
        std::cout << channel << ": " << made << " made, " << account.recorded << " recorded, " << account.lost
                  << " counted as lost, " << account.late << " as late, " << unheard << " while nobody listened in "
                  << silences << " silences, " << holes << " in " << account.holes.size() << " holes between agents\n";
        EXPECT_EQ(account.wrong, 0u) << "values twice or out of order:\n" << account.oddities;
        EXPECT_EQ(account.before_first, 0u);
        EXPECT_EQ(account.after_last, 0u);
        EXPECT_EQ(account.recorded + account.lost + holes, made);
        // One for each time when nobody listened: mostly that is once a restart; but a program that is quick may still reach
        // the socket of an agent that is being killed, and go on marking for a moment, which the next agent reads. At the
        // kill one more, for what agent 2 had drained but not on disk: about a second's, or what it did not come to on a busy
        // machine. A marker that looks just before it is switched on or off counts on the wrong side.
        EXPECT_LE(account.holes.size(), silences + 1 + account.late) << account.oddities;
        EXPECT_GE(holes + silences * 2, unheard);
        EXPECT_LE(account.late, made / 1'000'000) << "more than a stopped program explains";
    }
}

}  // namespace
}  // namespace sla::soak
