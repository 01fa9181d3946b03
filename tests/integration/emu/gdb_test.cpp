// Debian's gdb on a PC that runs, by script, on every CPU.
#include "tests/integration/emu/guests.h"

#include <gmock/gmock.h>

#include <csignal>
#include <thread>

namespace sla {
namespace {

using testing::HasSubstr;

constexpr const char* kGdb = "/usr/bin/gdb";
class Gdb : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(kGdb)) GTEST_SKIP() << "Debian's package gdb is not installed";
    }
    std::vector<std::string> pc(const std::string& cpu) const {
        return {SLA_BINARIES "/sla-emu",
                "run",
                "--demo",
                "--ticks",
                "0",
                "--cpu",
                cpu,
                "--gdb",
                "unix:" + socket(),
                "--wait",
                "--for",
                kNever,
                "--debug-output",
                directory_.file("debug.txt")};
    }
    [[nodiscard]] std::string socket() const { return directory_.file("gdb"); }
    // A host without such a CPU ends the run at once.
    bool listens(Process& pc) const {
        while (pc.is_running() && !std::filesystem::exists(socket())) std::this_thread::yield();
        return std::filesystem::exists(socket());
    }
    std::vector<std::string> script(const std::string& commands) const {
        const std::string file = directory_.file("script");
        std::ofstream(file) << "set pagination off\nset confirm off\ntarget remote " << socket() << "\n" << commands;
        return {kGdb, "-nx", "-batch", "-x", file};
    }
    static std::string control(const Process& pc, const std::string& command) {
        Process asked({SLA_BINARIES "/sla-emu", "control", std::to_string(pc.pid()), command});
        EXPECT_EQ(asked.wait(kHang).code, 0) << asked.errors();
        return asked.output();
    }

    static void expect_running(const Process& pc) {
        const std::string before = control(pc, kCounted);
        EXPECT_TRUE(support::eventually([&] { return control(pc, kCounted) != before; }, kHang));
    }

    support::TempDir directory_;
};

TEST_P(Gdb, BreaksAtTheHandlerStepsAndWatchesAWord) {
    Process guest(pc(GetParam()));
    if (!listens(guest)) GTEST_SKIP() << guest.errors();
    // Vector 9 has the handler for what nobody expects, vector 8 the timer's.
    Process gdb(script(R"(printf "at reset %x\n", $eip
while *(unsigned short*)0x20 == *(unsigned short*)0x24
stepi 200
end
set $isr = *(unsigned short*)0x20 + 16 * *(unsigned short*)0x22
break *$isr
continue
printf "handler %d offset %d\n", $eip == $isr, $ip == $isr - $cs_base
set $n = *(unsigned int*)0x600
stepi
stepi
printf "stepped %d counted %d\n", $eip - $isr, *(unsigned int*)0x600 - $n
delete
watch *(unsigned int*)0x600
continue
printf "watched %d at %d\n", *(unsigned int*)0x600 - $n, $eip - $isr
delete
monitor regs
detach
)"));
    ASSERT_EQ(gdb.wait(kHang).code, 0) << gdb.errors();
    const std::string said = gdb.output() + gdb.errors();
    EXPECT_THAT(said, HasSubstr("at reset fffffff0\n"));
    EXPECT_THAT(said, HasSubstr("Breakpoint 1, "));
    EXPECT_THAT(said, HasSubstr("handler 1 offset 1\n"));
    EXPECT_THAT(said, HasSubstr("stepped 6 counted 1\n")) << "PUSH AX and INC";
    EXPECT_THAT(said, HasSubstr("Hardware watchpoint 2: "));
    EXPECT_THAT(said, HasSubstr("watched 2 at 6\n"));
    EXPECT_THAT(said, HasSubstr("cs f000 base 000f0000"));
    expect_running(guest);
    guest.signal(SIGTERM);
    EXPECT_EQ(guest.wait(kHang).code, 0) << guest.errors();
}

TEST_P(Gdb, GoesBackByStepsAndToABreakpoint) {
    if (GetParam() == std::string("kvm")) GTEST_SKIP() << "it has no virtual clock, and cannot be saved";
    auto words = pc(GetParam());
    words.insert(words.end(), {"--clock", "virtual", "--history-memory", "64"});
    Process guest(words);
    if (!listens(guest)) GTEST_SKIP() << guest.errors();
    Process gdb(script(R"(while *(unsigned short*)0x20 == *(unsigned short*)0x24
stepi 200
end
set $isr = *(unsigned short*)0x20 + 16 * *(unsigned short*)0x22
break *$isr
continue
continue
set $n = *(unsigned int*)0x600
continue
printf "forth %d\n", *(unsigned int*)0x600 - $n
set $sp_there = $esp
stepi
stepi
printf "counted %d\n", *(unsigned int*)0x600 - $n
reverse-stepi
printf "uncounted %d at %d\n", *(unsigned int*)0x600 - $n, $eip - $isr
reverse-stepi
printf "back at %d, stack %d\n", $eip - $isr, $esp == $sp_there
reverse-continue
printf "before %d at %d\n", *(unsigned int*)0x600 - $n, $eip - $isr
delete
watch *(unsigned int*)0x600
reverse-continue
printf "old value %d\n", *(unsigned int*)0x600 - $n
delete
reverse-continue
printf "beginning %x\n", $eip
stepi
printf "forth again %d\n", $eip != 0xfffffff0
monitor pause
break *$isr
continue
printf "handler again %d\n", $eip == $isr
reverse-stepi
delete
detach
)"));
    ASSERT_EQ(gdb.wait(kHang).code, 0) << gdb.errors();
    const std::string said = gdb.output() + gdb.errors();
    EXPECT_THAT(said, HasSubstr("forth 1\n"));
    EXPECT_THAT(said, HasSubstr("counted 2\n"));
    EXPECT_THAT(said, HasSubstr("uncounted 1 at 1\n"));
    EXPECT_THAT(said, HasSubstr("back at 0, stack 1\n"));
    EXPECT_THAT(said, HasSubstr("before 0 at 0\n"));
    EXPECT_THAT(said, testing::ContainsRegex("Hardware watchpoint 2: [^\n]*\n\nOld value = [0-9]+\nNew value = [0-9]+\n"));
    EXPECT_THAT(said, HasSubstr("old value -1\n"));
    EXPECT_THAT(said, HasSubstr("beginning fffffff0\n"));
    EXPECT_THAT(said, HasSubstr("forth again 1\n"));
    EXPECT_THAT(said, HasSubstr("here the debugger lets the guest run"));
    EXPECT_THAT(said, HasSubstr("handler again 1\n"));
    expect_running(guest);
    guest.signal(SIGTERM);
    EXPECT_EQ(guest.wait(kHang).code, 0) << guest.errors();
}

TEST_P(Gdb, ThatIsKilledLeavesThePcRunning) {
    Process guest(pc(GetParam()));
    if (!listens(guest)) GTEST_SKIP() << guest.errors();
    Process gdb(script("break *0xffffe\necho connected\\n\ncontinue\n"));
    ASSERT_TRUE(gdb.wait_for_output("connected", kHang)) << gdb.errors();
    gdb.signal(SIGKILL);
    gdb.wait(kHang);
    expect_running(guest);
    guest.signal(SIGTERM);
    EXPECT_EQ(guest.wait(kHang).code, 0) << guest.errors();
}

TEST_P(Gdb, KillEndsTheRun) {
    Process guest(pc(GetParam()));
    if (!listens(guest)) GTEST_SKIP() << guest.errors();
    Process gdb(script("kill\n"));
    EXPECT_EQ(gdb.wait(kHang).code, 0) << gdb.errors();
    EXPECT_EQ(guest.wait(kHang).code, 0) << guest.errors();
    EXPECT_THAT(guest.errors(), HasSubstr("stopped on request"));
}

INSTANTIATE_TEST_SUITE_P(Cpu, Gdb, testing::Values("unicorn", "x86emu", "kvm"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla
