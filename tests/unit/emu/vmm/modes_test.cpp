// What a guest's own handlers see in every mode: #DB, #BP and #UD, call gates with their stack switch, pages of 4 MB, interrupts that a
// processor sends itself. On every CPU; one that does not do a mode says so, and its run ends.
#include "tests/unit/emu/support/cpu_pc.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>

namespace sla::vmm {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

std::vector<std::uint32_t> dwords(CpuPc& pc, std::uint32_t address, std::size_t count) {
    std::vector<std::uint32_t> out(count);
    std::memcpy(out.data(), pc.pc.memory().at(address, 4 * count).data(), 4 * count);
    return out;
}

class Modes : public testing::TestWithParam<const char*> {
protected:
    [[nodiscard]] static bool on(std::string_view cpu) { return GetParam() == cpu; }
    // The CPU said that it does not do this. Where that depends on the host, it may also do it.
    [[nodiscard]] static bool refused(const Outcome& end) {
        if (end.ending != Ending::kFailed || on("unicorn")) return false;
        EXPECT_THAT(end.message, HasSubstr("use --cpu unicorn"));
        return true;
    }
};

// As the handler noted it (guests/exceptions.inc), but for DR6 where the host's KVM has bits of its own in it.
struct Noted {
    std::uint32_t vector, place, cs, flags, dr6, esp, old_esp, old_ss;
    bool operator==(const Noted&) const = default;
};

void PrintTo(const Noted& noted, std::ostream* out) {
    *out << std::hex << noted.vector << " at " << noted.place << " cs " << noted.cs << " flags " << noted.flags << " dr6 "
         << noted.dr6 << " esp " << noted.esp << " from " << noted.old_ss << ":" << noted.old_esp;
}

struct Mode {
    const char* guest;
    std::uint32_t cs, flags, esp, old_esp, old_ss;
    bool code32;
};
constexpr std::uint32_t kTrapFlag = 0x100;
constexpr std::uint32_t kByStep = 0x4000;
constexpr Mode kReal{"exceptions_real", 0xF000, 0, 0x7000 - 6, 0, 0, false};
constexpr Mode kRing0{"exceptions_ring0", 0x08, 0, 0x18000 - 12, 0, 0, true};
constexpr Mode kRing3{"exceptions_ring3", 0x1B, 0x200, 0x17000 - 20, 0x16000, 0x23, true};
constexpr Mode kVirtual8086{"exceptions_vm86", 0xF000, 0x23200, 0x17000 - 36, 0x6000, 0, false};

std::vector<Noted> expected_in(const Mode& mode) {
    const auto noted = [&mode](std::uint32_t vector, std::uint32_t place, std::uint32_t flags, std::uint32_t dr6) {
        return Noted{vector, place, mode.cs, mode.flags | flags, dr6, mode.esp, mode.old_esp, mode.old_ss};
    };
    const std::uint32_t step = mode.code32 ? 13 : 14;
    const std::uint32_t behind_write = step + 2 + (mode.code32 ? 7 : 5);
    return {noted(3, 1, 0, 0),        noted(6, 1, 0, 0),           noted(1, 4, 0, 0), noted(1, step, kTrapFlag, kByStep),
            noted(1, step + 1, 0, 1), noted(1, behind_write, 0, 2)};
}

void expect_exceptions(const Mode& mode, CpuPc& pc, const Outcome& end, bool has_breakpoints) {
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    ASSERT_LE(end.exit_code, 6);
    std::vector<Noted> noted(end.exit_code);
    std::memcpy(noted.data(), pc.pc.memory().at(0x600, noted.size() * sizeof(Noted)).data(), noted.size() * sizeof(Noted));
    auto expected = expected_in(mode);
    if (!has_breakpoints) expected.resize(4);
    EXPECT_THAT(noted, ElementsAreArray(expected));
}

void expect_exceptions_of_kvm(const Mode& mode, CpuPc& pc, const Outcome& end) {
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    ASSERT_THAT(end.exit_code, AnyOf(4, 5, 6)) << "some hosts' KVM see no breakpoints";
    std::vector<Noted> noted(3);
    std::memcpy(noted.data(), pc.pc.memory().at(0x600, noted.size() * sizeof(Noted)).data(), noted.size() * sizeof(Noted));
    auto expected = expected_in(mode);
    expected.resize(noted.size());
    if (noted[2].vector == 6) {  // some know no INT1
        expected[2].vector = 6;
        expected[2].place = 3;
    }
    for (auto* list : {&noted, &expected}) {
        for (Noted& one : *list) one.dr6 = 0;
    }
    EXPECT_THAT(noted, ElementsAreArray(expected));
}

TEST_P(Modes, DebugBreakpointAndInvalidOpcodeAreExactInEach) {
    for (const Mode& mode : {kReal, kRing0, kRing3, kVirtual8086}) {
        SCOPED_TRACE(mode.guest);
        CpuPc pc(assembled_guest(SLA_GUEST_DIR, mode.guest), GetParam());
        if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
        const Outcome end = pc.run();
        const bool outer_ring = mode.old_esp != 0;
        const bool as_the_host_does = on("kvm") && mode.cs == kRing0.cs;
        if ((outer_ring || as_the_host_does) && refused(end)) continue;
        if (on("kvm")) {
            expect_exceptions_of_kvm(mode, pc, end);
            continue;
        }
        expect_exceptions(mode, pc, end, on("x86emu"));
        EXPECT_EQ(pc.seen.count("exc.01", SLA_CODE_TICK) + pc.seen.count("exc.01", SLA_CODE_TICK_VALUE),
                  on("x86emu") ? 4U : 2U);
        EXPECT_EQ(pc.vmm.cpu().doubts().find("breakpoints of its debug registers") == std::string::npos, on("x86emu"));
    }
}

TEST_P(Modes, CallGatesTakeTheStackOfTheirRingAndGiveItBack) {
    CpuPc pc(assembled_guest(SLA_GUEST_DIR, "call_gate"), GetParam());
    if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
    const Outcome end = pc.run();
    if (refused(end)) return;
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 9);
    EXPECT_THAT(dwords(pc, 0x600, 12), ElementsAre(0, 0x1B, 0x2222, 0x1111, 0x15FF8, 0x23,  // what ring 0 found
                                                   0x17000 - 24, 0x10,                      // its stack
                                                   0x16000, 0x23, 0x1B,                     // ring 3 afterwards
                                                   0x38));                                  // a gate of ring 0
}

TEST_P(Modes, PagesOfFourMegabytesFaultAndAreMarkedAsTheirEntriesSay) {
    CpuPc pc(assembled_guest(SLA_GUEST_DIR, "big_pages"), GetParam(), {}, std::size_t{16} << 20);
    if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
    const Outcome end = pc.run();
    if (refused(end)) return;
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 3);
    EXPECT_THAT(dwords(pc, 0x600, 16), ElementsAre(3, 0x400010, 0x08,  // written though read-only
                                                   2, 0x87654C, 0x08,  // written, not there
                                                   5, 0xC00020, 0x1B,  // read by ring 3
                                                   0x60, 0x60, 0x60, 0x60, 0x44444444, 0x88888888, 0xCCCCCCCC));
}

TEST_P(Modes, AProcessorSendsItselfInterruptsInTheOrderOfTheirPriorities) {
    CpuPc pc(assembled_guest(SLA_GUEST_DIR, "self_ipi"), GetParam());
    if (!pc.missing.empty()) GTEST_SKIP() << pc.missing;
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 11);
    EXPECT_THAT(pc.noted(11), ElementsAre(0x50, 0x51, 0x60, 0x71,  // by four ways of addressing
                                          0x60, 0x50,              // sent in the other order
                                          0x60,                    // behind the task priority
                                          0x60, 0x71, 0x51, 2));   // nested, behind its end, an NMI
    EXPECT_THAT(dwords(pc, 0x620, 5), ElementsAre(1U << 16, 1U << 0, 1U << 0, 1U << 0, 1U << 17));
    EXPECT_EQ(pc.seen.count("irq.nmi", SLA_CODE_TICK), 1U);
}

INSTANTIATE_TEST_SUITE_P(Cpu, Modes, testing::Values("unicorn", "x86emu", "kvm"),
                         [](const auto& cpu) { return std::string(cpu.param); });

}  // namespace
}  // namespace sla::vmm
