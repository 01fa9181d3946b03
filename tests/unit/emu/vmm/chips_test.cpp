// On every repeatable CPU: what guests see of interrupt controllers, timer and clock.
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

#include <cmath>

namespace sla::vmm {
namespace {

using testing::Each;
using testing::ElementsAreArray;

std::vector<unsigned> noted(TestPc& pc, std::size_t count) {
    const auto bytes = pc.pc.memory().at(0x600, count);
    return {bytes.begin(), bytes.end()};
}

class Chips : public testing::TestWithParam<const char*> {};

TEST_P(Chips, TheInterruptControllersKeepPriorityNestingMasksAndCascade) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "pic"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    const std::vector<unsigned> expected{0x00, 0x01, 0x01, 0x04, 0x10, 0x05, 0xFF,  // the timer before com1
                                         0x04, 0x10, 0x00, 0x11, 0x01, 0x05, 0xFF,  // the timer inside com1's handler
                                         0xFE, 0x04, 0x10, 0x05, 0xFF,              // masked, then not
                                         0xFF,                                      // taken back
                                         0x08, 0x04, 0x01, 0xC0, 0xFF};             // the clock, through both
    EXPECT_THAT(noted(pc, expected.size()), ElementsAreArray(expected));
    EXPECT_EQ(end.exit_code, expected.size());
    EXPECT_EQ(pc.seen.count("irq.0.isr", SLA_CODE_BEGIN), 2U);
    EXPECT_EQ(pc.seen.count("irq.4.isr", SLA_CODE_BEGIN), 3U);
    EXPECT_EQ(pc.seen.count("irq.4.isr", SLA_CODE_END), 3U) << "by specific commands";
    EXPECT_EQ(pc.seen.count("irq.8.isr", SLA_CODE_BEGIN), 1U);
    EXPECT_EQ(pc.seen.count("irq.spurious", SLA_CODE_TICK_VALUE), 0U);
}

TEST_P(Chips, TimerAndClockInterruptAtTheirRates) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "timers"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 16);
    std::vector<double> times;
    for (const auto& event : pc.seen.of("irq.0")) {
        if (event.value == 1) times.push_back(static_cast<double>(event.time));
    }
    ASSERT_EQ(times.size(), 11U);
    constexpr double kPeriod = 1193 * 88'000.0 / 105;
    std::vector<double> wrong;
    for (std::size_t i = 1; i < times.size(); ++i) {
        if (i != 5 && i != 10) wrong.push_back(std::abs(times[i] - times[i - 1] - kPeriod));  // those two begin anew
    }
    EXPECT_THAT(wrong, Each(testing::Lt(10'000.0))) << "nanoseconds";
    const auto flags = noted(pc, 5);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(flags[i] & 0xC0, 0xC0U) << "periodic";
    EXPECT_EQ(flags[3] & 0x90, 0x90U) << "update ended";
    EXPECT_EQ(flags[4] & 0xA0, 0xA0U) << "alarm";
    const auto clock = pc.seen.of("irq.8.ack");
    ASSERT_EQ(clock.size(), 5U);
    EXPECT_NEAR(static_cast<double>(clock[2].time - clock[1].time), 1e9 / 1024, 20'000);
}

TEST_P(Chips, TheLocalApicSendsNmisAndInterrupts) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "nmi"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 0x21);
    EXPECT_EQ(pc.seen.count("irq.nmi", SLA_CODE_TICK), 2U);
    EXPECT_EQ(pc.seen.count("irq.apic.60h", SLA_CODE_BEGIN), 1U);
    EXPECT_EQ(pc.seen.count("irq.apic.60h", SLA_CODE_END), 1U);
}

TEST_P(Chips, SurviveZeroInEveryTimer) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "zeros"), GetParam());
    const Outcome end = pc.run(TestPc::kSecond / 20);
    EXPECT_EQ(end.ending, Ending::kTimeUp) << end.message;
    EXPECT_GT(pc.seen.events.size(), 1000U) << "all that came before";
    EXPECT_LT(pc.seen.events.size(), 2'000'000U) << "no storm without end";
}

INSTANTIATE_TEST_SUITE_P(Cpu, Chips, testing::Values("unicorn", "x86emu"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla::vmm
