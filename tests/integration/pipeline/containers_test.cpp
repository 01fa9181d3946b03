// Programs and agents in namespaces of their own, on one socket: sources keep apart, and people read where each lives.
#include "tests/support/agent_under_test.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <set>

namespace sla {
namespace {

using support::AgentUnderTest;
using support::Process;

constexpr const char* kUnshare = "/usr/bin/unshare";

// As the init process of a pid namespace, under a user of a user namespace, with a /proc of its own.
const std::vector<std::string> kContainer = {"--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"};

// Why this machine does not let us; empty: it does.
std::string cannot_unshare(const std::vector<std::string>& options) {
    std::vector<std::string> argv{kUnshare};
    argv.insert(argv.end(), options.begin(), options.end());
    argv.emplace_back("/bin/true");
    Process probe(argv);
    return probe.wait().code == 0 ? "" : "unshare does not work here: " + probe.errors();
}

class Containers : public testing::Test {
protected:
    // The runtime directory is bound to another place inside.
    std::unique_ptr<Process> run_inside(const std::vector<std::string>& words) {
        const std::string inside = agent_.file("inside");
        mkdir(inside.c_str(), 0700);
        std::vector<std::string> argv{kUnshare};
        argv.insert(argv.end(), kContainer.begin(), kContainer.end());
        const char* script =
            "mount --bind \"$1\" \"$2\" && shift && SLA_RUNTIME_DIR=\"$1\" && export SLA_RUNTIME_DIR && shift && "
            "exec \"$@\"";
        for (const std::string& word : {std::string("/bin/sh"), std::string("-c"), std::string(script), std::string("sh"),
                                        agent_.runtime(), inside, std::string(SLA_TEST_MARKER)})
            argv.push_back(word);
        argv.insert(argv.end(), words.begin(), words.end());
        return std::make_unique<Process>(argv, agent_.environment());
    }
    // Sources that are marked programs, each with 1,000 events of its own.
    static std::multiset<std::string> names_of_programs(const store::Session& session) {
        std::multiset<std::string> names;
        for (const store::Lane* lane : session.lanes()) {
            const store::Source* source = session.source_of(*lane);
            if (source == nullptr || lane->channel().name != "burst.0") continue;
            EXPECT_EQ(lane->events(), 1000u) << source->name;
            names.insert(source->name);
        }
        return names;
    }

    AgentUnderTest agent_{SLA_BINARIES};
};

TEST_F(Containers, ProgramsOfManyNamespacesWithTheSamePidAreSourcesOfTheirOwn) {
    if (const std::string why = cannot_unshare(kContainer); !why.empty()) GTEST_SKIP() << why;
    ASSERT_TRUE(agent_.start());
    std::vector<std::unique_ptr<Process>> programs;
    for (int i = 0; i < 5; i++) programs.push_back(run_inside({"burst", "1", "1", "1000"}));
    Process outside({SLA_TEST_MARKER, "burst", "1", "1", "1000"}, agent_.environment());
    for (auto& program : programs) EXPECT_EQ(program->wait().code, 0) << program->errors();
    EXPECT_EQ(outside.wait().code, 0);
    ASSERT_EQ(agent_.stop(), 0);
    const auto session = agent_.load();
    EXPECT_EQ(session->lost(), 0u);
    const std::multiset<std::string> names = names_of_programs(*session);
    EXPECT_EQ(names.size(), 6u);
    EXPECT_EQ(names.count("sla-test-marker"), 1u) << "the one beside the agent needs no more words";
    std::size_t inside = 0;
    for (const std::string& name : names) {
        const bool says_both = name.find(", pid 1 there, ") != std::string::npos && name.ends_with(" here)");
        inside += says_both ? 1 : 0;
    }
    EXPECT_EQ(inside, 5u);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 6u) << "no two read alike";
}

class AgentInAContainer : public Containers {
protected:
    // An sla-agent that is the init process of a pid namespace: programs outside have no pid there.
    AgentInAContainer() {
        const std::string folder = directory_.file("bin");
        mkdir(folder.c_str(), 0700);
        const std::string path = folder + "/sla-agent";
        std::ofstream(path) << "#!/bin/sh\nexec " << kUnshare << " --pid --fork --kill-child --mount-proc " << SLA_BINARIES
                            << "/sla-agent \"$@\"\n";
        chmod(path.c_str(), 0700);
        inner_ = std::make_unique<AgentUnderTest>(folder);
    }
    // unshare itself takes no signals.
    int stop() {
        const std::string outer = std::to_string(inner_->process().pid());
        pid_t child = 0;
        std::ifstream("/proc/" + outer + "/task/" + outer + "/children") >> child;
        if (child > 0) kill(child, SIGTERM);
        return inner_->process().wait().code;
    }

    support::TempDir directory_;
    std::unique_ptr<AgentUnderTest> inner_;
};

TEST_F(AgentInAContainer, ProgramsThatHaveNoPidForItAreToldApart) {
    if (const std::string why = cannot_unshare({"--pid", "--fork", "--mount-proc"}); !why.empty()) GTEST_SKIP() << why;
    ASSERT_TRUE(inner_->start());
    std::vector<std::unique_ptr<Process>> programs;
    for (int i = 0; i < 8; i++) {
        programs.push_back(std::make_unique<Process>(std::vector<std::string>{SLA_TEST_MARKER, "burst", "1", "1", "1000"},
                                                     inner_->environment()));
    }
    for (auto& program : programs) EXPECT_EQ(program->wait().code, 0);
    ASSERT_EQ(stop(), 0) << inner_->process().errors();
    const auto session = inner_->load();
    const std::multiset<std::string> names = names_of_programs(*session);
    EXPECT_EQ(names.size(), 8u);
    for (auto& program : programs) {
        const std::string name = "sla-test-marker (another pid namespace, pid " + std::to_string(program->pid()) + " there)";
        EXPECT_EQ(names.count(name), 1u) << name;
    }
}

TEST_F(Containers, AProgramWhoseTimeNamespaceShiftsItsClockIsRefusedWithTheReason) {
    const std::vector<std::string> shifted = {"--time", "--monotonic", "100000", "--fork", "--kill-child"};
    if (const std::string why = cannot_unshare(shifted); !why.empty()) GTEST_SKIP() << why;
    setenv("SLA_CLOCK", "raw", 1);
    const bool started = agent_.start();
    unsetenv("SLA_CLOCK");
    ASSERT_TRUE(started);
    std::vector<std::string> argv{kUnshare};
    argv.insert(argv.end(), shifted.begin(), shifted.end());
    for (const char* word : {SLA_TEST_MARKER, "burst", "1", "1", "1000"}) argv.emplace_back(word);
    Process program(argv, agent_.environment());
    EXPECT_EQ(program.wait().code, 0);
    EXPECT_TRUE(support::eventually([&] { return agent_.process().errors().find("time namespace") != std::string::npos; }));
    ASSERT_EQ(agent_.stop(), 0);
    EXPECT_EQ(agent_.load()->events(), 0u);
}

}  // namespace
}  // namespace sla
