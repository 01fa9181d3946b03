// What the machine monitor shows of itself, the guest's own markers, the Pentium's counters, and that runs repeat.
#include "emu/machine/host_clock.h"
#include "emu/tap/guest_text.h"
#include "emu/tap/hash_sink.h"
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace sla::vmm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::uint32_t word(TestPc& pc, std::uint32_t address) {
    std::uint32_t out = 0;
    std::memcpy(&out, pc.pc.memory().at(address, 4).data(), sizeof out);
    return out;
}

class Monitor : public testing::TestWithParam<const char*> {};

TEST_P(Monitor, ShowsEachInterruptRequestedAcknowledgedInjectedAndEnded) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "first"), GetParam());
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    const std::size_t ticks = pc.seen.count("irq.0.isr", SLA_CODE_BEGIN);
    EXPECT_EQ(ticks, 5U);
    EXPECT_EQ(pc.seen.count("vmm.irq.ack", SLA_CODE_TICK_VALUE), ticks);
    EXPECT_EQ(pc.seen.count("vmm.irq.eoi", SLA_CODE_TICK_VALUE), ticks);
    EXPECT_GE(pc.seen.count("vmm.irq.request", SLA_CODE_TICK_VALUE), ticks);
    EXPECT_EQ(pc.seen.count("vmm.irq.window", SLA_CODE_TICK_VALUE), 1U) << "the tick that waited for STI";
    EXPECT_EQ(pc.seen.count("vmm.inject", SLA_CODE_TICK_VALUE), ticks + 12) << "4 INT, 4 divide errors, 4 invalid opcodes";
    EXPECT_EQ(pc.seen.count("vmm.exit.cpuid", SLA_CODE_BEGIN), 4U);
    EXPECT_EQ(pc.seen.count("vmm.exit.hlt", SLA_CODE_BEGIN), 4U);
    EXPECT_EQ(pc.seen.count("vmm.exit.int", SLA_CODE_END), 4U);
    EXPECT_GE(pc.seen.count("vmm.timer.fire", SLA_CODE_TICK_VALUE), ticks);
    EXPECT_GE(pc.seen.count("vmm.timer.set", SLA_CODE_TICK_VALUE), pc.seen.count("vmm.timer.fire", SLA_CODE_TICK_VALUE));
}

TEST_P(Monitor, LetsTheGuestPlaceMarkersOfItsOwn) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "markers"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 9);
    EXPECT_EQ(pc.seen.count("guest.work", SLA_CODE_TICK), 3U);
    EXPECT_EQ(pc.seen.count("guest.work", SLA_CODE_TICK_VALUE), 1U);
    EXPECT_EQ(pc.seen.count("guest.work", SLA_CODE_BEGIN_VALUE), 1U);
    EXPECT_EQ(pc.seen.count("guest.work", SLA_CODE_END), 1U);
    const auto events = pc.seen.of("guest.work");
    EXPECT_EQ(events[3].value, 42U);
    EXPECT_EQ(events.back().text, "half done");
    EXPECT_THAT(pc.seen.of("exc.06"), IsEmpty()) << "VMCALL is no invalid opcode here";
}

// As a guest that starts again opens them again.
TEST(GuestMarker, TheSameNameIsTheSameChannel) {
    machine::VirtualClock clock;
    tap::RecordingSink seen(&clock);
    tap::VmmTap tap(seen);
    std::string name;
    GuestMarkers markers(tap, [&](std::uint32_t at) {
        return std::optional<std::uint8_t>(at < name.size() ? static_cast<std::uint8_t>(name[at]) : 0);
    });
    const auto open = [&](const std::string& wanted) {
        name = wanted;
        cpu::Registers registers{};
        registers.eax = GuestMarkers::kCalls;
        return markers.call(registers, {});
    };
    EXPECT_EQ(open("work"), 0U);
    EXPECT_EQ(open("rest"), 1U);
    for (int i = 0; i < 300; ++i) ASSERT_EQ(open("work"), 0U);
    for (unsigned i = 2; i < tap::kMaxGuestChannels; ++i) ASSERT_EQ(open("n" + std::to_string(i)), i);
    EXPECT_EQ(open("one more"), GuestMarkers::kRefused);
    EXPECT_EQ(open("rest"), 1U);
}

TEST(GuestMarker, NamesAndTextsThatDifferStayApart) {
    tap::RecordingSink seen;
    tap::VmmTap tap(seen);
    std::string memory;
    GuestMarkers markers(tap, [&](std::uint32_t at) {
        return at < memory.size() ? std::optional(static_cast<std::uint8_t>(memory[at])) : std::nullopt;
    });
    const auto call = [&](std::uint32_t what, const std::string& text) {
        memory = text + '\0';
        cpu::Registers registers{};
        registers.eax = GuestMarkers::kCalls + what;
        return markers.call(registers, {});
    };
    const std::string longest(tap::kMaxGuestName, 'n');
    EXPECT_EQ(call(0, "\u00e4b"), 0U);
    EXPECT_EQ(call(0, "\u00f6b"), 1U);
    EXPECT_EQ(call(0, "??b"), 2U);
    EXPECT_EQ(call(0, longest), 3U);
    EXPECT_EQ(call(0, longest + "1"), 4U);
    EXPECT_EQ(call(0, longest + "2"), 5U);
    EXPECT_EQ(call(0, longest + "1"), 4U);
    EXPECT_EQ(call(0, std::string(GuestMarkers::kMaxNameBytes, 'n')), 6U);
    EXPECT_EQ(call(0, std::string(GuestMarkers::kMaxNameBytes + 1, 'n')), GuestMarkers::kRefused);
    EXPECT_EQ(call(0, ""), GuestMarkers::kRefused);
    memory.clear();
    cpu::Registers nowhere{};
    nowhere.eax = GuestMarkers::kCalls;
    EXPECT_EQ(markers.call(nowhere, {}), GuestMarkers::kRefused);
    EXPECT_EQ(call(7, "\u20ac \xff"), 0U);
    EXPECT_EQ(call(7, std::string(200, 't')), 0U);
    EXPECT_THAT(texts(seen.of("guest.\u00e4b")), ElementsAre("\u20ac \\xff", std::string(tap::kMaxGuestText, 't')));
}

TEST_P(Monitor, RepeatsARunToTheEvent) {
    std::vector<std::uint64_t> hashes;
    for (int round = 0; round < 2; ++round) {
        machine::VirtualClock clock;
        machine::Machine pc(clock, std::size_t{2} << 20);
        const auto image = assembled_guest(SLA_GUEST_DIR, "ss_shadow");
        ASSERT_TRUE(pc.memory().load_rom(image).ok());
        tap::RecordingSink seen(&clock);
        tap::HashSink hashed(seen, clock);
        tap::Tap tap(hashed);
        machine::StopSignal stop;
        Vmm vmm(pc, tap, stop);
        ASSERT_TRUE(vmm.plug_cpu(GetParam()).ok());
        EXPECT_EQ(vmm.run(TestPc::kSecond).ending, Ending::kExit);
        EXPECT_GT(hashed.events(), 1000U);
        hashes.push_back(hashed.hash());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
}

// Each access takes 500 ns of the guest's time.
TEST_P(Monitor, MarksByThePortDelayNoInterrupt) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "marked_often"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    ASSERT_EQ(pc.seen.count("guest.often", SLA_CODE_TICK), 20'000U);
    EXPECT_GE(end.exit_code, 10) << "one each millisecond";
}

TEST_P(Monitor, AnInterruptBehindManyAccessesToAPortIsNotLate) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "busy_port"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 5);
    const auto fired = pc.seen.of("vmm.timer.fire");
    ASSERT_FALSE(fired.empty());
    for (const auto& event : fired) EXPECT_LT(event.value, 5'000U) << "ns late";
}

TEST_P(Monitor, TheGuestsTrapFlagTrapsBehindInstructionsThatAreDoneForIt) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "traced"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    const auto noted = pc.pc.memory().at(0x600, end.exit_code);
    EXPECT_THAT(std::vector<unsigned>(noted.begin(), noted.end()), ElementsAre(0x01, 0x03, 0x05,  // behind NOP, CPUID, RDTSC
                                                                               0x0B, 0x0D,        // RDMSR
                                                                               0x13, 0x16,        // a write to DR7
                                                                               0x1C, 0x1F,        // VMCALL
                                                                               0x20));
}

INSTANTIATE_TEST_SUITE_P(Cpu, Monitor, testing::Values("unicorn", "x86emu"),
                         [](const auto& cpu) { return std::string(cpu.param); });

TEST(MonitorMode, NamesEachModeTheGuestEnters) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "protected"));
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    EXPECT_THAT(texts(pc.seen.of("cpu.mode")), ElementsAre("protected", "paged"));
}

TEST(MonitorMode, SaysThatTheInterpreterDoesNoPaging) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "protected"), "x86emu");
    const Outcome end = pc.run();
    EXPECT_EQ(end.ending, Ending::kFailed);
    EXPECT_THAT(end.message, HasSubstr("paging"));
}

TEST(TimeStampCounter, IsTheHostsByItsClockAndNobodyElseWritesIt) {
    machine::StopSignal stop;
    machine::HostClock clock(stop);
    machine::Machine pc(clock, std::size_t{2} << 20);
    tap::RecordingSink seen(&clock);
    tap::Tap tap(seen);
    Vmm vmm(pc, tap, stop);
    ASSERT_TRUE(vmm.plug_cpu("x86emu").ok());
    EXPECT_FALSE(vmm.write_model_register(0x10, 5)) << "what would be written would not be read";
    EXPECT_GT(vmm.read_model_register(0x10), 5U);
}

class CountersOf : public testing::TestWithParam<const char*> {};

TEST_P(CountersOf, CountWhatWasCountedByHand) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "counters"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 6);
    EXPECT_EQ(word(pc, 0x600), 204U) << "instructions behind WRMSR, the RDMSR included";
    EXPECT_EQ(word(pc, 0x604), 1U) << "I/O";
    EXPECT_EQ(word(pc, 0x608), 204U + 7) << "up to the WRMSR that stopped it";
    EXPECT_EQ(word(pc, 0x60C), 204U + 7) << "by RDPMC";
    EXPECT_EQ(word(pc, 0x610), 2U) << "general protection faults";
    EXPECT_EQ(word(pc, 0x614), 3U) << "8 instructions from five before the end";
    EXPECT_EQ(word(pc, 0x618), 0U);
}

INSTANTIATE_TEST_SUITE_P(Cpu, CountersOf, testing::Values("unicorn", "x86emu"),
                         [](const auto& cpu) { return std::string(cpu.param); });

TEST(PentiumCounters, SignalOnTheirPinsAndSayWhatIsNotOffered) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "counters"), "x86emu");
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    EXPECT_EQ(pc.seen.count("pin.pm0", SLA_CODE_TICK_VALUE), 204U + 7 + 1) << "every increment, then one overflow";
    EXPECT_EQ(pc.seen.count("pin.pm1", SLA_CODE_TICK_VALUE), 1U);
    const auto counter = pc.seen.of("pmc.ctr0");
    ASSERT_EQ(counter.size(), pc.seen.count("pin.pm0", SLA_CODE_TICK_VALUE)) << "its lane goes with the pin";
    EXPECT_EQ(counter[0].code, SLA_CODE_VALUE_UNSIGNED);
    EXPECT_EQ(counter[203].value, 204U);
    ASSERT_EQ(pc.seen.of("pmc.note").size(), 1U);
    EXPECT_THAT(pc.seen.of("pmc.note")[0].text, HasSubstr("external snoops"));
    EXPECT_EQ(pc.seen.count("msr.write", SLA_CODE_TICK_VALUE), 6U);
}

TEST(PentiumCounters, SignalAPinAtTheInstructionThatDidIt) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "counters"), "x86emu");
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    const auto post = pc.seen.of("port.post");
    const auto pm1 = pc.seen.of("pin.pm1");
    ASSERT_EQ(post.size(), 1U);
    ASSERT_EQ(pm1.size(), 1U);
    EXPECT_EQ(pm1[0].detail[1], post[0].detail[1]) << "the OUT, not what follows";
    const auto pm0 = pc.seen.of("pin.pm0");
    ASSERT_GE(pm0.size(), 202U);
    EXPECT_EQ(pm0[201].detail[1], post[0].detail[1]) << "MOV, 200 in the loop, then the OUT";
}

TEST(PentiumCounters, SampleThePlaceOfEveryNthEvent) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "counters"), "x86emu");
    ASSERT_TRUE(pc.vmm.sample({0x16, 10, 0}).ok());
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    const std::uint64_t instructions = pc.vmm.cpu().counts()->instructions;
    const auto samples = pc.seen.of("pmc.sample");
    EXPECT_EQ(samples.size(), instructions / 10);
    const auto in_loop = std::count_if(samples.begin(), samples.end(), [&](const auto& sample) {
        return sample.value == samples[5].value || sample.value == samples[6].value;
    });
    EXPECT_GE(in_loop, 10) << "the loop of 200 instructions";
    EXPECT_EQ(samples[0].detail[1] >> 32, 0xF000U);
    EXPECT_THAT(pc.vmm.sample({0x07, 10, 0}).error().message, HasSubstr("not offered"));
    EXPECT_FALSE(pc.vmm.sample({0x16, 0, 0}).ok());
    TestPc other(assembled_guest(SLA_GUEST_DIR, "counters"), "unicorn");
    EXPECT_THAT(other.vmm.sample({0x16, 10, 0}).error().message, HasSubstr("--cpu x86emu"));
}

TEST(PentiumModels, CountWhatWasCountedByHand) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "models"), "x86emu");
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    ASSERT_EQ(end.exit_code, 10);
    std::vector<std::uint32_t> counted;
    for (std::uint32_t at = 0x600; at < 0x600 + 8 * 10; at += 4) counted.push_back(word(pc, at));
    EXPECT_THAT(counted, ElementsAre(100, 206,  // V pipe, instructions
                                     5, 2,      // memory in both pipes, bank conflicts
                                     64, 2,     // data read misses, data TLB misses
                                     30, 4,     // three lines in two ways
                                     3, 4,      // write misses, writes to M or E lines
                                     1, 4,      // written back, misses
                                     4, 4,      // code reads, code misses
                                     99, 2,     // BTB hits, flushes
                                     100, 1,    // taken or BTB hit, address interlock
                                     3, 1));    // not cacheable, code TLB misses
    EXPECT_EQ(pc.seen.count("pmc.note", SLA_CODE_TEXT), 0U);
}

TEST(PentiumCounters, InterruptTheGuestAtEveryTenthEvent) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "overflow"), "x86emu");
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 10) << "100 accesses";
    EXPECT_EQ(pc.seen.count("irq.apic.61h", SLA_CODE_BEGIN), 10U);
    EXPECT_EQ(pc.seen.count("irq.apic.61h", SLA_CODE_END), 10U);
    EXPECT_EQ(pc.seen.count("pin.pm0", SLA_CODE_TICK_VALUE), 10U);
    for (std::uint32_t i = 0; i < 10; ++i) {
        const std::uint32_t place = word(pc, 0x600 + 2 * i) & 0xFFFF;
        EXPECT_GE(place, 0xF100U);
        EXPECT_LT(place, 0xF106U) << "in the loop";
    }
}

TEST(PentiumCounters, StandStillOnACpuThatDoesNotCountTheEventAndSaySo) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "models"), "unicorn");
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(word(pc, 0x600), 0U) << "V pipe";
    EXPECT_EQ(word(pc, 0x604), 206U) << "instructions";
    ASSERT_GE(pc.seen.of("pmc.note").size(), 2U);
    EXPECT_THAT(pc.seen.of("pmc.note")[0].text, HasSubstr("x86emu counts"));
}

TEST(PentiumCounters, OfACpuThatSeesBlocksSignalForEachBlockAtItsLastInstruction) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "counters"), "unicorn");
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    const auto pm0 = pc.seen.of("pin.pm0");
    const auto post = pc.seen.of("port.post");
    const auto pm1 = pc.seen.of("pin.pm1");
    ASSERT_EQ(post.size(), 1U);
    ASSERT_EQ(pm1.size(), 1U);
    EXPECT_EQ(pm1[0].detail[1], post[0].detail[1]) << "the OUT";
    ASSERT_GE(pm0.size(), 101U);
    EXPECT_EQ(pm0[0].value, 3U) << "MOV, DEC, JNZ";
    for (std::size_t i = 1; i < 100; ++i) {
        EXPECT_EQ(pm0[i].value, 2U) << "DEC, JNZ";
        EXPECT_EQ(pm0[i].detail[1], pm0[0].detail[1]) << "the JNZ";
    }
    EXPECT_EQ(pm0[100].value, 1U);
    EXPECT_EQ(pm0[100].detail[1], post[0].detail[1]) << "up to the OUT, which is not its block's end";
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i + 1 < pm0.size(); ++i) sum += pm0[i].value;
    EXPECT_EQ(sum, 204U + 7) << "the last one is the overflow";
}

class BlockCounts : public testing::TestWithParam<const char*> {};

TEST_P(BlockCounts, AreThoseCountedByHand) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "block_counts"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    ASSERT_EQ(end.exit_code, 8);
    EXPECT_EQ(word(pc, 0x600), 41U) << "instructions";
    EXPECT_EQ(word(pc, 0x604), 12U + 3) << "branches; CPUID, WRMSR and the exception";
    EXPECT_EQ(word(pc, 0x608), 6U + 2) << "segment loads; CS of two handlers";
    EXPECT_EQ(word(pc, 0x60C), 2U) << "locked cycles";
    EXPECT_EQ(word(pc, 0x610), 2U) << "accesses to ports";
    EXPECT_EQ(word(pc, 0x614), 0U) << "hardware interrupts";
    EXPECT_EQ(word(pc, 0x61C), 41U) << "instructions, once more";
    EXPECT_EQ(pc.seen.count("pmc.note", SLA_CODE_TEXT), 0U);
}

INSTANTIATE_TEST_SUITE_P(Cpu, BlockCounts, testing::Values("unicorn", "x86emu"),
                         [](const auto& cpu) { return std::string(cpu.param); });

// The library begins an instruction anew that writes into its own block: it is one, and the block behind it ran once.
TEST_P(BlockCounts, OfCodeThatWritesIntoItselfAreThoseCountedByHand) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "own_writes"), GetParam());
    pc.vmm.counter_unit().count_all({});
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    ASSERT_EQ(end.exit_code, 9);
    EXPECT_EQ(pc.vmm.cpu().counts()->instructions, 12U + 14 + 2 * 5'000 + 5);
    EXPECT_EQ(pc.vmm.cpu().counts()->branches, 3U + 2 * 1'000);
    EXPECT_EQ(word(pc, 0x608) & 0xFF, 500'500U % 256) << "the byte was added as it stood each time";
    EXPECT_NEAR(word(pc, 0x600), word(pc, 0x604), word(pc, 0x604) * 0.1) << "and takes no more time";
}

TEST_P(BlockCounts, EndWithTheInstructionThatEndsTheRunOrResetsThePc) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "last_access"), GetParam());
    pc.vmm.restart_on_reset([](const std::string&) {});
    pc.vmm.counter_unit().count_all({});
    ASSERT_EQ(pc.run().exit_code, 7);
    EXPECT_EQ(pc.vmm.cpu().counts()->instructions, 18U);
    EXPECT_EQ(pc.vmm.cpu().counts()->branches, 4U);
    EXPECT_EQ(pc.vmm.cpu().counts()->port_accesses, 2U);
}

TEST(BlockCountsOfBoth, OfLinesOfCodeAreTheSameOnBothCpus) {
    std::vector<std::uint32_t> lines;
    for (const char* cpu : {"unicorn", "x86emu"}) {
        TestPc pc(assembled_guest(SLA_GUEST_DIR, "block_counts"), cpu);
        ASSERT_EQ(pc.run().exit_code, 8);
        lines.push_back(word(pc, 0x618));
    }
    EXPECT_EQ(lines[0], lines[1]);
    EXPECT_GE(lines[0], 12U) << "one for each jump at least";
}

// As many as a stranger counts who saw all of them begin and end.
TEST(OpenSpans, AreThoseThatHaveBegunAndNotEnded) {
    for (const char* guest : {"sections", "nmi_block", "halt_in_service", "self_ipi"}) {
        TestPc pc(assembled_guest(SLA_GUEST_DIR, guest), "x86emu");
        std::size_t most = 0;
        pc.vmm.on_stop([&](const cpu::StopPoints::Found&) {
            std::vector<std::string> expected;
            for (const auto& [name, format] : pc.seen.formats) {
                const std::size_t begun = pc.seen.count(name, SLA_CODE_BEGIN) + pc.seen.count(name, SLA_CODE_BEGIN_VALUE);
                expected.insert(expected.end(), begun - pc.seen.count(name, SLA_CODE_END), name);
            }
            std::vector<std::string> open = pc.vmm.open_spans();
            std::sort(open.begin(), open.end());
            ASSERT_EQ(open, expected) << guest;
            most = std::max(most, open.size());
            pc.vmm.stop_points().step(3);
        });
        pc.vmm.stop_points().step(3);
        const Outcome end = pc.run(TestPc::kSecond / 1000);
        EXPECT_NE(end.ending, Ending::kFailed) << end.message;
        if (guest == std::string_view("sections")) {
            EXPECT_EQ(most, 1U);
        }
    }
}

}  // namespace
}  // namespace sla::vmm
