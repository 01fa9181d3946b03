// Functions of a program that was not built for it: spans around every call, arguments, and clear words when it cannot be.
#include "tests/integration/linux/host_test.h"

#include <filesystem>

namespace sla {
namespace {

class Hooks : public HostTest {
protected:
    // What `sla record --uprobe HOOK -- true` says; its exit code.
    int hook(const std::string& what) { return record({"--uprobe", what, "--", "/bin/true"}); }
    static std::size_t probes_in_kernel(const std::string& path) {
        std::ifstream in("/sys/kernel/tracing/dynamic_events");
        std::size_t count = 0;
        for (std::string line; std::getline(in, line);) count += line.find(path) != std::string::npos ? 1 : 0;
        return count;
    }
    void strip(const std::string& path) {
        support::Process strip({"/usr/bin/strip", path});
        ASSERT_EQ(strip.wait().code, 0) << strip.errors();
    }
    std::string copy_of_program(const std::string& name) {
        std::filesystem::copy_file(SLA_HOST_PROGRAM, directory_.file(name));
        return directory_.file(name);
    }
};

TEST_F(Hooks, EveryCallIsASpanBetweenTheMarkersAroundItWithItsArguments) {
    constexpr std::size_t kCalls = 1'000;
    const std::string program = copy_of_program("worker");
    ASSERT_EQ(record({"--uprobe", program + ":host_work n=%di:u64 word=+0(%si):ustring", "--", program, "work",
                      std::to_string(kCalls)}),
              0)
        << errors_;
    HostRows rows = this->rows({"host.*", "linux.function.host_work"});
    const std::vector<HostRow>& calls = rows["linux.function.host_work"];
    ASSERT_EQ(rows["host.before"].size(), kCalls);
    ASSERT_EQ(calls.size(), 2 * kCalls);
    std::size_t inside = 0;
    std::size_t right = 0;
    for (std::size_t i = 0; i < kCalls; i++) {
        const HostRow& enter = calls[2 * i];
        const HostRow& back = calls[2 * i + 1];
        inside +=
            rows["host.before"][i].tick <= enter.tick && enter.tick < back.tick && back.tick <= rows["host.after"][i].tick;
        right += enter.kind == "begin" && enter.value == static_cast<std::int64_t>(i) && back.kind == "end" &&
                 enter.text == "n=" + std::to_string(i) + " word=hello" && back.value == static_cast<std::int64_t>(i + 46);
    }
    EXPECT_EQ(inside, kCalls);
    EXPECT_EQ(right, kCalls);
    EXPECT_EQ(probes_in_kernel(program), 0u) << "the hooks stayed in the kernel";
}

TEST_F(Hooks, EntriesAndReturnsAloneAreTicks) {
    const std::string program = copy_of_program("worker");
    ASSERT_EQ(record({"--uprobe", program + ":host_work%entry", "--uprobe", program + ":host_work%return", "--", program,
                      "work", "50"}),
              0)
        << errors_;
    HostRows rows = this->rows({"linux.function.*"});
    EXPECT_EQ(rows["linux.function.host_work"].size(), 50u);
    ASSERT_EQ(rows["linux.function.host_work.return"].size(), 50u);
    EXPECT_EQ(rows["linux.function.host_work.return"][3].value, 3 + 46);
    EXPECT_EQ(rows["linux.function.host_work"][0].kind, "tick");
}

TEST_F(Hooks, UsdtProbesAreListedAndHookedWithTheirArguments) {
    const std::string program = copy_of_program("worker");
    support::Process probes({SLA_BINARIES "/sla", "probes", program});
    ASSERT_EQ(probes.wait().code, 0) << probes.errors();
    EXPECT_NE(probes.output().find("usdt\thost:step\t0x"), std::string::npos);
    EXPECT_NE(probes.output().find("arg1=%"), std::string::npos);
    ASSERT_EQ(record({"--uprobe", program + ":host:step", "--", program, "work", "50"}), 0) << errors_;
    HostRows rows = this->rows({"linux.usdt.*"});
    const std::vector<HostRow>& steps = rows["linux.usdt.host.step"];
    ASSERT_EQ(steps.size(), 50u);
    for (std::size_t i = 0; i < steps.size(); i++) EXPECT_EQ(steps[i].value, static_cast<std::int64_t>(i));
}

TEST_F(Hooks, WhatCannotBeHookedIsSaidPlainly) {
    const std::string program = copy_of_program("worker");
    EXPECT_EQ(hook(program + ":no_such_function"), 2);
    EXPECT_NE(errors_.find("has no function 'no_such_function'; see: sla probes"), std::string::npos) << errors_;
    EXPECT_EQ(hook(program + ":0x10"), 2);
    EXPECT_NE(errors_.find("is not code; its code is at 0x"), std::string::npos) << errors_;
    EXPECT_EQ(hook(program + ":host_work n=%nothing:u64"), 2);
    EXPECT_NE(errors_.find("the kernel does not take the probe"), std::string::npos) << errors_;
    EXPECT_EQ(hook(program), 2);
    EXPECT_NE(errors_.find("is not PATH:FUNCTION"), std::string::npos) << errors_;
    EXPECT_EQ(hook(program + ":some:probe"), 2);
    EXPECT_NE(errors_.find("has no USDT probe some:probe"), std::string::npos) << errors_;
    strip(program);
    EXPECT_EQ(hook(program + ":host_work"), 2);
    EXPECT_NE(errors_.find("it is stripped"), std::string::npos) << errors_;
    std::filesystem::remove(program);
    EXPECT_EQ(hook(program + ":host_work"), 2);
    EXPECT_NE(errors_.find("there is no file"), std::string::npos) << errors_;
    std::ofstream(directory_.file("script")) << "#!/bin/sh\n";
    EXPECT_EQ(hook(directory_.file("script") + ":main"), 2);
    EXPECT_NE(errors_.find("no ELF file"), std::string::npos) << errors_;
}

TEST_F(Hooks, ProbesOfAProgramAreListedWithWhatTheyCost) {
    support::Process stripped({SLA_BINARIES "/sla", "probes", "/bin/true"});
    EXPECT_EQ(stripped.wait().code, 1) << "nothing there can be hooked by name";
    EXPECT_NE(stripped.errors().find("/bin/true has no functions by name"), std::string::npos) << stripped.errors();
    EXPECT_EQ(stripped.output(), "kind\tname\toffset\targuments\tcost\n");
    support::Process probes({SLA_BINARIES "/sla", "probes", SLA_HOST_PROGRAM});
    ASSERT_EQ(probes.wait().code, 0) << probes.errors();
    EXPECT_NE(probes.output().find("function\thost_work\t0x"), std::string::npos);
    EXPECT_NE(probes.output().find(" us\n"), std::string::npos);
    support::Process as_json({SLA_BINARIES "/sla", "probes", SLA_HOST_PROGRAM, "--format", "jsonl"});
    ASSERT_EQ(as_json.wait().code, 0) << as_json.errors();
    EXPECT_NE(as_json.output().find("{\"kind\":\"function\",\"name\":\"host_work\",\"offset\":\"0x"), std::string::npos);
    support::Process none({SLA_BINARIES "/sla", "probes", "/no/such/program"});
    EXPECT_EQ(none.wait().code, 1);
}

TEST_F(Hooks, TheDoctorListsEverySource) {
    support::Process doctor({SLA_BINARIES "/sla", "doctor", "--format", "csv"});
    doctor.wait();
    for (const char* source : {"--linux irq,", "--linux kvm,", "--uprobe,available", "watchpoints,", "hardware counters,"})
        EXPECT_NE(doctor.output().find(source), std::string::npos) << source << " in " << doctor.output();
}

}  // namespace
}  // namespace sla
