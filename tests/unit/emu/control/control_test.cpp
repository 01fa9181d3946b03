// Commands for a running guest through the socket, on every CPU.
#include "emu/control/control_server.h"
#include "proto/common/guest_client.h"
#include "tests/unit/emu/support/cpu_pc.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

namespace sla::control {
namespace {

using testing::HasSubstr;
using testing::Not;

class Control : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        char name[] = "/tmp/sla-control-XXXXXX";
        ASSERT_NE(::mkdtemp(name), nullptr);
        directory_ = name;
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }
    [[nodiscard]] std::string path() const { return directory_ + "/pc.control"; }

    std::string directory_;
};

std::string answer(Console& console, const std::string& line) {
    const auto got = console.run(line);
    return got ? *got : "error: " + got.error().message;
}

std::string answer(common::GuestClient& pc, const std::string& line) {
    const auto got = pc.ask(line);
    return got ? *got : "error: " + got.error().message;
}

// Before the guest lets interrupts in it has no handlers yet, and nothing of what it waits with.
void pause_where_it_waits(common::GuestClient& pc) {
    for (int tries = 0; tries < 1000; ++tries) {
        EXPECT_THAT(answer(pc, "pause"), HasSubstr("the guest stands at f000:"));
        if (answer(pc, "regs").find(" IF") != std::string::npos) return;
        EXPECT_EQ(answer(pc, "go"), "");
    }
    ADD_FAILURE() << "the guest never waited";
}

TEST_P(Control, CommandsReachAGuestThatRunsAndOneThatIsPaused) {
    vmm::CpuPc pc(vmm::assembled_guest(SLA_GUEST_DIR, "waits"), GetParam());
    if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
    Console console(pc.pc, pc.vmm);
    auto server = ControlServer::open(path(), pc.stop, console);
    ASSERT_TRUE(server.ok()) << server.error().message;
    Operators operators(pc.stop);
    operators.add(**server);
    pc.vmm.on_stop([&](const cpu::StopPoints::Found& found) { operators.stopped(found); });
    pc.vmm.attend_with([&] { operators.attend(); });
    struct stat info {};
    ASSERT_EQ(::stat(path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U) << "the owner's only";
    std::thread other([&] {
        auto client = common::GuestClient::connect(path());
        ASSERT_TRUE(client.ok()) << client.error().message;
        pause_where_it_waits(*client);
        EXPECT_THAT(answer(*client, "regs"), HasSubstr("eflags 000002"));
        EXPECT_THAT(answer(*client, "regs"), HasSubstr("cs f000 base 000f0000"));
        EXPECT_THAT(answer(*client, "disassemble"), HasSubstr("cmp"));
        EXPECT_EQ(answer(*client, "write 0:700 90h 0x91"), "");
        EXPECT_THAT(answer(*client, "x 0:700 2"), HasSubstr("00000700: 90 91"));
        EXPECT_EQ(answer(*client, "out 80h 42h"), "");
        EXPECT_THAT(answer(*client, "in 80h"), HasSubstr("80h 42"));
        EXPECT_THAT(answer(*client, "cr0"), HasSubstr("cr0 6000001"));
        const bool counts = GetParam() != std::string_view("kvm");
        EXPECT_THAT(answer(*client, "counts"), HasSubstr(counts ? "1D exact " : "error: the CPU \"kvm\" counts no events"));
        const bool models = GetParam() == std::string_view("x86emu");
        EXPECT_EQ(answer(*client, "counts").find("modelled"), std::string::npos) << "no model runs yet";
        const std::string all = answer(*client, "counts all");
        EXPECT_EQ(all.find("0E modelled,late ") != std::string::npos, models);
        EXPECT_EQ(all.find(models ? "16 exact " : "16 exact,late ") != std::string::npos, counts)
            << "since power-on, or not";
        EXPECT_THAT(answer(*client, "counts some"), HasSubstr("error: write counts [all]"));
        EXPECT_EQ(answer(*client, "wrmsr 12h 1234h"), "");
        EXPECT_THAT(answer(*client, "rdmsr 12h"), HasSubstr("12h 0000000000001234"));
        const bool is_hosts = GetParam() == std::string_view("kvm");
        EXPECT_EQ(answer(*client, "wrmsr 10h 5").find("the time-stamp counter is the host's") != std::string::npos,
                  is_hosts);
        EXPECT_THAT(answer(*client, "rdmsr 0fh"), HasSubstr("error: this PC has no model-specific register fh"));
        EXPECT_THAT(answer(*client, "fly"), HasSubstr("there is no command \"fly\""));
        EXPECT_THAT(answer(*client, "dissasemble"), HasSubstr("did you mean 'disassemble'?"));
        EXPECT_THAT(answer(*client, "eax"), HasSubstr("`regs` shows registers"));
        EXPECT_THAT(answer(*client, "break"), HasSubstr("\"break\" (`run-to ADDRESS` stops there")) << "gdb's word";
        EXPECT_THAT(answer(*client, "stpe"), HasSubstr("did you mean 'step'?"));
        EXPECT_THAT(answer(*client, "irq 77"), HasSubstr("too large"));
        EXPECT_THAT(answer(*client, "help"), HasSubstr("disassemble"));
        EXPECT_EQ(answer(*client, "set ebx 5"), "");
        EXPECT_EQ(answer(*client, "go"), "");
        EXPECT_EQ(answer(*client, "nmi"), "");
        EXPECT_EQ(answer(*client, "irq 1"), "");
    });
    const vmm::Outcome end = pc.run();
    server->reset();
    other.join();
    ASSERT_EQ(end.ending, vmm::Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 7);
    EXPECT_EQ(pc.pc.post_port().code(), 0x42U);
    EXPECT_FALSE(std::filesystem::exists(path()));
}

// A step is a trap flag on some CPUs; it must not be in the flags that an interrupt saves.
TEST_P(Control, InterruptsThatComeWhileTheGuestIsSteppedLeaveNoTrapFlagInIt) {
    vmm::CpuPc pc(vmm::assembled_guest(SLA_GUEST_DIR, "waits"), GetParam());
    if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
    Console console(pc.pc, pc.vmm);
    auto server = ControlServer::open(path(), pc.stop, console);
    ASSERT_TRUE(server.ok()) << server.error().message;
    Operators operators(pc.stop);
    operators.add(**server);
    pc.vmm.on_stop([&](const cpu::StopPoints::Found& found) { operators.stopped(found); });
    pc.vmm.attend_with([&] { operators.attend(); });
    std::thread other([&] {
        auto client = common::GuestClient::connect(path());
        ASSERT_TRUE(client.ok()) << client.error().message;
        const auto steps_on = [&] {
            for (int i = 0; i < 8; ++i) {
                answer(*client, "step");
                EXPECT_THAT(answer(*client, "regs"), Not(HasSubstr(" TF")));
            }
        };
        pause_where_it_waits(*client);
        EXPECT_EQ(answer(*client, "nmi"), "");
        steps_on();
        const bool is_taken = GetParam() != std::string_view("kvm");  // by the host's clock they wait for `go`
        EXPECT_THAT(answer(*client, "x 0:600 2"), HasSubstr(is_taken ? "00000600: 00 01" : "00000600: 00 00"));
        EXPECT_EQ(answer(*client, "irq 1"), "");
        EXPECT_EQ(answer(*client, "set ebx 5"), "");
        steps_on();
        EXPECT_EQ(answer(*client, "go"), "");
    });
    const vmm::Outcome end = pc.run();
    server->reset();
    other.join();
    EXPECT_EQ(end.ending, vmm::Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 7);
}

// At the reset vector, where every CPU stands before it runs.
TEST_P(Control, RegistersAreAssignedAndEventsListed) {
    vmm::CpuPc pc(vmm::assembled_guest(SLA_GUEST_DIR, "waits"), GetParam());
    if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
    Console console(pc.pc, pc.vmm);
    EXPECT_THAT(answer(console, "events"), HasSubstr("16 exact instructions  instructions executed\n"));
    EXPECT_THAT(answer(console, "events 5"), HasSubstr("error: "));
    EXPECT_EQ(answer(console, "wrmsr 12h 1234h"), "");
    EXPECT_EQ(answer(console, "cr4 = 100h"), "");
    EXPECT_EQ(answer(console, "cr4 |=4"), "");
    EXPECT_EQ(answer(console, "cr4"), "cr4 00000104\n");
    EXPECT_EQ(answer(console, "cr4&=0x4"), "");
    EXPECT_EQ(answer(console, "cr4"), "cr4 00000004\n");
    EXPECT_EQ(answer(console, "cr4=0"), "");
    EXPECT_EQ(answer(console, "cr3 = 0x5000"), "");
    EXPECT_EQ(answer(console, "cr3"), "cr3 00005000\n");
    EXPECT_EQ(answer(console, "cr0 |= 20h"), "");
    EXPECT_EQ(answer(console, "cr0 &= 0xffffffdf"), "");
    EXPECT_THAT(answer(console, "cr0 |= 1"), HasSubstr("error: cr0: bits 1h do not change: PE and PG"));
    EXPECT_THAT(answer(console, "cr0 |= 80000001h"), HasSubstr("bits 80000001h do not change"));
    EXPECT_THAT(answer(console, "cr4 = 0x200"), HasSubstr("error: cr4: bits 200h do not change: reserved"));
    for (const char* bad : {"cr4 =", "cr4 = x", "cr4 + 5", "cr4 5", "cr4 | 5", "cr4 = 5 6", "cr4 = 100000000h"})
        EXPECT_THAT(answer(console, bad), HasSubstr("error: ")) << bad;
    EXPECT_EQ(answer(console, "wrmsr 12h |= 0x4000"), "");
    EXPECT_EQ(answer(console, "wrmsr 12h &= 5234h"), "");
    EXPECT_THAT(answer(console, "rdmsr 12h"), HasSubstr("12h 0000000000005234"));
    EXPECT_THAT(answer(console, "wrmsr 0fh |= 1"), HasSubstr("error: this PC has no model-specific register fh"));
}

TEST_P(Control, MemoryIsShownAsGdbDoes) {
    vmm::CpuPc pc(vmm::assembled_guest(SLA_GUEST_DIR, "waits"), GetParam());
    if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
    Console console(pc.pc, pc.vmm);
    EXPECT_EQ(answer(console, "write 0:700 41h 42h 0 0ffh 1 2 3 4"), "");
    EXPECT_EQ(answer(console, "x/8xb 0:700"), "00000700: 41 42 00 ff 01 02 03 04\n");
    EXPECT_EQ(answer(console, "x /2xh 0:700"), "00000700: 4241 ff00\n");
    EXPECT_EQ(answer(console, "x/2 0:700"), "00000700: ff004241 04030201\n");
    EXPECT_EQ(answer(console, "x/2db 0:702"), "00000702: 0 -1\n");
    EXPECT_EQ(answer(console, "x/dh 0:702"), "00000702: -256\n");
    EXPECT_EQ(answer(console, "x/u 0:700"), "00000700: 4278207041\n");
    EXPECT_EQ(answer(console, "x/2c 0:701"), "00000701: 66 'B' 0\n");
    EXPECT_EQ(answer(console, "x/2s 0:700"), "00000700: \"AB\"\n00000703: \"\\xff\\x01\\x02\\x03\\x04\"\n");
    EXPECT_EQ(answer(console, "x/3i f000:f000"), answer(console, "disassemble f000:f000 3"));
    EXPECT_EQ(answer(console, "x/8i"), answer(console, "disassemble"));
    for (const char* bad : {"x/16xb", "x/q 0:0", "x/0x 0:0", "x/4097x 0:0", "x/xx 0:0", "x/bh 0:0", "x/sw 0:0", "x/ch 0:0",
                            "x/99999999999999999999x 0:0", "x/xb 0:0 5"})
        EXPECT_THAT(answer(console, bad), HasSubstr("error: ")) << bad;
}

TEST_P(Control, APausedGuestStillEndsOnRequest) {
    vmm::CpuPc pc(vmm::assembled_guest(SLA_GUEST_DIR, "waits"), GetParam());
    if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
    Console console(pc.pc, pc.vmm);
    auto server = ControlServer::open(path(), pc.stop, console);
    ASSERT_TRUE(server.ok());
    Operators operators(pc.stop);
    operators.add(**server);
    pc.vmm.on_stop([&](const cpu::StopPoints::Found& found) { operators.stopped(found); });
    pc.vmm.attend_with([&] { operators.attend(); });
    std::thread other([&] {
        auto client = common::GuestClient::connect(path());
        ASSERT_TRUE(client.ok());
        EXPECT_THAT(answer(*client, "pause"), HasSubstr("stands"));
        pc.stop.request();
    });
    EXPECT_EQ(pc.run().ending, vmm::Ending::kStopped);
    other.join();
}

TEST_P(Control, ResetIsTheResetLine) {
    vmm::CpuPc pc(vmm::assembled_guest(SLA_GUEST_DIR, "waits"), GetParam());
    if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
    Console console(pc.pc, pc.vmm);
    EXPECT_TRUE(console.run("reset").ok());
    const vmm::Outcome end = pc.run();
    EXPECT_EQ(end.ending, vmm::Ending::kReset);
    EXPECT_THAT(end.message, HasSubstr("by control"));
}

INSTANTIATE_TEST_SUITE_P(Cpu, Control, testing::Values("unicorn", "x86emu", "kvm"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla::control
