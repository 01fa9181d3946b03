// What sections of a guest's work count: spans and ranges of code, event by event, against counts made by hand.
#include "emu/vmm/section_counts.h"
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

namespace sla::vmm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// A machine whose tap goes through SectionCounts.
class SectionPc {
public:
    SectionPc(const char* guest, const char* channels, std::vector<CodeRange> ranges, const char* cpu = "x86emu")
        : counts(shown, tap::Selection::parse(channels).value(), std::move(ranges)) {
        EXPECT_TRUE(pc.memory().load_rom(assembled_guest(SLA_GUEST_DIR, guest)).ok());
        EXPECT_TRUE(vmm.plug_cpu(cpu).ok());
    }

    Outcome run(std::optional<bool> in_ring_3 = {}) {
        vmm.counter_unit().count_all(in_ring_3);
        counts.count_with(vmm.counter_unit());
        return vmm.run(10 * TestPc::kSecond);
    }
    std::uint32_t word(std::uint32_t address) {
        std::uint32_t out = 0;
        std::memcpy(&out, pc.memory().at(address, 4).data(), sizeof out);
        return out;
    }
    // Of a section that costs the same each time: the number, and how often it came.
    std::map<std::uint64_t, std::uint64_t> of(const std::string& section, std::uint8_t event) {
        for (const SectionCounts::Section& one : counts.finish()) {
            if (one.name == section) return one.events[event].values();
        }
        return {};
    }

    machine::VirtualClock clock;
    machine::Machine pc{clock, std::size_t{2} << 20};
    machine::StopSignal stop;
    tap::RecordingSink seen{&clock};
    tap::SelectingSink shown{seen, tap::Selection::parse("guest.work").value()};  // the others are one behind it
    SectionCounts counts;
    tap::Tap tap{counts};
    Vmm vmm{pc, tap, stop};
};

// CS:IP of a byte pattern in the image at F000:F000.
bus::CodeAddress find_code(SectionPc& machine, std::vector<std::uint8_t> code) {
    const auto image = machine.pc.memory().at(0xFF000, 0x1000);
    const auto found = std::search(image.begin(), image.end(), code.begin(), code.end());
    EXPECT_NE(found, image.end());
    return {0xF000, static_cast<std::uint32_t>(0xF000 + (found - image.begin())), true};
}

constexpr std::uint8_t kReads = 0x00, kWrites = 0x01, kMisaligned = 0x0B, kSegments = 0x0F, kBranches = 0x12,
                       kInstructions = 0x16, kPorts = 0x1D;

TEST(Sections, OfMarkedWorkCountWhatHandCountsAboveAnEmptyOneAreReported) {
    SectionPc pc("sections", "guest.*", {});
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    // POP of three registers behind the begin, three PUSH, a MOV from memory and the OUT before the end.
    EXPECT_THAT(pc.of("guest.empty", kInstructions), ElementsAre(Pair(10, 5)));
    EXPECT_THAT(pc.of("guest.empty", kReads), ElementsAre(Pair(4, 5)));
    EXPECT_THAT(pc.of("guest.empty", kWrites), ElementsAre(Pair(3, 5)));
    EXPECT_THAT(pc.of("guest.empty", kPorts), ElementsAre(Pair(1, 5)));
    EXPECT_THAT(pc.of("guest.work", kInstructions), ElementsAre(Pair(10 + 26, 5)));
    EXPECT_THAT(pc.of("guest.work", kReads), ElementsAre(Pair(4 + 12 + 1, 5))) << "one crosses a border of four bytes";
    EXPECT_THAT(pc.of("guest.work", kWrites), ElementsAre(Pair(3 + 12 + 1, 5)));
    EXPECT_THAT(pc.of("guest.work", kMisaligned), ElementsAre(Pair(2, 5)));
    EXPECT_THAT(pc.of("guest.work", kBranches), ElementsAre(Pair(10, 5)));
    EXPECT_THAT(pc.of("guest.work", kSegments), ElementsAre(Pair(1, 5)));
    EXPECT_THAT(pc.of("guest.work", kPorts), ElementsAre(Pair(1 + 2, 5)));
}

TEST(Sections, OfACodeRangeCountItsInstructionsAloneAndCostNothing) {
    SectionPc finder("sections", "none", {});
    const auto first = find_code(finder, {0xB9, 10, 0});            // MOV CX, 10
    const auto last = find_code(finder, {0xE4, 0x61, 0x1E, 0x1F});  // the second IN, PUSH DS, POP DS
    SectionPc pc("sections", "none", {{"work", first, {0xF000, last.offset + 4, true}}});
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    EXPECT_THAT(pc.of("work", kInstructions), ElementsAre(Pair(26, 5)));
    EXPECT_THAT(pc.of("work", kReads), ElementsAre(Pair(12 + 1, 5)));
    EXPECT_THAT(pc.of("work", kWrites), ElementsAre(Pair(12 + 1, 5)));
    EXPECT_THAT(pc.of("work", kPorts), ElementsAre(Pair(2, 5)));
    EXPECT_THAT(pc.of("work", kBranches), ElementsAre(Pair(10, 5)));
}

TEST(Sections, ThatNeverEndAreReportedAsOpen) {
    SectionPc finder("sections", "none", {});
    const auto first = find_code(finder, {0xB9, 10, 0});
    SectionPc pc("sections", "none", {{"work", first, {0x1234, 0, true}}});
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    const auto sections = pc.counts.finish();
    ASSERT_EQ(sections.size(), 2U);
    EXPECT_EQ(sections[1].ended, 0U);
    EXPECT_EQ(sections[1].open.size(), 1U) << "it begins anew each time";
}

TEST(Sections, DeeperThanAThousandAreUncountedAndCloseNoOther) {
    SectionPc pc("sections", "guest.deep", {});
    pc.counts.count_with(pc.vmm.counter_unit());
    const tap::ChannelId deep = pc.counts.open("guest.deep", "");
    constexpr unsigned kDepth = SectionCounts::kMaxNested + 200;
    for (unsigned i = 0; i < kDepth; ++i) pc.counts.plain(deep, SLA_CODE_BEGIN, 0);
    for (unsigned i = 0; i < 200; ++i) pc.counts.plain(deep, SLA_CODE_END, 0);
    auto sections = pc.counts.finish();
    ASSERT_EQ(sections.size(), 2U);
    EXPECT_EQ(sections[1].ended, 0U);
    EXPECT_EQ(sections[1].open.size(), SectionCounts::kMaxNested);
    for (unsigned i = 0; i < SectionCounts::kMaxNested; ++i) pc.counts.plain(deep, SLA_CODE_END, 0);
    sections = pc.counts.finish();
    EXPECT_EQ(sections[1].ended, SectionCounts::kMaxNested);
    EXPECT_TRUE(sections[1].open.empty());
    EXPECT_EQ(sections[1].uncounted, 200U);
}

TEST(Sections, AreOnlyChannelsThatHaveSpans) {
    SectionPc pc("sections", "guest.*,port.*,vmm.exit.nothing", {{"never", {0x1234, 0, true}, {0x1234, 1, true}}});
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    std::vector<std::string> names;
    for (const SectionCounts::Section& section : pc.counts.finish()) names.push_back(section.name);
    EXPECT_THAT(names, ElementsAre("program", "guest.empty", "guest.work"));
}

TEST(Sections, TheWholeRunCountsWhatTheCpuDid) {
    SectionPc pc("sections", "none", {});
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    EXPECT_THAT(pc.of("program", kInstructions), ElementsAre(Pair(pc.vmm.cpu().counts()->instructions, 1)));
    EXPECT_GT(pc.of("program", 0x0E).begin()->first, 0U) << "the models run";
}

TEST(Sections, CountHandlersThatAreEnteredAndAccessesOverABorderOfFourBytes) {
    SectionPc pc("entries", "none", {});
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    const auto counted = [&pc](std::uint8_t event) { return pc.vmm.counter_unit().counted()[event]; };
    constexpr std::uint64_t kCyclesIn =
        100 * (1 + 3) + 1 + 2 + (1 + 3) + (1 + 2 + 3);  // INTs; two MOVs; the timer's; the fault's
    constexpr std::uint64_t kCyclesOut =
        3 * 2 + 100 * 3 + 2 + 3 + (3 + 2);  // vectors; INTs; a MOV; the timer's; the fault's
    EXPECT_EQ(counted(0x00), kCyclesIn);
    EXPECT_EQ(counted(0x01), kCyclesOut);
    EXPECT_EQ(counted(0x28), kCyclesIn + kCyclesOut);
    EXPECT_EQ(counted(0x0B), 3U) << "two MOVs and an OUT";
    for (const char* cpu : {"x86emu", "unicorn"}) {
        SectionPc one("entries", "none", {}, cpu);
        ASSERT_EQ(one.run().ending, Ending::kExit);
        const pmc::Counts all = one.vmm.counter_unit().counted();
        EXPECT_EQ(all[0x0F], 1U + 2 + 2 * (100 + 1 + 1)) << cpu << ": the first jump, DS and SS, each handler and its IRET";
        EXPECT_EQ(all[0x12], 1U + 3 * 100 + 2 + 2 + 1)
            << cpu << ": the first jump, INT, IRET and LOOP, the timer, the fault, CPUID";
        EXPECT_EQ(all[0x1D], 2U + 10 + 3 + 1) << cpu << ": one of them twice";
        EXPECT_EQ(all[0x27], 1U) << cpu;
    }
}

TEST(Sections, InRingThreeOnlyAreEmptyWhereTheGuestNeverGoesThere) {
    SectionPc user("sections", "guest.*", {});
    ASSERT_EQ(user.run(true).ending, Ending::kExit);
    EXPECT_THAT(user.of("guest.work", kInstructions), ElementsAre(Pair(0, 5)));
    SectionPc kernel("sections", "guest.*", {});
    ASSERT_EQ(kernel.run(false).ending, Ending::kExit);
    EXPECT_THAT(kernel.of("guest.work", kInstructions), ElementsAre(Pair(36, 5)));
}

TEST(Sections, OnACpuThatSeesBlocksCountWhatFollowsFromThem) {
    SectionPc pc("sections", "guest.*", {}, "unicorn");
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    EXPECT_THAT(pc.of("guest.work", kPorts), ElementsAre(Pair(3, 5)));
    EXPECT_TRUE(pc.vmm.counter_unit().keeps(0x27));
    EXPECT_FALSE(pc.vmm.counter_unit().keeps(kReads)) << "which its library does not tell";
    EXPECT_THAT(pc.of("guest.empty", kInstructions), ElementsAre(Pair(10, 5))) << "as the CPU that sees each";
    EXPECT_THAT(pc.of("guest.work", kInstructions), ElementsAre(Pair(10 + 26, 5)));
    EXPECT_THAT(pc.of("guest.work", kBranches), ElementsAre(Pair(10, 5)));
    EXPECT_THAT(pc.of("guest.work", kSegments), ElementsAre(Pair(1, 5)));
}

TEST(Sections, OfTooManyDifferentNumbersShareThemAndSayHowMuchThatCutsOff) {
    ValueCounts counts;
    std::uint64_t sum = 0;
    for (std::uint64_t value = 0; value < 3 * ValueCounts::kMaxValues; ++value) {
        counts.add(value, 2);
        sum += 2 * value;
    }
    EXPECT_EQ(counts.grain(), 4U);
    EXPECT_LE(counts.values().size(), ValueCounts::kMaxValues);
    std::uint64_t shown = 0;
    for (const auto& [value, times] : counts.values()) {
        EXPECT_EQ(value % 4, 0U);
        shown += value * times;
    }
    EXPECT_EQ(shown + counts.cut_off(), sum);
}

TEST(Sections, AreReportedAsJson) {
    SectionPc pc("sections", "guest.work", {});
    ASSERT_EQ(pc.run().ending, Ending::kExit);
    const std::string text = json_of(pc.counts.finish(), pc.vmm.counter_unit(), "x\"86\n");
    EXPECT_THAT(text, HasSubstr("\"cpu\": \"x\\\"86?\""));
    EXPECT_THAT(text, HasSubstr("\"16\": \"exact\""));
    EXPECT_THAT(text, HasSubstr("\"07\": \"not offered\""));
    EXPECT_THAT(text, HasSubstr("{\"name\": \"guest.work\", \"ended\": 5, \"unfinished\": 0"));
    EXPECT_THAT(text, HasSubstr("\"1D\": {\"grain\": 1, \"values\": [[3, 5]]}"));
}

TEST(GuestHeader, MeasuresWhatReadingACounterCosts) {
    SectionPc pc("sections", "none", {});
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit);
    EXPECT_EQ(end.exit_code, 1);
    // Behind RDPMC: two MOV, four POP; before the next one: four PUSH, XOR, CPUID, MOV, and RDPMC itself.
    EXPECT_EQ(pc.word(0x634), 6U + 8);
    EXPECT_EQ(pc.seen.count("guest.work", SLA_CODE_VALUE_UNSIGNED), 5U);
}

TEST(GuestHeader, TakesOperandsThatNameRegistersWhichItUses) {
    for (const char* cpu : {"unicorn", "x86emu"}) {
        TestPc pc(assembled_guest(SLA_GUEST_DIR, "operands"), cpu);
        const Outcome end = pc.run();
        ASSERT_EQ(end.ending, Ending::kExit) << end.message;
        EXPECT_EQ(end.exit_code, 1) << "registers and stack are as they were";
        EXPECT_EQ(pc.seen.count("guest.one", SLA_CODE_TICK), 3U);
        std::vector<std::uint64_t> values;
        for (const auto& event : pc.seen.of("guest.one")) {
            if (event.code == SLA_CODE_VALUE_UNSIGNED) values.push_back(event.value);
        }
        EXPECT_THAT(values, ElementsAre(3, 4, 5, 6, 7, 8, 9)) << cpu;
    }
}

TEST(GuestHeader, AnOperandThatNamesARegisterWhichIsAnotherOneByThenIsAnError) {
    const std::string source = testing::TempDir() + "sla-operand-" + std::to_string(::getpid()) + ".asm";
    const std::string image =
        source + ".bin";  // a file: nasm removes what it cannot finish, and for root that can be a device
    const auto assembles = [&](const std::string& line) {
        std::ofstream(source) << "%include \"sla_guest.inc\"\nbits 32\n" << line << "\nmov eax, esp\nmov EBX, ECX\n";
        const std::string command = SLA_NASM " -f bin -o " + image + " " + source + " 2> /dev/null";
        return std::system(command.c_str()) == 0;
    };
    for (const char* right : {"SLA_TICK 600h", "SLA_TICK eax", "SLA_VALUE 600h, [ecx]", "SLA_CHANNEL ebx, eax",
                              "SLA_TSC esi", "SLA_PMC 1, ebp + 8", "SLA_PMC_OVERHEAD 0, 600h"})
        EXPECT_TRUE(assembles(right)) << right;
    for (const char* wrong : {"SLA_TICK esp + 4", "SLA_END ESP", "SLA_VALUE 600h, esp", "SLA_VALUE 600h, [esp]",
                              "SLA_VALUE esp + 4, 1", "SLA_CHANNEL ecx, 700h", "SLA_CHANNEL 600h, esp", "SLA_TSC ebx",
                              "SLA_TSC bx", "SLA_PMC eax, 600h", "SLA_PMC 0, EDX", "SLA_TSC_OVERHEAD esp + 4"})
        EXPECT_FALSE(assembles(wrong)) << wrong;
    std::remove(source.c_str());
    std::remove(image.c_str());
}

class CountedPorts : public testing::TestWithParam<const char*> {};

TEST_P(CountedPorts, AreExactInTheRingsThatCesrNames) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "counted_ports"), GetParam());
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(end.exit_code, 5);
    EXPECT_EQ(pc.pc.memory().at(0x600, 1)[0], 0) << "in ring 3";
    EXPECT_EQ(pc.seen.count("pmc.note", SLA_CODE_TEXT), 0U);
}
INSTANTIATE_TEST_SUITE_P(, CountedPorts, testing::Values("unicorn", "x86emu"));

TEST(RingCounters, TellRingThreeFromTheOthersAndRdpmcNeedsPce) {
    SectionPc pc("ring_counters", "none", {}, "unicorn");
    const Outcome end = pc.run(true);
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    EXPECT_EQ(pc.word(0x600), 1U) << "one RDPMC before CR4.PCE is on";
    EXPECT_EQ(pc.word(0x604), 3U) << "as ring 3 reads it";
    EXPECT_EQ(pc.word(0x608), 2U) << "in ring 0";
    EXPECT_EQ(pc.word(0x60C), 3U) << "in ring 3";
    EXPECT_THAT(pc.of("program", kPorts), ElementsAre(Pair(3, 1))) << "counted beside the guest's own, of ring 3";
    EXPECT_THAT(pc.of("program", kInstructions), ElementsAre(Pair(9, 1))) << "three IN, two MOV and RDPMC, MOV, INT";
    SectionPc kernel("ring_counters", "none", {}, "unicorn");
    ASSERT_EQ(kernel.run(false).ending, Ending::kExit);
    EXPECT_THAT(kernel.of("program", kPorts), ElementsAre(Pair(2 + 1, 1))) << "and the one that ends the run";
}

TEST(Breakpoints, MatchInstructionsWritesAndReadsWhereDebugRegistersPoint) {
    TestPc pc(assembled_guest(SLA_GUEST_DIR, "breakpoints"), "x86emu");
    const Outcome end = pc.run();
    ASSERT_EQ(end.ending, Ending::kExit) << end.message;
    std::uint32_t noted[4];
    std::memcpy(noted, pc.pc.memory().at(0x600, sizeof noted).data(), sizeof noted);
    EXPECT_EQ(noted[0], 7U) << "NOP, seven times";
    EXPECT_EQ(noted[1], 2U) << "writes in and over the word";
    EXPECT_EQ(noted[2], 2U) << "a read of the last byte, a write of the first";
    EXPECT_EQ(noted[3], 0U) << "DR3 is zero and off";
}

TEST(ValueCounts, KeepEveryNumberUntilThereAreTooManyAndThenSharePlaces) {
    ValueCounts counts;
    for (std::uint64_t i = 0; i < ValueCounts::kMaxValues; ++i) counts.add(i);
    EXPECT_EQ(counts.grain(), 1U);
    EXPECT_EQ(counts.values().size(), ValueCounts::kMaxValues);
    counts.add(ValueCounts::kMaxValues, 3);
    EXPECT_EQ(counts.grain(), 2U);
    EXPECT_EQ(counts.values().at(0), 2U);
    EXPECT_EQ(counts.values().at(ValueCounts::kMaxValues), 3U);
    std::uint64_t all = 0;
    for (const auto& [value, times] : counts.values()) all += times;
    EXPECT_EQ(all, ValueCounts::kMaxValues + 3) << "none is lost";
}

}  // namespace
}  // namespace sla::vmm
