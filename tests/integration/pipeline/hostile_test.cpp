// Broken and hostile peers, stale and taken places: nobody else loses anything, and people are warned.
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <utility>

namespace sla {
namespace {

using support::AgentUnderTest;
using support::Process;

int connect_to(const std::string& path, int type) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, type, 0);
    if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
    close(fd);
    return -1;
}

std::vector<std::string> noise(std::size_t count) {
    std::mt19937 random(7);
    std::vector<std::string> pieces{std::string("\xff\xff\xff\xff garbage"), std::string(4, '\0'), "GET / HTTP/1.1\r\n\r\n",
                                    std::string("\x04\x00\x00\x00zzzz", 8)};
    while (pieces.size() < count) {
        std::string piece(random() % 5000 + 1, '\0');
        for (char& c : piece) c = static_cast<char>(random());
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

unsigned long number_from(const char* variable, unsigned long otherwise) {
    const char* text = std::getenv(variable);
    return text != nullptr ? std::strtoul(text, nullptr, 10) : otherwise;
}

class Hostile : public testing::Test {
protected:
    std::unique_ptr<Process> run(const std::vector<std::string>& words) {
        std::vector<std::string> argv{SLA_TEST_MARKER};
        argv.insert(argv.end(), words.begin(), words.end());
        return std::make_unique<Process>(argv, agent_.environment());
    }
    using Vandals = std::vector<std::unique_ptr<Process>>;
    static void end(Vandals& vandals) {
        for (auto& vandal : vandals) vandal->signal(SIGTERM);
        for (auto& vandal : vandals) vandal->wait();
    }
    // The agent has ended: that many events of the program are in the recording.
    void expect_recorded_of(const Process& program, std::uint64_t events) {
        auto session = agent_.load();
        std::uint64_t counted = 0;
        for (const store::Lane* lane : session->lanes()) {
            const store::Source* source = session->source_of(*lane);
            if (source && source->pid == static_cast<std::uint32_t>(program.pid())) counted += lane->events();
        }
        EXPECT_EQ(counted, events);
    }
    // A program marks 20,000 values with the agent as it is now; all of them arrive.
    void expect_a_good_program_to_be_recorded() {
        auto program = run({"count-and-die", "20000"});
        program->wait();
        ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
        expect_recorded_of(*program, 20000);
    }

    AgentUnderTest agent_{SLA_BINARIES};
};

TEST_F(Hostile, GarbageOnTheClientsSocketCostsNobodyElseAnything) {
    ASSERT_TRUE(agent_.start());
    for (const std::string& piece : noise(40)) {
        int fd = connect_to(agent_.runtime() + "/agent.sock", SOCK_STREAM);
        ASSERT_GE(fd, 0);
        (void)!write(fd, piece.data(), piece.size());
        close(fd);
    }
    expect_a_good_program_to_be_recorded();
}

TEST_F(Hostile, GarbageOnTheProgramsSocketCostsNobodyElseAnything) {
    ASSERT_TRUE(agent_.start());
    for (const std::string& piece : noise(40)) {
        int fd = connect_to(agent_.runtime() + "/programs.sock", SOCK_SEQPACKET);
        ASSERT_GE(fd, 0);
        (void)!send(fd, piece.data(), piece.size(), MSG_NOSIGNAL);
        close(fd);
    }
    expect_a_good_program_to_be_recorded();
}

TEST_F(Hostile, AProgramThatWritesOverItsSegmentHarmsItselfOnly) {
    ASSERT_TRUE(agent_.start());
    Vandals vandals;
    for (const char* seed : {"1", "2", "3"}) {
        vandals.push_back(run({"scribble", seed, "whole"}));
        ASSERT_TRUE(vandals.back()->wait_for_output("scribbling"));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(number_from("SLA_HOSTILE_MS", 500)));
    end(vandals);
    expect_a_good_program_to_be_recorded();
}

// A hundred here, as many as one wants in the long form (tests/bench/soak.sh).
TEST_F(Hostile, BesideHundredsOfVandalsAnHonestProgramLosesNothing) {
    ASSERT_TRUE(agent_.start());
    const unsigned long seconds = std::max(2UL, number_from("SLA_HOSTILE_MS", 0) / 1000);
    auto honest = run({"pace", std::to_string(seconds), "20000"});
    Vandals vandals;
    for (unsigned long i = 0; i < number_from("SLA_HOSTILE_PROGRAMS", 100); i++)
        vandals.push_back(run({"scribble", std::to_string(i), "part"}));
    for (auto& vandal : vandals) ASSERT_TRUE(vandal->wait_for_output("scribbling"));
    ASSERT_EQ(honest->wait(std::chrono::seconds(seconds + 30)).code, 0);
    end(vandals);
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    expect_recorded_of(*honest, honest->number("offered"));
}

TEST_F(Hostile, AProgramThatRenamesItsChannelsWithoutEndMakesNoMoreOfThem) {
    ASSERT_TRUE(agent_.start());
    Vandals vandals;
    vandals.push_back(run({"rename"}));
    ASSERT_TRUE(vandals.back()->wait_for_output("renaming"));
    std::this_thread::sleep_for(std::chrono::milliseconds(number_from("SLA_HOSTILE_MS", 500)));
    end(vandals);
    ASSERT_EQ(agent_.stop(), 0) << agent_.process().errors();
    EXPECT_LE(agent_.load()->lanes().size(), std::size_t{4096} + 1);
}

TEST_F(Hostile, ASecondAgentIsRefusedWithTheFirstOnesPid) {
    ASSERT_TRUE(agent_.start());
    Process second({std::string(SLA_BINARIES) + "/sla-agent"}, agent_.environment());
    EXPECT_EQ(second.wait().code, 3);
    EXPECT_NE(second.errors().find("already (pid " + std::to_string(agent_.process().pid()) + ")"), std::string::npos)
        << second.errors();
    expect_a_good_program_to_be_recorded();
}

TEST_F(Hostile, StaleSocketsOfAKilledAgentAreReplaced) {
    ASSERT_TRUE(agent_.start());
    agent_.kill_hard();
    struct stat info {};
    ASSERT_EQ(stat((agent_.runtime() + "/agent.sock").c_str(), &info), 0) << "the killed agent left its socket";
    ASSERT_TRUE(agent_.start());
    expect_a_good_program_to_be_recorded();
}

TEST_F(Hostile, ARuntimeDirectoryOpenToOthersIsRefused) {
    ASSERT_EQ(mkdir(agent_.runtime().c_str(), 0700), 0);
    ASSERT_EQ(chmod(agent_.runtime().c_str(), 0777), 0);
    EXPECT_FALSE(agent_.start());
    EXPECT_EQ(agent_.process().wait().code, 3);
    EXPECT_NE(agent_.process().errors().find("open to others"), std::string::npos) << agent_.process().errors();
}

TEST_F(Hostile, ARecordingThatCannotBeWrittenIsRefusedAtStart) {
    Process agent({std::string(SLA_BINARIES) + "/sla-agent", "--record", agent_.file("no/such/place.sla")},
                  agent_.environment());
    EXPECT_EQ(agent.wait().code, 3);
    EXPECT_NE(agent.errors().find("place.sla"), std::string::npos) << agent.errors();
}

TEST_F(Hostile, AnAgentThatDoesNotStartLeavesTheFileToRecordIntoAsItWas) {
    const std::string kept = agent_.file("kept.sla");
    std::ofstream(kept) << "an earlier capture";
    const std::pair<const char*, const char*> wrong[] = {{"--listen", "tcp:1.2.3.4:99"},
                                                         {"--listen", "tls:127.0.0.1:4999"},
                                                         {"--linux", "schd"},
                                                         {"--uprobe", "/no/such/program:main"},
                                                         {"--publish", "nats://127.0.0.1:1"}};
    for (const auto& [option, value] : wrong) {
        Process agent(
            {std::string(SLA_BINARIES) + "/sla-agent", "--record", kept, "--spool-dir", "/proc/none", option, value},
            agent_.environment());
        EXPECT_GE(agent.wait().code, 2) << value;
        EXPECT_EQ(std::filesystem::file_size(kept), std::string("an earlier capture").size()) << value;
    }
}

TEST_F(Hostile, WrongUseOfTheCommandLineIsReportedWithExitCodeTwo) {
    Process unknown({std::string(SLA_BINARIES) + "/sla-agent", "--no-such-option"}, agent_.environment());
    EXPECT_EQ(unknown.wait().code, 2);
    Process address({std::string(SLA_BINARIES) + "/sla-agent", "--listen", "carrier-pigeon:1"}, agent_.environment());
    EXPECT_EQ(address.wait().code, 2);
    EXPECT_NE(address.errors().find("unix:"), std::string::npos) << address.errors();
}

}  // namespace
}  // namespace sla
