// A trigger stops the emulated PC: the agent's action stop-guest, and one that the PC looks for itself.
#include "tests/integration/emu/guests.h"
#include "tests/support/agent_under_test.h"

#include <gmock/gmock.h>

#include <csignal>

namespace sla {
namespace {

using testing::HasSubstr;

class StopGuest : public testing::TestWithParam<const char*> {
protected:
    std::vector<std::string> demo(std::vector<std::string> more = {}) const {
        std::vector<std::string> words{
            SLA_BINARIES "/sla-emu", "run", "--demo", "--ticks", "0", "--cpu", GetParam(), "--for", kNever, "--debug-output",
            agent_.file("debug.txt")};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    std::string control(const Process& pc, const std::string& command) const {
        Process asked({SLA_BINARIES "/sla-emu", "control", std::to_string(pc.pid()), command}, agent_.environment());
        EXPECT_EQ(asked.wait(kHang).code, 0) << asked.errors();
        return asked.output();
    }
    // Not, when the PC has ended: a CPU that is not there ends at once.
    static bool says(Process& speaker, const std::string& text, Process& pc) {
        const auto is_said = [&] { return speaker.errors().find(text) != std::string::npos; };
        return support::eventually([&] { return is_said() || !pc.is_running(); }, kHang) && is_said();
    }
    void expect_standing_then_going(Process& pc) const {
        EXPECT_THAT(control(pc, "regs"), HasSubstr("cs f000"));
        const std::string stands = control(pc, kCounted);
        EXPECT_EQ(control(pc, kCounted), stands);
        EXPECT_THAT(control(pc, "step"), HasSubstr("the guest stands at f000:"));
        EXPECT_EQ(control(pc, "go"), "");
        EXPECT_TRUE(support::eventually([&] { return control(pc, kCounted) != stands; }, kHang));
        pc.signal(SIGTERM);
        EXPECT_EQ(pc.wait(kHang).code, 0) << pc.errors();
    }

    support::AgentUnderTest agent_{SLA_BINARIES};
};

TEST_P(StopGuest, TheAgentStopsItAndSaysWhereAndHowLate) {
    ASSERT_TRUE(agent_.start({"--trigger", "20 x irq.0.isr begins", "--action", "stop-guest", "--shots", "1"}))
        << agent_.process().errors();
    Process pc(demo(), agent_.environment());
    if (!says(agent_.process(), "stop-guest of trigger", pc)) {
        if (!pc.is_running()) GTEST_SKIP() << pc.errors();
        FAIL() << agent_.process().errors();
    }
    EXPECT_THAT(agent_.process().errors(),
                HasSubstr("the emulated PC of process " + std::to_string(pc.pid()) + ": the guest stands at f000:"));
    EXPECT_THAT(agent_.process().errors(), HasSubstr("; at most "));
    expect_standing_then_going(pc);
    EXPECT_EQ(agent_.stop(), 0);
}

TEST_P(StopGuest, ThePcLooksForItselfAndStopsThere) {
    Process pc(demo({"--stop-at", "20 x irq.0.isr begins"}), agent_.environment());
    if (!says(pc, "behind irq.0.isr (20 x irq.0.isr begins)", pc)) {
        if (!pc.is_running()) GTEST_SKIP() << pc.errors();
        FAIL() << pc.errors();
    }
    const bool exact = GetParam() == std::string_view("x86emu");
    if (exact) {
        EXPECT_THAT(control(pc, kCounted), HasSubstr("00000600: 13 00 00 00")) << "19 were counted, the 20th handler begins";
    }
    expect_standing_then_going(pc);
}

INSTANTIATE_TEST_SUITE_P(Cpu, StopGuest, testing::Values("unicorn", "x86emu", "kvm"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla
