// The CPU "kvm", where the host has one that works: the guest's own counts, interrupts in their place, the host's time-stamp
// counter, and that no guest keeps a run from ending.
#include "emu/cpu/kvm/kvm_machine.h"
#include "emu/guest/demo_guest.h"
#include "emu/machine/host_clock.h"
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>
#include <x86intrin.h>

#include <array>
#include <cstring>
#include <sstream>
#include <thread>

namespace sla::vmm {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr bus::Nanoseconds kMillisecond = 1'000'000;

struct HostPc {
    explicit HostPc(std::span<const std::uint8_t> image) {
        EXPECT_TRUE(pc.memory().load_rom(image).ok());
        pc.debug_port().on_byte([this](char byte) { text += byte; });
        const auto plugged = vmm.plug_cpu("kvm");
        EXPECT_TRUE(plugged.ok()) << (plugged.ok() ? "" : plugged.error().message);
    }
    explicit HostPc(const char* name) : HostPc(assembled_guest(SLA_GUEST_DIR, name)) {}

    // The limit only ends a hang: how long a guest takes by the host's clock is the host's to say.
    Outcome run(bus::Nanoseconds limit = 300 * TestPc::kSecond) { return vmm.run(limit); }

    machine::StopSignal stop;
    machine::HostClock clock{stop};
    machine::Machine pc{clock, std::size_t{2} << 20};
    tap::RecordingSink seen{&clock};
    tap::Tap tap{seen};
    Vmm vmm{pc, tap, stop};
    std::string text;
};

class Kvm : public testing::Test {
protected:
    void SetUp() override {
        const auto abilities = cpu::prove_kvm();
        if (!abilities) GTEST_SKIP() << abilities.error().message;
        found = *abilities;
    }
    cpu::KvmAbilities found;
};

std::uint64_t number_after(const std::string& text, const std::string& name) {
    const auto at = text.find(name + "=");
    return at == std::string::npos ? ~0ULL : std::stoull(text.substr(at + name.size() + 1));
}

TEST_F(Kvm, ShowsEveryPortAccessHaltAndInterruptThatTheGuestCounted) {
    HostPc pc(guest::demo_guest(300));
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    std::uint64_t ins = 0;
    std::uint64_t outs = 0;
    for (const auto& event : pc.seen.events) {
        if (!event.channel.starts_with("port.") || event.channel == "port.debug" || event.channel == "port.exit") continue;
        ++((event.detail[0] >> 18 & 1) != 0 ? outs : ins);
    }
    EXPECT_EQ(ins, number_after(pc.text, "in")) << pc.text;
    EXPECT_EQ(outs, number_after(pc.text, "out"));
    EXPECT_EQ(pc.seen.count("irq.0.isr", SLA_CODE_BEGIN), number_after(pc.text, "irq0"));
    EXPECT_EQ(pc.seen.count("irq.0.isr", SLA_CODE_END), number_after(pc.text, "irq0"));
    EXPECT_EQ(pc.seen.count("cpu.hlt", SLA_CODE_BEGIN), number_after(pc.text, "hlt"));
    EXPECT_EQ(number_after(pc.text, "spurious") + number_after(pc.text, "unexpected"), 0U);
}

TEST_F(Kvm, LetsTheInstructionBehindStiAndLoadsOfSsRunFirst) {
    for (const auto& [guest, code] : {std::pair{"sti_shadow", 1}, {"sti_loop", 3}, {"ss_shadow", 4}}) {
        if (!found.windows && code == 1) continue;  // its window is open for two instructions
        HostPc pc(guest);
        const Outcome end = pc.run();
        EXPECT_EQ(end.ending, Ending::kExit) << guest << ": " << end.message;
        EXPECT_EQ(end.exit_code, code) << guest;
    }
}

TEST_F(Kvm, KnowsThePlaceOfPortAccesses) {
    HostPc pc("ports");
    const Outcome end = pc.run();
    EXPECT_EQ(end.exit_code, 6) << end.message;
    EXPECT_EQ(pc.text, "ports");
    const auto post = pc.seen.of("port.post");
    ASSERT_EQ(post.size(), 5U);
    EXPECT_EQ(post[0].detail[1], 0xF000'0000F080ULL);
    EXPECT_EQ(post[1].detail[1], 0xF000'0000F087ULL);
    EXPECT_EQ(post[2].detail[1], 0xF000'0000F091ULL) << "with its operand-size prefix";
    EXPECT_EQ(post[2].value, 0x89ABCDEFU);
    EXPECT_EQ(post[3].value, 0xEFU);
}

// The exact places are those of the CPU that sees each instruction.
TEST_F(Kvm, KnowsThePlaceOfAccessesToChipsInMemory) {
    HostPc pc("window");
    ASSERT_EQ(pc.run().exit_code, 5);
    TestPc exact(assembled_guest(SLA_GUEST_DIR, "window"), "x86emu");
    ASSERT_EQ(exact.run().exit_code, 5);
    const auto seen = pc.seen.of("mmio.lapic");
    const auto expected = exact.seen.of("mmio.lapic");
    ASSERT_EQ(seen.size(), expected.size());
    ASSERT_GE(seen.size(), 25U);
    for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].detail[1], expected[i].detail[1]) << "access " << i << std::hex << " at " << expected[i].detail[1];
    }
}

TEST_F(Kvm, GivesTheGuestTheHostsTimeStampCounter) {
    HostPc pc("clock");
    const std::uint64_t before = __rdtsc();
    ASSERT_EQ(pc.run().exit_code, 2);
    const std::uint64_t after = __rdtsc();
    std::uint64_t stamps[2];
    std::memcpy(stamps, pc.pc.memory().at(0x600, sizeof stamps).data(), sizeof stamps);
    EXPECT_LT(before, stamps[0]);
    EXPECT_LT(stamps[0], stamps[1]);
    EXPECT_LT(stamps[1], after);
}

TEST_F(Kvm, LetsTheGuestsHandlersHaveFaultsAndSoftwareInterrupts) {
    HostPc faults("faults");
    EXPECT_EQ(faults.run().exit_code, 3 * 16 + 2);
    HostPc demo(guest::demo_guest(100));
    ASSERT_EQ(demo.run().ending, Ending::kExit);
    EXPECT_GT(number_after(demo.text, "int21"), 0U);
    EXPECT_THAT(demo.seen.of("int.21h"), IsEmpty()) << "what is not seen is not made up";
    EXPECT_THAT(demo.vmm.cpu().limits(), HasSubstr("int.*"));
}

TEST_F(Kvm, EndsGuestsThatSpinWithInterruptsOffOrCallAMonitorThatDoesNotAnswer) {
    for (const char* guest : {"spin", "markers"}) {
        HostPc pc(guest);
        EXPECT_EQ(pc.run(50 * kMillisecond).ending, Ending::kTimeUp) << guest;
        HostPc stopped(guest);
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            stopped.stop.request();
        });
        EXPECT_EQ(stopped.run().ending, Ending::kStopped) << guest;
        other.join();
    }
}

TEST_F(Kvm, PagesOrSaysThatItCannot) {
    HostPc pc("protected");
    const Outcome end = pc.run();
    if (found.paging) {
        EXPECT_EQ(end.exit_code, 7) << end.message;
        return;
    }
    EXPECT_EQ(end.ending, Ending::kFailed) << "no triple fault: starting again would not help";
    EXPECT_THAT(end.message, HasSubstr("switched paging on, which the KVM of this host does not do"));
}

// Elsewhere a guest may wait for ever in its own handler of the fault.
TEST_F(Kvm, OfAGuestThatHasPageTablesItSaysThatPagingStayedOff) {
    const std::array<std::uint8_t, 16> sets_cr3{0x66, 0xB8, 0x00, 0x10, 0x00, 0x00, 0x0F, 0x22, 0xD8, 0xFA, 0xF4};
    HostPc pc(sets_cr3);
    EXPECT_THAT(pc.vmm.cpu().doubts(), IsEmpty());
    EXPECT_EQ(pc.run().ending, Ending::kHalted);
    EXPECT_EQ(pc.vmm.cpu().doubts().empty(), found.paging) << pc.vmm.cpu().doubts();
}

// Some hosts emulate guests, without FWAIT and floating point. Guests without either, such as memtest86+ at its start, run.
TEST_F(Kvm, DoesFwaitWhereTheHostDoesNot) {
    HostPc pc("fwait");
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 5);
    EXPECT_EQ(pc.seen.count("exc.06", SLA_CODE_TICK_VALUE), 0U);
}

TEST_F(Kvm, SaysWhichInstructionTheHostDoesNotDo) {
    HostPc pc("floating");
    const Outcome end = pc.run();
    if (end.ending == Ending::kExit) {
        EXPECT_EQ(end.exit_code, 2);
        return;
    }
    EXPECT_EQ(end.ending, Ending::kFailed) << "no invalid opcode: the guest's handler cannot help";
    EXPECT_THAT(end.message, HasSubstr("does not do its instruction \"f"));
    EXPECT_THAT(end.message, HasSubstr("use --cpu unicorn"));
    EXPECT_EQ(pc.seen.count("exc.06", SLA_CODE_TICK_VALUE), 1U) << "the guest's own";
}

TEST_F(Kvm, RunsByRealTimeOnly) {
    machine::VirtualClock clock;
    machine::Machine pc(clock);
    tap::RecordingSink seen;
    tap::Tap tap(seen);
    machine::StopSignal stop;
    Vmm vmm(pc, tap, stop);
    const auto plugged = vmm.plug_cpu("kvm");
    ASSERT_FALSE(plugged.ok());
    EXPECT_EQ(plugged.error().code, ErrorCode::kInvalidInput);
    EXPECT_THAT(plugged.error().message, HasSubstr("--clock virtual"));
}

}  // namespace
}  // namespace sla::vmm
