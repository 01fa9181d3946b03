// Without permission, with wrong words, after being killed: what is said, and what is left behind.
#include "tests/integration/linux/host_test.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

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
    // The process that opens the kernel's trace for this agent; 0: it has none.
    static pid_t opener_of(pid_t agent) {
        std::ifstream in("/proc/" + std::to_string(agent) + "/task/" + std::to_string(agent) + "/children");
        pid_t privileged_helper = 0;
        in >> privileged_helper;
        return privileged_helper;
    }
    // Instances of this helper in the kernel.
    static std::size_t instances_of(pid_t privileged_helper) {
        std::size_t count = 0;
        std::error_code none;
        for (const auto& entry : std::filesystem::directory_iterator("/sys/kernel/tracing/instances", none))
            count += entry.path().filename().string().starts_with("sla-" + std::to_string(privileged_helper) + "-") ? 1 : 0;
        return count;
    }
    // A line of /proc/PID/status, without its label.
    static std::string status_of(pid_t pid, const std::string& label) {
        std::ifstream in("/proc/" + std::to_string(pid) + "/status");
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with(label + ":\t")) return line.substr(label.size() + 2);
        }
        return "";
    }
    [[nodiscard]] std::string open_place() const { return directory_.file("open"); }
    [[nodiscard]] std::unique_ptr<support::Process> start_agent(const std::vector<std::string>& options) {
        std::vector<std::string> argv{SLA_BINARIES "/sla-agent", "--no-config"};
        argv.insert(argv.end(), options.begin(), options.end());
        return std::make_unique<support::Process>(
            argv, std::map<std::string, std::string>{{"SLA_RUNTIME_DIR", directory_.file("run")}});
    }
    // The program file gives whoever runs it this capability; false: files here take none.
    static bool make_capable(const std::string& program, const std::string& capability = "cap_dac_override") {
        return support::Process({"/usr/sbin/setcap", capability + "+ep", program}).wait().code == 0;
    }
    static std::vector<std::string> as_nobody(const std::vector<std::string>& command) {
        std::vector<std::string> argv{"/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"};
        argv.insert(argv.end(), command.begin(), command.end());
        return argv;
    }
    // In a mount namespace of its own, in which root prepares what is mounted where.
    static std::vector<std::string> with_mounts(const std::string& prepare, const std::vector<std::string>& command) {
        std::vector<std::string> argv{"/usr/bin/unshare",          "--mount", "--propagation", "private", "/bin/sh", "-c",
                                      prepare + " && exec \"$@\"", "sh"};
        argv.insert(argv.end(), command.begin(), command.end());
        return argv;
    }
    // Some machines let everybody look into debugfs.
    static bool is_open_debugfs(const std::string& prepare) {
        return support::Process(with_mounts(prepare, as_nobody({"/usr/bin/stat", "/sys/kernel/debug/tracing"})))
                   .wait()
                   .code == 0;
    }
    static bool is_up(support::Process& agent) {
        // A busy kernel takes its time to make a trace instance.
        return support::eventually(
                   [&] { return agent.errors().find("listening on unix:") != std::string::npos || !agent.is_running(); },
                   std::chrono::seconds(60)) &&
               agent.is_running();
    }
};

// Whatever is mounted, he is told what is true there, and what gives the permission.
TEST_F(HostPermission, AnOrdinaryUserLearnsWhatGivesThePermissionAndMarkersGoOn) {
    copy_programs();
    const std::string none = "{ umount /sys/kernel/debug; umount /sys/kernel/tracing; } 2>/dev/null; true";
    const std::string tracefs = none + " && mount -t tracefs tracefs /sys/kernel/tracing";
    const std::string debugfs = " && mount -t debugfs debugfs /sys/kernel/debug";
    const std::string closed = " is closed to this user; run sla-agent as root, or: setcap ";
    const bool is_debugfs_open = is_open_debugfs(none + debugfs);
    const std::vector<std::pair<std::string, std::string>> machines = {
        {tracefs, "/sys/kernel/tracing/instances" + closed},
        {tracefs + debugfs, "/sys/kernel/tracing/instances" + closed},
        {none, "tracefs is not mounted; as root: mount -t tracefs tracefs /sys/kernel/tracing, and then, for this user: "},
        {none + debugfs,
         (is_debugfs_open ? "/sys/kernel/debug/tracing/instances" : "/sys/kernel/debug, where it is too,") + closed},
    };
    for (const auto& [prepare, says] : machines) {
        if (support::Process(with_mounts(prepare, {"/bin/true"})).wait().code != 0) continue;  // not on this kernel
        support::Process recording(
            with_mounts(prepare, as_nobody({open_place() + "/sla", "record", "-o", open_place() + "/a.sla", "--linux", "irq",
                                            "--", "/bin/true"})),
            {{"TMPDIR", open_place()}});
        EXPECT_EQ(recording.wait().code, 3) << "nothing of what was asked for is there; " << recording.errors();
        EXPECT_NE(recording.errors().find("kernel events are left out: no permission: "), std::string::npos)
            << recording.errors();
        EXPECT_EQ(recording.errors().find("SLA_DISABLE"), std::string::npos) << recording.errors();
        EXPECT_NE(recording.errors().find(says), std::string::npos) << recording.errors();
        EXPECT_NE(recording.errors().find("setcap cap_dac_override+ep "), std::string::npos) << recording.errors();
    }
}

TEST_F(HostPermission, WithNothingElseToRecordTheRecordingFails) {
    copy_programs();
    support::Process recording(
        {"/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", open_place() + "/sla", "record", "-o",
         open_place() + "/a.sla", "--linux", "irq", "--for", "100ms"},
        {{"TMPDIR", open_place()}});
    EXPECT_EQ(recording.wait().code, 3) << recording.errors();
}

TEST_F(HostPermission, WhoMayNotSampleTheWholeMachineLearnsThatHeMaySampleHisOwnProcesses) {
    copy_programs();
    support::Process recording(as_nobody({open_place() + "/sla", "record", "-o", open_place() + "/a.sla", "--sample",
                                          "time:1ms", "--", "/bin/true"}),
                               {{"TMPDIR", open_place()}});
    const int code = recording.wait().code;
    if (recording.errors().find("kernel events are left out") == std::string::npos) GTEST_SKIP() << "he may, here";
    EXPECT_EQ(code, 3) << recording.errors();
    EXPECT_NE(recording.errors().find("sample your own processes alone, by --pid, or --follow"), std::string::npos)
        << recording.errors();
    support::Process places(as_nobody({open_place() + "/sla", "places", open_place() + "/a.sla"}));
    EXPECT_EQ(places.wait().code, 1);
    EXPECT_NE(places.errors().find("has no samples"), std::string::npos) << places.errors();
}

TEST_F(HostPermission, WrongWordsAreWrongUseAndSayWhatThereIs) {
    const std::map<std::string, std::string> wrong = {
        {"interrupts", "there are irq, softirq"},
        {"sched:sched_swich",
         "this kernel has no event sched:sched_swich; it lists those of a system in "
         "/sys/kernel/tracing/events/SYSTEM"},
        {"ftrace:*", "this kernel has no event ftrace:*"},
        {"sched:sched_switch if no_such_field==1", "Field not found"},
        {"sched:sched_switch if", "a filter is missing"},
        {"irq,", "an empty item"},
        {"sched:sched_switch if (prev_pid==1", "brackets do not match"},
    };
    std::ofstream(capture()) << "an earlier capture";
    for (const auto& [events, complaint] : wrong) {
        const int code = record({"--linux", events, "--for", "100ms"});
        EXPECT_EQ(code, 2) << events << ": " << errors_;
        EXPECT_NE(errors_.find(complaint), std::string::npos) << events << ": " << errors_;
    }
    EXPECT_EQ(record({"--linux", "sched", "--pid", "999999999", "--for", "100ms"}), 2);
    EXPECT_NE(errors_.find("there is no process 999999999"), std::string::npos) << errors_;
    EXPECT_EQ(std::filesystem::file_size(capture()), std::string("an earlier capture").size()) << "it is as it was";
}

TEST_F(HostPermission, AfterAnEndNothingIsLeftInTheKernel) {
    auto agent = start_agent({"--linux", "sched"});
    ASSERT_TRUE(is_up(*agent)) << agent->errors();
    const pid_t privileged_helper = opener_of(agent->pid());
    EXPECT_EQ(instances_of(privileged_helper), 1u);
    agent->signal(SIGTERM);
    EXPECT_EQ(agent->wait().code, 0);
    EXPECT_EQ(instances_of(privileged_helper), 0u);
}

TEST_F(HostPermission, WhenTheAgentIsKilledItsOpenerCleansUpAndEnds) {
    auto killed = start_agent({"--linux", "sched", "--uprobe", SLA_HOST_PROGRAM ":host_work"});
    ASSERT_TRUE(is_up(*killed)) << killed->errors();
    const pid_t privileged_helper = opener_of(killed->pid());
    ASSERT_EQ(instances_of(privileged_helper), 1u);
    killed->signal(SIGKILL);
    killed->wait();
    EXPECT_TRUE(support::eventually(
        [&] { return instances_of(privileged_helper) == 0 && status_of(privileged_helper, "State").find('R') != 0; }));
    const auto probes_left = [&] {
        std::ifstream probes("/sys/kernel/tracing/dynamic_events");
        for (std::string line; std::getline(probes, line);) {
            if (line.find("_" + std::to_string(privileged_helper) + "_") != std::string::npos) return true;
        }
        return false;
    };
    EXPECT_TRUE(support::eventually([&] { return !probes_left(); })) << "they go after the instance";
}

TEST_F(HostPermission, WhatAKilledAgentAndItsKilledOpenerLeftBehindIsSweptByTheNext) {
    auto killed = start_agent({"--linux", "sched"});
    ASSERT_TRUE(is_up(*killed)) << killed->errors();
    const pid_t privileged_helper = opener_of(killed->pid());
    ASSERT_GT(privileged_helper, 0);
    ASSERT_EQ(::kill(privileged_helper, SIGKILL), 0);
    killed->signal(SIGKILL);
    killed->wait();
    ASSERT_TRUE(support::eventually([&] {  // a killed process takes a moment to die
        const std::string state = status_of(privileged_helper, "State");
        return state.empty() || state.starts_with("Z");
    }));
    ASSERT_EQ(instances_of(privileged_helper), 1u);
    auto next = start_agent({"--linux", "irq"});
    ASSERT_TRUE(is_up(*next)) << next->errors();
    EXPECT_EQ(instances_of(privileged_helper), 0u);
    EXPECT_EQ(instances_of(opener_of(next->pid())), 1u);
    next->signal(SIGTERM);
    EXPECT_EQ(next->wait().code, 0);
}

TEST_F(HostPermission, AnAgentThatBecomesAnOrdinaryUserHasNoPrivilegeAndStillTraces) {
    std::filesystem::permissions(directory_.path(), std::filesystem::perms::all);
    const std::string capture = directory_.file("as.sla");
    auto agent = start_agent({"--linux", "sched", "--as", "nobody", "--record", capture});
    ASSERT_TRUE(is_up(*agent)) << agent->errors();
    EXPECT_TRUE(status_of(agent->pid(), "Uid").starts_with("65534\t65534\t65534\t65534"));
    EXPECT_EQ(status_of(agent->pid(), "CapEff"), "0000000000000000");
    EXPECT_EQ(status_of(agent->pid(), "CapPrm"), "0000000000000000");
    EXPECT_EQ(status_of(agent->pid(), "NoNewPrivs"), "1");
    const pid_t privileged_helper = opener_of(agent->pid());
    EXPECT_TRUE(status_of(privileged_helper, "Uid").starts_with("0\t")) << "the opener keeps root's rights";
    usleep(300'000);
    agent->signal(SIGTERM);
    EXPECT_EQ(agent->wait().code, 0) << agent->errors();
    EXPECT_EQ(instances_of(privileged_helper), 0u);
    support::Process channels({SLA_BINARIES "/sla", "channels", capture, "--format", "tsv"});
    EXPECT_EQ(channels.wait().code, 0);
    EXPECT_NE(channels.output().find("linux.cpu."), std::string::npos) << channels.output();
}

// What the doctor recommends to an ordinary user who wants the kernel's events.
TEST_F(HostPermission, ACapabilityOfTheProgramFileIsTheOpenersAloneAndIsEnough) {
    copy_programs();
    const std::string program = open_place() + "/sla-agent";
    if (!make_capable(program)) GTEST_SKIP() << "skipped, because files here take no capabilities";
    const std::string capture = open_place() + "/a.sla";
    support::Process agent({"/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", program,
                            "--no-config", "--linux", "sched", "--record", capture},
                           {{"SLA_RUNTIME_DIR", open_place() + "/run"}});
    ASSERT_TRUE(is_up(agent)) << agent.errors();
    EXPECT_TRUE(status_of(agent.pid(), "Uid").starts_with("65534\t65534\t65534\t65534"));
    EXPECT_EQ(status_of(agent.pid(), "CapEff"), "0000000000000000");
    EXPECT_EQ(status_of(agent.pid(), "CapPrm"), "0000000000000000");
    const pid_t privileged_helper = opener_of(agent.pid());
    ASSERT_GT(privileged_helper, 0) << agent.errors();
    EXPECT_EQ(status_of(privileged_helper, "CapEff"), "0000000000000002") << "CAP_DAC_OVERRIDE, and nothing else";
    usleep(300'000);
    agent.signal(SIGTERM);
    EXPECT_EQ(agent.wait().code, 0) << agent.errors();
    EXPECT_EQ(instances_of(privileged_helper), 0u);
    support::Process channels({SLA_BINARIES "/sla", "channels", capture, "--format", "tsv"});
    EXPECT_EQ(channels.wait().code, 0);
    EXPECT_NE(channels.output().find("linux.cpu."), std::string::npos) << channels.output() << agent.errors();
}

TEST_F(HostPermission, WhatACapabilityOpensTheDoctorCallsAvailable) {
    copy_programs();
    const std::string program = open_place() + "/sla-agent";
    if (!make_capable(program)) GTEST_SKIP() << "skipped, because files here take no capabilities";
    support::Process sources(as_nobody({program, "--sources"}));
    EXPECT_EQ(sources.wait().code, 0) << sources.errors();
    EXPECT_NE(sources.output().find("--linux sched\tavailable"), std::string::npos) << sources.output();
    EXPECT_EQ(sources.output().find("setcap cap_dac_override+ep"), std::string::npos) << sources.output();
}

TEST_F(HostPermission, WhatOfTheKernelMayNotBeCountedIsNotCalledAbsent) {
    copy_programs();
    support::Process counted(as_nobody({open_place() + "/sla", "counters", "run", "--runs", "1", "--events",
                                        "host:task-clock", "--format", "csv", "--", "/bin/true"}),
                             {{"TMPDIR", open_place()}});
    const int code = counted.wait().code;
    if (code == 0) GTEST_SKIP() << "he may, here";
    EXPECT_EQ(code, 1) << counted.errors();
    EXPECT_NE(counted.output().find(",no permission,"), std::string::npos) << counted.output();
    EXPECT_NE(counted.output().find("--privilege user"), std::string::npos) << counted.output();
}

// setcap takes away what it does not name: who follows one line of the doctor's must not lose what the line before gave.
TEST_F(HostPermission, TheDoctorsLinesGiveACapabilityBesideThoseThatTheProgramHas) {
    copy_programs();
    const std::string program = open_place() + "/sla-agent";
    const auto fix_of = [&](const std::string& capability) {
        if (!make_capable(program, capability)) return std::string("skipped");
        support::Process sources(as_nobody({program, "--sources"}));
        EXPECT_EQ(sources.wait().code, 0) << sources.errors();
        const std::string said = sources.output();
        const std::size_t at = said.find("setcap ");
        return at == std::string::npos ? std::string("none") : said.substr(at, said.find('+', at) - at);
    };
    const std::string of_tracefs = fix_of("cap_perfmon");
    if (of_tracefs == "skipped") GTEST_SKIP() << "skipped, because files here take no capabilities";
    EXPECT_EQ(of_tracefs, "setcap cap_dac_override,cap_perfmon");
    const std::string of_perf = fix_of("cap_dac_override");
    EXPECT_TRUE(of_perf == "setcap cap_dac_override,cap_perfmon" || of_perf == "none") << of_perf;
    EXPECT_EQ(fix_of("cap_dac_override,cap_perfmon"), "none");
}

// Else whoever may run it could write anywhere, and read what is closed to him.
TEST_F(HostPermission, FilesThatTheUserNamesAreOpenedWithHisOwnRights) {
    copy_programs();
    const std::string program = open_place() + "/sla-agent";
    if (!make_capable(program)) GTEST_SKIP() << "skipped, because files here take no capabilities";
    const std::string closed = directory_.file("closed");
    std::filesystem::create_directory(closed);
    std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
    std::ofstream(closed + "/agent.json") << "{\"secret\": 1}";
    support::Process writing(as_nobody({program, "--no-config", "--make-certificate", "--name", "localhost", "--certificate",
                                        closed + "/c.pem", "--key", closed + "/k.pem"}));
    EXPECT_NE(writing.wait().code, 0);
    EXPECT_FALSE(std::filesystem::exists(closed + "/k.pem"));
    support::Process reading(as_nobody({program, "--config", closed + "/agent.json"}));
    EXPECT_NE(reading.wait().code, 0);
    EXPECT_EQ(reading.errors().find("secret"), std::string::npos) << reading.errors();
    std::filesystem::copy_file(SLA_HOST_PROGRAM, closed + "/program");
    support::Process hooking(as_nobody({program, "--no-config", "--uprobe", closed + "/program:no_such_function"}),
                             {{"SLA_RUNTIME_DIR", open_place() + "/run"}});
    EXPECT_TRUE(is_up(hooking)) << "markers go on";
    EXPECT_NE(hooking.errors().find("cannot read " + closed + "/program"), std::string::npos) << hooking.errors();
}

TEST_F(HostPermission, AnOrdinaryUserWatchesHisOwnProcess) {
    copy_programs();
    std::filesystem::copy_file(SLA_HOST_PROGRAM, open_place() + "/program");
    const std::vector<std::string> as_nobody{"/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"};
    std::vector<std::string> argv = as_nobody;
    argv.insert(argv.end(), {open_place() + "/program", "stores", "10", open_place() + "/go"});
    support::Process program(argv, {{"SLA_RUNTIME_DIR", open_place() + "/none"}});
    ASSERT_TRUE(program.wait_for_output("ready"));
    argv = as_nobody;
    argv.insert(argv.end(), {open_place() + "/sla", "record", "-o", open_place() + "/a.sla", "--for", "2s", "--watch",
                             std::to_string(program.pid()) + ":host_watched"});
    support::Process recording(argv, {{"TMPDIR", open_place()}});
    usleep(800'000);
    std::ofstream(open_place() + "/go") << "go";
    const auto recorded = recording.wait();
    if (recording.errors().find("not present") != std::string::npos)
        GTEST_SKIP() << "skipped, because " << recording.errors();
    EXPECT_EQ(recorded.code, 0) << recording.errors();
    support::Process table({SLA_BINARIES "/sla", "table", open_place() + "/a.sla", "--format", "tsv"});
    ASSERT_EQ(table.wait().code, 0) << table.errors();
    const std::string rows = table.output();
    std::size_t stores = 0;
    for (std::size_t at = 0; (at = rows.find("linux.watch.host_watched", at)) != std::string::npos; at++) stores++;
    EXPECT_EQ(stores, 10u) << rows;
}

}  // namespace
}  // namespace sla
