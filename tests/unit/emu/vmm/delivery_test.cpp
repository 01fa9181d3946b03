// On every CPU: interrupts, software interrupts and exceptions reach the guest's handlers, and the tap sees each once.
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

namespace sla::vmm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::uint64_t at(std::uint16_t selector, std::uint32_t offset) {
    return std::uint64_t{selector} << 32 | offset;
}

class Delivery : public testing::TestWithParam<const char*> {};

TEST_P(Delivery, LetsTheInstructionBehindStiRunFirst) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "sti_shadow"), GetParam());
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 1);
    EXPECT_EQ(pc.seen.count("irq.0.isr", SLA_CODE_BEGIN), 1U);
}

TEST_P(Delivery, InterruptsALoopRightBehindSti) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "sti_loop"), GetParam());
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 3);
}

TEST_P(Delivery, NeverComesBetweenTheLoadsOfSsAndSp) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "ss_shadow"), GetParam());
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 4);
    EXPECT_GE(pc.seen.count("irq.0.isr", SLA_CODE_BEGIN), 200U);
}

TEST_P(Delivery, ReportsFaultsInARowEachAsWhatItIs) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "faults"), GetParam());
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 3 * 16 + 2);
    const auto divide_errors = pc.seen.of("exc.00");
    ASSERT_EQ(divide_errors.size(), 3U);
    EXPECT_EQ(divide_errors[0].detail[1], at(0xF000, 0xF100)) << "where the DIV stands";
    EXPECT_EQ(divide_errors[1].detail[1], at(0xF000, 0xF103));
    EXPECT_EQ(divide_errors[2].detail[1], at(0xF000, 0xF105));
    const auto invalid = pc.seen.of("exc.06");
    ASSERT_EQ(invalid.size(), 2U);
    EXPECT_EQ(invalid[0].detail[1], at(0xF000, 0xF108));
    EXPECT_EQ(invalid[1].detail[1], at(0xF000, 0xF10B));
    EXPECT_EQ(pc.seen.count("exc.08", SLA_CODE_TICK_VALUE), 0U) << "no double fault";
}

TEST_P(Delivery, KnowsThePlaceOfTheFirstInstructionOfABlock) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "first"), GetParam());
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 4 * 4 + 1) << "one tick was pending when interrupts were switched on";
    const auto all_at = [&](const char* channel, std::uint32_t offset, sla_code code) {
        EXPECT_EQ(pc.seen.count(channel, code), 4U) << channel;
        for (const auto& event : pc.seen.of(channel)) {
            if (event.code != code) continue;
            EXPECT_EQ(event.detail[1], at(0xF000, offset)) << channel;
        }
    };
    all_at("int.21h", 0xF100, SLA_CODE_TICK_VALUE);
    all_at("exc.00", 0xF110, SLA_CODE_TICK_VALUE);
    all_at("exc.06", 0xF120, SLA_CODE_TICK_VALUE);
    all_at("cpu.hlt", 0xF130, SLA_CODE_BEGIN);
}

TEST_P(Delivery, ShowsSoftwareInterruptsWithTheirAx) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "interrupts"), GetParam());
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 8);
    EXPECT_THAT(values(pc.seen.of("int.21h")), ElementsAre(0x4C01));
    EXPECT_THAT(values(pc.seen.of("int.ffh")), ElementsAre(0x00FE));
    EXPECT_THAT(values(pc.seen.of("int.03h")), ElementsAre(0xFFFF));
    EXPECT_THAT(pc.seen.of("exc.03"), IsEmpty());
    EXPECT_EQ(pc.seen.formats["int.21h"], "x86.addr");
}

TEST_P(Delivery, KnowsThePlaceOfAPortAccessWhereverItMoves) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "moved"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    std::vector<std::uint64_t> places;
    for (const auto& event : pc.seen.of("port.post")) places.push_back(event.detail[1]);
    EXPECT_THAT(places, ElementsAre(at(0, 0x7001), at(0, 0x7001), at(0x700, 1), at(0, 0x7000), at(0x700, 0)));
}

// More often than the library of "unicorn" may translate code before it gets a new engine.
TEST_P(Delivery, RunsCodeThatIsWrittenAnewManyTimesAndLosesNothingOfTheProcessor) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "rewrites"), GetParam());
    const Outcome end = pc.run();
    EXPECT_EQ(end.exit_code, 1) << end.message;
}

TEST_P(Delivery, KnowsThePlaceOfAnAccessToAChipInMemory) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "nmi_block"), GetParam());
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    TestPc exact(assembled_guest(SLA_GUEST_DIR, "nmi_block"), "x86emu");
    ASSERT_EQ(exact.run().ending, Ending::kExit);
    const auto seen = pc.seen.of("mmio.lapic");
    const auto expected = exact.seen.of("mmio.lapic");
    ASSERT_EQ(seen.size(), 5U);
    ASSERT_EQ(expected.size(), 5U);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_NE(seen[i].detail[1], 0U);
        EXPECT_EQ(seen[i].detail[1], expected[i].detail[1]);
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, Delivery, testing::Values("unicorn", "x86emu"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla::vmm
