// What chips are in the middle of goes on in the machine that is loaded, and what none can be in the middle of is refused.
#include "emu/guest/demo_guest.h"
#include "emu/machine/typist.h"
#include "emu/snapshot/snapshot_file.h"
#include "emu/snapshot/state_reader.h"
#include "emu/snapshot/state_writer.h"
#include "tests/unit/emu/device/memory_disk.h"
#include "tests/unit/emu/support/test_pc.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <random>

namespace sla::snapshot {
namespace {

using bus::Width;
using testing::HasSubstr;
using vmm::TestPc;

constexpr bus::Nanoseconds kChipMillisecond = 1'000'000;

using Parts = std::function<void(bus::StateVisitor&)>;

// Between two things that are alike; edits what is saved, where it is given.
Result<void> carry_over(const Parts& from, const Parts& to, const std::function<void(std::vector<Section>&)>& edit = {}) {
    StateWriter written;
    from(written);
    std::vector<Section> sections = written.sections();
    if (edit) edit(sections);
    StateReader reader(sections, [](std::string_view, std::span<std::uint8_t>) { return Result<void>(); });
    to(reader);
    return reader.done();
}

Result<void> carry_over(machine::Machine& from, machine::Machine& to,
                        const std::function<void(std::vector<Section>&)>& edit = {}) {
    return carry_over([&](bus::StateVisitor& state) { from.visit_state(state); },
                      [&](bus::StateVisitor& state) { to.visit_state(state); }, edit);
}

void out(machine::Machine& pc, std::uint16_t port, std::uint32_t value, Width width = Width::kByte) {
    pc.ports().write(port, width, value);
}

void pass(machine::Machine& pc, bus::Nanoseconds time) {
    for (const bus::Nanoseconds end = pc.clock().now() + time; pc.clock().now() < end;) {
        pc.clock().wait_until(std::min(end, pc.events().next_due().value_or(end)));
        pc.events().run_due();
    }
}

TEST(ChipsSnapshot, TheLocalApicsTimerComesInTheOtherMachineToo) {
    const auto image = guest::demo_guest(0);
    TestPc first(image, "x86emu");
    const auto set = [&](std::uint32_t offset, std::uint32_t value) {
        first.pc.mmio().write(device::Lapic::kBase + offset, Width::kDword, value);
    };
    set(0x0F0, 0x1FF);      // on
    set(0x320, 0x31);       // vector 31h, once
    set(0x380, 2'000'000);  // of 20 ns: in 40 ms
    ASSERT_EQ(first.run(30 * kChipMillisecond).ending, vmm::Ending::kTimeUp);
    const auto saved = pack({}, [&](bus::StateVisitor& state) { first.vmm.visit_state(state); });
    ASSERT_TRUE(saved.ok());
    ASSERT_EQ(first.run(60 * kChipMillisecond).ending, vmm::Ending::kTimeUp);
    ASSERT_EQ(first.seen.count("irq.apic.31h", SLA_CODE_BEGIN), 1U);

    TestPc second(image, "x86emu");
    const auto file = SnapshotFile::parse(*saved);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->load([&](bus::StateVisitor& state) { second.vmm.visit_state(state); }).ok());
    ASSERT_EQ(second.run(60 * kChipMillisecond).ending, vmm::Ending::kTimeUp);
    const auto came = second.seen.of("irq.apic.31h");
    ASSERT_EQ(came.size(), 1U);
    EXPECT_EQ(came[0].time, first.seen.of("irq.apic.31h")[0].time);
}

TEST(ChipsSnapshot, PowerManagementMayHaveTheLastPorts) {
    constexpr std::uint32_t kFunction = 0x80000B00;  // 00:01.3
    const auto image = guest::demo_guest(0);
    TestPc first(image, "x86emu");
    out(first.pc, 0xCF8, kFunction | 0x40, Width::kDword);
    out(first.pc, 0xCFC, 0xFFC1, Width::kDword);
    out(first.pc, 0xCF8, kFunction | 0x80, Width::kDword);
    out(first.pc, 0xCFC, 1);
    ASSERT_EQ(first.pc.ports().device_name(first.pc.ports().device_of(0xFFFF)), "pm");
    TestPc second(image, "x86emu");
    const auto done = carry_over(first.pc, second.pc);
    ASSERT_TRUE(done.ok()) << done.error().message;
    EXPECT_EQ(second.pc.ports().device_name(second.pc.ports().device_of(0xFFFF)), "pm");
}

// Eight sectors of the large disk are asked for and none is taken; then a command goes to the small one.
TEST(ChipsSnapshot, ATransferThatWasBrokenOffIsNoneOfTheOtherDisks) {
    const auto image = guest::demo_guest(0);
    device::MemoryDisk large(1000);
    device::MemoryDisk small(4);
    const auto furnish = [&](TestPc& pc) {
        pc.pc.attach_disk(0, large);
        pc.pc.attach_disk(1, small);
    };
    TestPc first(image, "x86emu");
    furnish(first);
    const auto command = [&](std::uint8_t device, std::uint8_t code) {
        out(first.pc, 0x1F6, device);
        out(first.pc, 0x1F2, 8);
        out(first.pc, 0x1F3, 200);
        out(first.pc, 0x1F4, 0);
        out(first.pc, 0x1F5, 0);
        out(first.pc, 0x1F7, code);
        pass(first.pc, kChipMillisecond);
    };
    command(0xE0, 0x20);
    EXPECT_EQ(first.pc.ports().read(0x1F7, Width::kByte), 0x58U) << "a block waits";
    command(0xF0, 0xEF);
    EXPECT_EQ(first.pc.ports().read(0x1F7, Width::kByte), 0x50U);
    TestPc second(image, "x86emu");
    furnish(second);
    const auto done = carry_over(first.pc, second.pc);
    EXPECT_TRUE(done.ok()) << done.error().message;
}

// A PC with disks of its own, whose guest does whatever it likes to its chips.
struct RandomPc {
    RandomPc() {
        test.pc.attach_disk(0, large);
        test.pc.attach_disk(1, small);
        test.pc.insert_floppy(0, floppy);
        test.pc.add_test_device();
        for (unsigned port = 0; port < bus::PortTable::kPorts; ++port) {
            const auto at = static_cast<std::uint16_t>(port);
            const auto name = test.pc.ports().device_name(test.pc.ports().device_of(at));
            if (name != "unclaimed" && name != "exit") ports.push_back(at);
        }
    }
    // What a state does not hold, or these tests do not carry over with it.
    void take_media_of(RandomPc& other) {
        large.bytes = other.large.bytes;
        small.bytes = other.small.bytes;
        floppy.bytes = other.floppy.bytes;
        const auto from = other.test.pc.memory().regions()[0].bytes;
        std::copy(from.begin(), from.end(), test.pc.memory().regions()[0].bytes.begin());
    }
    // So many accesses, and time between them: what is read, and what the chips want then.
    std::vector<std::int64_t> act(std::minstd_rand& drawn, int accesses) {
        std::vector<std::int64_t> seen;
        const auto below = [&](std::uint32_t most) { return static_cast<std::uint32_t>(drawn() % most); };
        for (int i = 0; i < accesses; ++i) {
            const Width width = below(4) != 0 ? Width::kByte : Width::kWord;
            const std::uint16_t port = ports[below(static_cast<std::uint32_t>(ports.size()))];
            const std::uint32_t chip = (below(2) == 0 ? device::Lapic::kBase : device::Ioapic::kBase) + 16 * below(64);
            const std::uint32_t value = below(3) == 0 ? below(64) : static_cast<std::uint32_t>(drawn());
            if (below(3) == 0) {
                seen.push_back(test.pc.ports().read(port, width));
                seen.push_back(test.pc.mmio().read(chip, Width::kDword));
            } else {
                out(test.pc, port, value, width);
                test.pc.mmio().write(chip, Width::kDword, value);
            }
            pass(test.pc, below(200'000));
            seen.push_back(test.pc.interrupt() ? 1 : 0);
            seen.push_back(test.pc.events().next_due().value_or(-1));
        }
        return seen;
    }

    device::MemoryDisk large{1000};
    device::MemoryDisk small{4};
    device::MemoryDisk floppy{2880};
    TestPc test{guest::demo_guest(0), "x86emu"};
    std::vector<std::uint16_t> ports;
};

TEST(ChipsSnapshot, EveryStateThatAccessesLeadToIsLoadedAndGoesOnAsTheOther) {
    constexpr int kRounds = 200;
    constexpr int kAccesses = 50;
    RandomPc first;
    RandomPc second;
    std::minstd_rand drawn(1);
    for (int round = 0; round < kRounds; ++round) {
        first.act(drawn, kAccesses);
        const auto done = carry_over(first.test.pc, second.test.pc);
        ASSERT_TRUE(done.ok()) << done.error().message << " in round " << round;
        second.take_media_of(first);
        std::minstd_rand same = drawn;
        ASSERT_EQ(second.act(same, kAccesses), first.act(drawn, kAccesses)) << "in round " << round;
    }
}

// SPECIFY has as many bytes as SEEK, and is done at once.
TEST(ChipsSnapshot, AFloppyCommandThatTakesNoTimeIsNotUnderWay) {
    const auto image = guest::demo_guest(0);
    TestPc first(image, "x86emu");
    out(first.pc, 0x3F2, 0x00);
    out(first.pc, 0x3F2, 0x0C);
    pass(first.pc, kChipMillisecond);
    for (const std::uint8_t byte : {0x0F, 0x00, 0x05}) out(first.pc, 0x3F5, byte);
    const auto into_specify = [](std::vector<Section>& sections) {
        const std::array<std::uint8_t, 11> seek{3, 0, 0, 0, 0, 0, 0, 0, 0x0F, 0x00, 0x05};
        for (Section& section : sections) {
            if (section.name != "fdc") continue;
            const auto found = std::search(section.fields.begin(), section.fields.end(), seek.begin(), seek.end());
            ASSERT_NE(found, section.fields.end());
            found[8] = 0x03;
        }
    };
    TestPc second(image, "x86emu");
    EXPECT_TRUE(carry_over(first.pc, second.pc).ok());
    const auto done = carry_over(first.pc, second.pc, into_specify);
    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error().message, HasSubstr("fdc phase does not fit the bytes of command and result"));
}

// Who has typed all has no timer; a file may say so all the same.
TEST(ChipsSnapshot, ATypistWhoIsDoneIsNotWoken) {
    TestPc pc(guest::demo_guest(0), "x86emu");
    const auto typist = [&] {
        return std::make_unique<machine::Typist>(
            pc.pc.events(), pc.pc.keyboard(), machine::Typist::Surroundings{[](const std::string&) { return true; }, [] {}});
    };
    const auto visit = [](machine::Typist& one) {
        return [&one](bus::StateVisitor& state) {
            state.section("typing");
            one.visit_state(state);
        };
    };
    const auto of_two = typist();
    of_two->type(*machine::parse_typed_text("\\{see a}\\{see b}"));
    pass(pc.pc, machine::Typist::kMoment);
    ASSERT_FALSE(of_two->done());
    const auto of_one = typist();
    of_one->type(*machine::parse_typed_text("\\{see a}"));
    ASSERT_TRUE(carry_over(visit(*of_two), visit(*of_one)).ok());
    EXPECT_TRUE(of_one->done());
    pass(pc.pc, 2 * machine::Typist::kMoment);
    EXPECT_TRUE(of_one->done());
}

}  // namespace
}  // namespace sla::snapshot
