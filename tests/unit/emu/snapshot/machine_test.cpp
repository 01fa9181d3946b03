// A machine that goes on from a snapshot is the machine that was saved.
#include "emu/guest/demo_guest.h"
#include "emu/snapshot/snapshot_file.h"
#include "emu/snapshot/state_reader.h"
#include "emu/snapshot/state_text.h"
#include "emu/snapshot/state_writer.h"
#include "tests/unit/emu/support/test_pc.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

namespace sla::snapshot {
namespace {

using testing::HasSubstr;
using vmm::TestPc;

constexpr bus::Nanoseconds kMillisecond = 1'000'000;

std::vector<std::uint8_t> pack_pc(TestPc& pc) {
    auto packed = pack({}, [&](bus::StateVisitor& state) { pc.vmm.visit_state(state); });
    EXPECT_TRUE(packed.ok());
    return *packed;
}

Result<void> load_into(TestPc& pc, const std::vector<std::uint8_t>& packed) {
    const auto file = SnapshotFile::parse(packed);
    if (!file) return file.error();
    return file->load([&](bus::StateVisitor& state) { pc.vmm.visit_state(state); });
}

// Channel, code, value, details, time.
std::vector<std::string> reported(const std::vector<tap::RecordingSink::Event>& events, std::size_t from) {
    std::vector<std::string> out;
    for (std::size_t i = from; i < events.size(); ++i) {
        const auto& event = events[i];
        out.push_back(event.channel + " " + std::to_string(event.code) + " " + std::to_string(event.value) + " " +
                      std::to_string(event.detail[0]) + " " + std::to_string(event.detail[1]) + " at " +
                      std::to_string(event.time) + " " + event.text);
    }
    return out;
}

class MachineSnapshot : public testing::TestWithParam<const char*> {};

TEST_P(MachineSnapshot, ARunFromItHasTheEventsOfTheRunThatCameBy) {
    const auto image = guest::demo_guest(0);
    TestPc first(image, GetParam());
    ASSERT_EQ(first.run(30 * kMillisecond).ending, vmm::Ending::kTimeUp);
    const auto saved = pack_pc(first);
    const std::size_t then = first.seen.events.size();
    ASSERT_EQ(first.run(60 * kMillisecond).ending, vmm::Ending::kTimeUp);

    TestPc second(image, GetParam());
    const auto loaded = load_into(second, saved);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(second.seen.events.size(), 0U) << "loading is no event";
    EXPECT_EQ(second.clock.now(), 30 * kMillisecond + (second.clock.now() - 30 * kMillisecond) % kMillisecond);
    EXPECT_EQ(pack_pc(second), saved) << "what was loaded is what was saved";
    ASSERT_EQ(second.run(60 * kMillisecond).ending, vmm::Ending::kTimeUp);
    ASSERT_GT(second.seen.events.size(), 100U);
    EXPECT_EQ(reported(second.seen.events, 0), reported(first.seen.events, then));
    EXPECT_EQ(pack_pc(second), pack_pc(first)) << "and they end alike, memory and all";
}

TEST_P(MachineSnapshot, ARunGoesBackToItAndDoesTheSameAgain) {
    TestPc pc(guest::demo_guest(0), GetParam());
    ASSERT_EQ(pc.run(10 * kMillisecond).ending, vmm::Ending::kTimeUp);
    const auto saved = pack_pc(pc);
    const std::size_t then = pc.seen.events.size();
    ASSERT_EQ(pc.run(20 * kMillisecond).ending, vmm::Ending::kTimeUp);
    const std::size_t once = pc.seen.events.size();
    ASSERT_TRUE(load_into(pc, saved).ok());
    ASSERT_EQ(pc.run(20 * kMillisecond).ending, vmm::Ending::kTimeUp);
    auto first = reported(pc.seen.events, then);
    const auto again = reported(pc.seen.events, once);
    first.resize(once - then);
    EXPECT_EQ(again, first);
}

TEST_P(MachineSnapshot, CountersAndTheirModelsGoOnWhereTheyWere) {
    constexpr std::uint64_t kCodeMissesAndInstructions = 0x0056'004E;
    const auto image = guest::demo_guest(0);
    TestPc first(image, GetParam());
    ASSERT_EQ(first.run(kMillisecond).ending, vmm::Ending::kTimeUp);
    ASSERT_TRUE(first.vmm.write_model_register(0x11, kCodeMissesAndInstructions));
    ASSERT_EQ(first.run(5 * kMillisecond).ending, vmm::Ending::kTimeUp);
    const auto saved = pack_pc(first);
    ASSERT_EQ(first.run(10 * kMillisecond).ending, vmm::Ending::kTimeUp);
    TestPc second(image, GetParam());
    ASSERT_TRUE(load_into(second, saved).ok());
    EXPECT_EQ(pack_pc(second), saved);
    ASSERT_EQ(second.run(10 * kMillisecond).ending, vmm::Ending::kTimeUp);
    EXPECT_EQ(second.vmm.read_model_register(0x12), first.vmm.read_model_register(0x12));
    EXPECT_EQ(second.vmm.read_model_register(0x13), first.vmm.read_model_register(0x13));
    EXPECT_EQ(pack_pc(second), pack_pc(first));
    if (GetParam() == std::string_view("x86emu")) {
        EXPECT_GT(second.vmm.read_model_register(0x13), 1000U);
    }
}

TEST_P(MachineSnapshot, AResetThatIsYetToComeIsStillByWhoPulledIt) {
    TestPc first(guest::demo_guest(0), GetParam());
    first.pc.pull_reset();
    TestPc second(guest::demo_guest(0), GetParam());
    ASSERT_TRUE(load_into(second, pack_pc(first)).ok());
    EXPECT_EQ(second.pc.pulled().line, machine::Machine::Line::kResetCpu);
    EXPECT_THAT(second.run(kMillisecond).message, HasSubstr("the PC was reset by control at "));
    TestPc third(guest::demo_guest(0), GetParam());
    third.pc.ports().write(0x92, bus::Width::kByte, 3);
    ASSERT_TRUE(load_into(second, pack_pc(third)).ok());
    EXPECT_EQ(second.pc.pulled().by_words(), "port 92h");
}

TEST_P(MachineSnapshot, AnotherMemoryIsRefused) {
    TestPc first(guest::demo_guest(0), GetParam());
    const auto saved = pack_pc(first);
    machine::VirtualClock clock;
    machine::Machine other(clock, std::size_t{4} << 20);
    const auto file = SnapshotFile::parse(saved);
    ASSERT_TRUE(file.ok());
    const auto loaded = file->load([&](bus::StateVisitor& state) { other.visit_state(state); });
    ASSERT_FALSE(loaded.ok());
    EXPECT_THAT(loaded.error().message, HasSubstr("memory ram has another size"));
}

// An interrupt line that no chip of the board drives.
TEST_P(MachineSnapshot, APulseOnTheSecondControllersLineIsRefused) {
    TestPc pc(guest::demo_guest(0), GetParam());
    pc.pc.pulse_irq(3);
    StateWriter written;
    pc.pc.visit_state(written);
    std::vector<Section> sections = written.sections();
    const std::string_view name = "pulsed_lines";
    for (Section& section : sections) {
        const auto found = std::search(section.fields.begin(), section.fields.end(), name.begin(), name.end());
        if (found != section.fields.end()) *(found + static_cast<std::ptrdiff_t>(name.size())) |= 1U << 2;
    }
    StateReader reader(sections, [](std::string_view, std::span<std::uint8_t>) { return Result<void>(); });
    pc.pc.visit_state(reader);
    const auto done = reader.done();
    ASSERT_FALSE(done.ok());
    EXPECT_THAT(done.error().message, HasSubstr("board pulsed_lines has the second controller's line"));
}

TEST_P(MachineSnapshot, ShowsRegistersByTheirNames) {
    TestPc pc(guest::demo_guest(0), GetParam());
    ASSERT_EQ(pc.run(10 * kMillisecond).ending, vmm::Ending::kTimeUp);
    const auto before = pack_pc(pc);
    StateText shown;
    pc.vmm.visit_state(shown);
    for (const char* words : {"[general]\neax ",
                              "\neflags 0000",
                              "[segments]\ncs f000\n",
                              "[control]\ncr0 6000001",
                              "tsc_10h ",
                              "cesr_11h ",
                              "ctr0_12h ",
                              "ctr1_13h ",
                              "apic_base_1bh 00000000fee00900",
                              "[pic]\nmaster.inputs ",
                              "master.imr fa",
                              "counter0.mode 0",
                              "counter0.count ",
                              "[rtc]\nseconds ",
                              "[dma]\n",
                              "[kbd]\nstatus ",
                              "[com1]\nier ",
                              "[ata]\nstatus ",
                              "[crtc]\n",
                              "cursor_high "}) {
        EXPECT_THAT(shown.text(), HasSubstr(words));
    }
    EXPECT_THAT(shown.text(), Not(HasSubstr(".seen"))) << "what a counter was last read from is no register";
    EXPECT_EQ(pack_pc(pc), before) << "a look changes nothing";
}

// In the middle of what the processor was given to run.
TEST_P(MachineSnapshot, ShowsTheTimeStampCounterOfWhereTheGuestStands) {
    TestPc pc(guest::demo_guest(0), GetParam());
    pc.vmm.stop_points().step(1000);
    std::string shown;
    std::uint64_t read = 0;
    pc.vmm.on_stop([&](const cpu::StopPoints::Found&) {
        StateText state({"msr"});
        pc.vmm.visit_state(state);
        shown = state.text();
        read = pc.vmm.read_model_register(0x10).value();
        pc.vmm.go_on();
    });
    ASSERT_EQ(pc.run(10 * kMillisecond).ending, vmm::Ending::kTimeUp);
    ASSERT_GT(read, 0U);
    EXPECT_THAT(shown, HasSubstr(fmt::format("tsc_10h {:016x}\n", read)));
}

// A jump to itself: nothing happens to the chips meanwhile.
TEST_P(MachineSnapshot, ShowsTheTimersOfWhereTheGuestStands) {
    std::vector<std::uint8_t> image(4096);
    image[4096 - 16] = 0xEB;
    image[4096 - 15] = 0xFE;
    TestPc pc(image, GetParam());
    const auto out = [&](std::uint16_t port, unsigned value) { pc.pc.ports().write(port, bus::Width::kByte, value); };
    for (const unsigned counter : {0U, 2U}) {
        out(0x43, counter << 6 | 0x34);  // mode 2, of 65536
        out(static_cast<std::uint16_t>(0x40 + counter), 0);
        out(static_cast<std::uint16_t>(0x40 + counter), 0);
    }
    pc.pc.ports().write(0x61, bus::Width::kByte, 1);
    const auto value = [&](const std::string& section, const std::string& field, int base) {
        StateText state({section});
        pc.vmm.visit_state(state);
        const std::size_t at = state.text().find("\n" + field + " ");
        EXPECT_NE(at, std::string::npos) << state.text();
        return std::stoll(state.text().substr(at + field.size() + 2), nullptr, base);
    };
    std::vector<std::int64_t> times, ticks, others;
    pc.vmm.stop_points().step(100);
    pc.vmm.on_stop([&](const cpu::StopPoints::Found&) {
        times.push_back(value("clock", "now", 10));
        ticks.push_back(value("pit", "counter0.count", 16));
        others.push_back(value("pit", "counter2.count", 16));
        pc.vmm.go_on();
        if (times.size() < 5) pc.vmm.stop_points().step(20'000);
    });
    ASSERT_EQ(pc.run(kMillisecond).ending, vmm::Ending::kTimeUp);
    ASSERT_EQ(times.size(), 5U);
    const auto passed = [](std::int64_t from, std::int64_t to) { return static_cast<double>((from - to) & 0xFFFF); };
    for (std::size_t i = 1; i < times.size(); ++i) {
        const auto time = static_cast<double>(times[i] - times[i - 1]);
        EXPECT_GE(time, 80'000);
        EXPECT_NEAR(passed(ticks[i - 1], ticks[i]), time * 105 / 88'000, 2);
        EXPECT_NEAR(passed(others[i - 1], others[i]), time * 105 / 88'000, 2);
    }
}

TEST_P(MachineSnapshot, OfALocalApicThatIsOffEndsNoServiceByBeingLoaded) {
    constexpr std::uint64_t kOff = machine::Machine::kApicBaseAtReset & ~std::uint64_t{0x800};
    TestPc off(guest::demo_guest(0), GetParam());
    ASSERT_TRUE(off.pc.set_apic_base(kOff));
    TestPc serves(guest::demo_guest(0), GetParam());
    device::Lapic& lapic = serves.pc.lapic();
    lapic.write_mmio(device::Lapic::kBase + 0xF0, bus::Width::kDword, 0x1FF);
    lapic.deliver(device::Lapic::Delivery::kFixed, 0x41, false);
    ASSERT_EQ(lapic.acknowledge(), 0x41);
    ASSERT_EQ(serves.seen.of("irq.apic.41h").size(), 1U);
    const auto loaded = load_into(serves, pack_pc(off));
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    EXPECT_EQ(serves.pc.apic_base(), kOff);
    EXPECT_TRUE(lapic.lets_pic_through());
    EXPECT_EQ(pack_pc(serves), pack_pc(off));
    EXPECT_EQ(serves.seen.of("irq.apic.41h").size(), 1U) << "loading is no event";
}

INSTANTIATE_TEST_SUITE_P(Cpu, MachineSnapshot, testing::Values("x86emu", "unicorn"),
                         [](const auto& cpu) { return std::string(cpu.param); });

// Samples from 5 ms to 6 ms, of a run from that snapshot.
std::size_t samples_behind(const std::vector<std::uint8_t>& saved, const pmc::SampleRequest& wanted) {
    TestPc pc(guest::demo_guest(0), "x86emu");
    EXPECT_TRUE(pc.vmm.sample(wanted).ok());
    EXPECT_TRUE(load_into(pc, saved).ok());
    EXPECT_EQ(pc.run(6 * kMillisecond).ending, vmm::Ending::kTimeUp);
    return pc.seen.of("pmc.sample").size();
}

TEST(SampledSnapshot, GoesOnWithTheSameRequestAndBeginsAnewWithAnother) {
    constexpr pmc::SampleRequest kInstructions{0x16, 1000, 0};
    constexpr pmc::SampleRequest kBranches{0x12, 10, 0};
    const auto saved_by = [](const pmc::SampleRequest& wanted) {
        TestPc pc(guest::demo_guest(0), "x86emu");
        EXPECT_TRUE(pc.vmm.sample(wanted).ok());
        EXPECT_EQ(pc.run(5 * kMillisecond).ending, vmm::Ending::kTimeUp);
        return pack_pc(pc);
    };
    const std::size_t alone = samples_behind(saved_by(kBranches), kBranches);
    EXPECT_GT(alone, 10U);
    EXPECT_NEAR(static_cast<double>(samples_behind(saved_by(kInstructions), kBranches)), static_cast<double>(alone), 1);
}

}  // namespace
}  // namespace sla::snapshot
