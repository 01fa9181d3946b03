// Without permission, with wrong words, after being killed: what is said, and what is left behind.
#include "tests/integration/linux/host_test.h"

#include <csignal>
#include <filesystem>

namespace sla {
namespace {

class HostPermission : public HostTest {
protected:
    // Copies the two programs to where any user can run them.
    void copy_programs() {
        std::filesystem::create_directory(open_place());
        for (const char* name : {"sla", "sla-agent"})
            std::filesystem::copy_file(std::string(SLA_BINARIES) + "/" + name, open_place() + "/" + name);
        std::filesystem::permissions(directory_.path(), std::filesystem::perms::all);
        std::filesystem::permissions(open_place(), std::filesystem::perms::all);
    }
    // Instances of this agent in the kernel.
    static std::size_t instances_of(pid_t pid) {
        std::size_t count = 0;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator("/sys/kernel/tracing/instances", none))
            count += entry.path().filename().string().starts_with("sla-" + std::to_string(pid) + "-") ? 1 : 0;
        return count;
    }
    [[nodiscard]] std::string open_place() const { return directory_.file("open"); }
    [[nodiscard]] std::unique_ptr<support::Process> start_agent(const std::string& events) {
        return std::make_unique<support::Process>(
            std::vector<std::string>{SLA_BINARIES "/sla-agent", "--linux", events},
            std::map<std::string, std::string>{{"SLA_RUNTIME_DIR", directory_.file("run")}});
    }
    static bool is_up(support::Process& agent) {
        return support::eventually(
                   [&] { return agent.errors().find("listening on unix:") != std::string::npos || !agent.is_running(); }) &&
               agent.is_running();
    }
};

TEST_F(HostPermission, AnOrdinaryUserIsToldWhatGivesThePermissionAndMarkersGoOn) {
    copy_programs();
    support::Process recording(
        {"/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", open_place() + "/sla", "record", "-o",
         open_place() + "/a.sla", "--linux", "irq", "--", "/bin/true"},
        {{"TMPDIR", open_place()}});
    EXPECT_EQ(recording.wait().code, 0) << recording.errors();
    EXPECT_NE(recording.errors().find("kernel events are left out: no permission: "), std::string::npos)
        << recording.errors();
    EXPECT_NE(recording.errors().find("setcap cap_dac_override+ep "), std::string::npos) << recording.errors();
}

TEST_F(HostPermission, WithNothingElseToRecordTheRecordingFails) {
    copy_programs();
    support::Process recording(
        {"/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", open_place() + "/sla", "record", "-o",
         open_place() + "/a.sla", "--linux", "irq", "--for", "100ms"},
        {{"TMPDIR", open_place()}});
    EXPECT_EQ(recording.wait().code, 3) << recording.errors();
}

TEST_F(HostPermission, WrongWordsAreWrongUseAndSayWhatThereIs) {
    const std::map<std::string, std::string> wrong = {
        {"interrupts", "there are irq, softirq"},
        {"sched:sched_swich", "this kernel has no event sched:sched_swich"},
        {"sched:sched_switch if no_such_field==1", "Field not found"},
        {"sched:sched_switch if", "a filter is missing"},
        {"irq,", "an empty item"},
        {"sched:sched_switch if (prev_pid==1", "brackets do not match"},
    };
    for (const auto& [events, complaint] : wrong) {
        const int code = record({"--linux", events, "--for", "100ms"});
        EXPECT_EQ(code, 2) << events << ": " << errors_;
        EXPECT_NE(errors_.find(complaint), std::string::npos) << events << ": " << errors_;
    }
    EXPECT_EQ(record({"--linux", "sched", "--pid", "999999999", "--for", "100ms"}), 1);
    EXPECT_NE(errors_.find("there is no process 999999999"), std::string::npos) << errors_;
}

TEST_F(HostPermission, AfterAnEndNothingIsLeftInTheKernel) {
    auto agent = start_agent("sched");
    ASSERT_TRUE(is_up(*agent)) << agent->errors();
    EXPECT_EQ(instances_of(agent->pid()), 1u);
    agent->signal(SIGTERM);
    EXPECT_EQ(agent->wait().code, 0);
    EXPECT_EQ(instances_of(agent->pid()), 0u);
}

TEST_F(HostPermission, WhatAKilledAgentLeftBehindIsSweptByTheNext) {
    auto killed = start_agent("sched");
    ASSERT_TRUE(is_up(*killed)) << killed->errors();
    const pid_t pid = killed->pid();
    killed->signal(SIGKILL);
    killed->wait();
    ASSERT_EQ(instances_of(pid), 1u);
    auto next = start_agent("irq");
    ASSERT_TRUE(is_up(*next)) << next->errors();
    EXPECT_EQ(instances_of(pid), 0u);
    EXPECT_EQ(instances_of(next->pid()), 1u);
    next->signal(SIGTERM);
    EXPECT_EQ(next->wait().code, 0);
}

}  // namespace
}  // namespace sla
