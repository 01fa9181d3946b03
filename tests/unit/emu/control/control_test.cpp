// Commands for a running guest through the socket, on every CPU.
#include "emu/control/control_client.h"
#include "emu/control/control_server.h"
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

std::string answer(ControlClient& pc, const std::string& line) {
    const auto got = pc.ask(line);
    return got ? *got : "error: " + got.error().message;
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
        auto client = ControlClient::connect(path());
        ASSERT_TRUE(client.ok()) << client.error().message;
        EXPECT_THAT(answer(*client, "pause"), HasSubstr("the guest stands at f000:"));
        EXPECT_THAT(answer(*client, "regs"), HasSubstr("eflags 000002"));
        EXPECT_THAT(answer(*client, "regs"), HasSubstr("cs f000 base 000f0000"));
        EXPECT_THAT(answer(*client, "disassemble"), HasSubstr("cmp"));
        EXPECT_EQ(answer(*client, "write 0:700 90h 0x91"), "");
        EXPECT_THAT(answer(*client, "x 0:700 2"), HasSubstr("00000700: 90 91"));
        EXPECT_EQ(answer(*client, "out 80h 42h"), "");
        EXPECT_THAT(answer(*client, "in 80h"), HasSubstr("80h 42"));
        EXPECT_THAT(answer(*client, "cr0"), HasSubstr("cr0 0000001"));
        const bool counts = GetParam() != std::string_view("kvm");
        EXPECT_EQ(answer(*client, "counts").find("1D exact ") != std::string::npos, counts);
        const bool models = GetParam() == std::string_view("x86emu");
        EXPECT_EQ(answer(*client, "counts").find("modelled"), std::string::npos) << "no model runs yet";
        EXPECT_EQ(answer(*client, "counts all").find("0E modelled ") != std::string::npos, models);
        EXPECT_THAT(answer(*client, "counts some"), HasSubstr("error: write counts [all]"));
        EXPECT_EQ(answer(*client, "wrmsr 12h 1234h"), "");
        EXPECT_THAT(answer(*client, "rdmsr 12h"), HasSubstr("12h 0000000000001234"));
        EXPECT_THAT(answer(*client, "rdmsr 0fh"), HasSubstr("error: this PC has no model-specific register fh"));
        EXPECT_THAT(answer(*client, "fly"), HasSubstr("there is no command \"fly\""));
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
        auto client = ControlClient::connect(path());
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
