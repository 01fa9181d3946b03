#include "emu/machine/machine.h"

#include "emu/machine/virtual_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace sla::machine {
namespace {

using bus::Width;

TEST(Machine, HasEveryChipAtItsPorts) {
    VirtualClock clock;
    Machine pc(clock);
    const auto name = [&](std::uint16_t port) { return pc.ports().device_name(pc.ports().device_of(port)); };
    for (const std::uint16_t port : {0x20, 0x21, 0xA0, 0xA1}) EXPECT_EQ(name(port), "pic");
    for (const std::uint16_t port : {0x40, 0x41, 0x42, 0x43}) EXPECT_EQ(name(port), "pit");
    for (const std::uint16_t port : {0x61, 0x92}) EXPECT_EQ(name(port), "system");
    EXPECT_EQ(name(0x80), "post");
    for (const std::uint16_t port : {0x402, 0xE9}) EXPECT_EQ(name(port), "debug");
    EXPECT_EQ(name(0xF4), "exit");
    for (const std::uint16_t port : {0x4D0, 0x4D1}) EXPECT_EQ(name(port), "pic");
    for (const std::uint16_t port : {0x70, 0x71}) EXPECT_EQ(name(port), "cmos");
    for (const std::uint16_t port : {0x60, 0x64}) EXPECT_EQ(name(port), "kbd");
    for (const std::uint16_t port : {0x00, 0x81, 0x8F, 0xC0, 0xDF}) EXPECT_EQ(name(port), "dma");
    EXPECT_EQ(name(0x3F8), "com1");
    EXPECT_EQ(name(0x2F8), "com2");
    for (const std::uint16_t port : {0x1F0, 0x1F7, 0x3F6}) EXPECT_EQ(name(port), "ata");
    for (const std::uint16_t port : {0x3F2, 0x3F5, 0x3F7}) EXPECT_EQ(name(port), "fdc");
    for (const std::uint16_t port : {0xCF8, 0xCFC}) EXPECT_EQ(name(port), "pci");
    EXPECT_EQ(name(0x511), "fwcfg");
    for (const std::uint16_t port : {0x3B4, 0x3C0, 0x3DA}) EXPECT_EQ(name(port), "vga");
    EXPECT_EQ(name(0x3E8), "unclaimed");
    EXPECT_EQ(pc.mmio().device_name(pc.mmio().device_of(0xFEE00020)), "lapic");
    EXPECT_EQ(pc.mmio().device_name(pc.mmio().device_of(0xFEC00010)), "ioapic");
}

// What polls and indexes; its stamps say that nothing takes time there, so nothing may happen there.
TEST(Machine, HasRegistersThatAreNothingMore) {
    using enum bus::Access;
    VirtualClock clock;
    Machine pc(clock);
    const auto is_latch = [&](std::uint16_t port, bus::Access access) {
        return pc.ports().is_latch(port, Width::kByte, access);
    };
    for (const std::uint16_t port : {0x64, 0x70, 0x80, 0x3B4, 0x3C4, 0x3CE, 0x3D4, 0x3F4, 0x3F6, 0xCF8}) {
        EXPECT_TRUE(is_latch(port, kIn)) << port;
        pc.pit().write_port(0x43, Width::kByte, 0x30);  // something is under way
        const auto due = pc.events().next_due();
        (void)pc.ports().read(port, Width::kByte);
        EXPECT_EQ(pc.events().next_due(), due) << port;
        EXPECT_FALSE(pc.interrupt()) << port;
    }
    for (const std::uint16_t port : {0x70, 0x80, 0x3B4, 0x3C4, 0x3CE, 0x3D4, 0xCF8})
        EXPECT_TRUE(is_latch(port, kOut)) << port;
    for (const std::uint16_t port : {0x64, 0x3F4, 0x3F6, 0x20, 0x40, 0x60, 0x71, 0x3F8})
        EXPECT_FALSE(is_latch(port, kOut)) << port;
    for (const std::uint16_t port : {0x20, 0x40, 0x60, 0x61, 0x71, 0x1F7, 0x3C0, 0x3DA, 0x3F8, 0x3FD}) {
        EXPECT_FALSE(is_latch(port, kIn)) << port;
    }
}

TEST(Machine, WiresTheTimerToIrq0) {
    VirtualClock clock;
    Machine pc(clock);
    const auto out = [&](std::uint16_t port, std::uint8_t value) { pc.ports().write(port, Width::kByte, value); };
    out(0x20, 0x11), out(0x21, 0x08), out(0x21, 0x04), out(0x21, 0x01);
    out(0x43, 0x30), out(0x40, 100), out(0x40, 0);
    EXPECT_FALSE(pc.pic().interrupt());
    ASSERT_TRUE(pc.events().next_due());
    clock.wait_until(*pc.events().next_due());
    pc.events().run_due();
    EXPECT_TRUE(pc.pic().interrupt());
    EXPECT_EQ(pc.pic().acknowledge(), 8);
}

TEST(Machine, GivesTheCpuThePicsInterruptsUntilTheApicKeepsThemBack) {
    VirtualClock clock;
    Machine pc(clock);
    const auto out = [&](std::uint16_t port, std::uint8_t value) { pc.ports().write(port, Width::kByte, value); };
    out(0x20, 0x11), out(0x21, 0x08), out(0x21, 0x04), out(0x21, 0x01);
    pc.pic().set_irq(1, true);
    EXPECT_TRUE(pc.interrupt());
    pc.mmio().write(0xFEE000F0, Width::kDword, 0x1FF);
    pc.mmio().write(0xFEE00350, Width::kDword, 0x10700);
    EXPECT_FALSE(pc.interrupt());
    pc.mmio().write(0xFEE00300, Width::kDword, 0x40055);
    EXPECT_TRUE(pc.interrupt());
    EXPECT_EQ(pc.acknowledge(), 0x55);
}

// A guest that is late, as on a busy host by its clock, gets it all the same.
TEST(Machine, APulseOnALineLastsUntilTheCpuHasTakenItUnlessItIsMasked) {
    VirtualClock clock;
    Machine pc(clock);
    const auto out = [&](std::uint16_t port, std::uint8_t value) { pc.ports().write(port, Width::kByte, value); };
    const auto pass = [&](int ends) {
        for (int i = 0; i < ends; ++i) {
            clock.wait_until(clock.now() + 1'000'000);
            pc.events().run_due();
        }
    };
    out(0x20, 0x11), out(0x21, 0x08), out(0x21, 0x04), out(0x21, 0x01);
    pc.pulse_irq(1);
    pass(5);
    EXPECT_TRUE(pc.pic().interrupt());
    EXPECT_EQ(pc.pic().acknowledge(), 9);
    pass(1);
    out(0x20, 0x20);
    EXPECT_FALSE(pc.pic().interrupt());
    out(0x21, 0xFF);
    pc.pulse_irq(1);
    pass(1);
    out(0x21, 0);
    EXPECT_FALSE(pc.pic().interrupt());
}

TEST(Machine, IsOverWhenTheGuestResetsItOrSwitchesItOff) {
    VirtualClock clock;
    Machine by_keyboard(clock);
    EXPECT_FALSE(by_keyboard.over());
    by_keyboard.ports().write(0x64, Width::kByte, 0xFE);
    EXPECT_EQ(by_keyboard.pulled().line, Machine::Line::kResetCpu);
    Machine by_port_92(clock);
    by_port_92.ports().write(0x92, Width::kByte, 0x03);
    EXPECT_EQ(by_port_92.pulled().line, Machine::Line::kResetCpu);
    Machine by_exit(clock);
    by_exit.ports().write(0xF4, Width::kByte, 0);
    EXPECT_EQ(by_exit.pulled().line, Machine::Line::kNone);
    EXPECT_TRUE(by_exit.over());
}

TEST(Machine, ResetsTheBoardOrLeavesItToTheProcessor) {
    VirtualClock clock;
    Machine pc(clock);
    const auto set_up = [&] {
        pc.ports().write(0x92, Width::kByte, 0);
        pc.ports().write(0x3FF, Width::kByte, 0x5A);
        pc.ports().write(0x21, Width::kByte, 0xA5);
        pc.mmio().write(0xFEE00080, Width::kDword, 0x20);
        pc.mmio().write(0xFEC00000, Width::kDword, 0x10);
        pc.mmio().write(0xFEC00010, Width::kDword, 0x30);
    };
    set_up();
    pc.ports().write(0x64, Width::kByte, 0xFE);
    pc.reset();
    EXPECT_FALSE(pc.over());
    EXPECT_FALSE(pc.a20().on());
    EXPECT_EQ(pc.ports().read(0x3FF, Width::kByte), 0x5AU);
    EXPECT_EQ(pc.mmio().read(0xFEE00080, Width::kDword), 0U) << "the local APIC is the processor's";
    EXPECT_EQ(pc.mmio().read(0xFEC00010, Width::kDword), 0x30U);
    set_up();
    pc.ports().write(0xCF9, Width::kByte, 0x06);
    EXPECT_EQ(pc.pulled().line, Machine::Line::kResetBoard);
    pc.reset();
    EXPECT_TRUE(pc.a20().on());
    EXPECT_EQ(pc.ports().read(0x3FF, Width::kByte), 0U);
    EXPECT_EQ(pc.ports().read(0x21, Width::kByte), 0xA5U) << "an 8259 has no reset input";
    pc.mmio().write(0xFEC00000, Width::kDword, 0x10);
    EXPECT_EQ(pc.mmio().read(0xFEC00010, Width::kDword), 0x10000U) << "masked";
    pc.ports().write(0xCF9, Width::kByte, 0x06);
    EXPECT_TRUE(pc.over()) << "and once more";
}

TEST(Machine, SurvivesRandomAccessesToEveryPort) {
    VirtualClock clock;
    Machine pc(clock);
    std::uint32_t random = 99;
    for (int i = 0; i < 200'000; ++i) {
        random = random * 1664525 + 1013904223;
        const auto port = static_cast<std::uint16_t>(random >> 16 & ((random >> 8 & 3) == 0 ? 0xFFFF : 0xFF));
        constexpr std::array kWidths{Width::kByte, Width::kWord, Width::kDword};
        const Width width = kWidths[random % 3];
        if ((random >> 4 & 1) != 0) {
            pc.ports().write(port, width, random * 2654435761U);
        } else {
            pc.ports().read(port, width);
        }
        clock.executed(random >> 28);
        pc.events().run_due();
        if (pc.pic().interrupt()) pc.pic().acknowledge();
    }
}

// The clock's request waits, masked, and the chip asks no second time until the guest has read its register C.
TEST(Machine, APulseTakesNoLineDownThatAChipHolds) {
    VirtualClock clock;
    Machine pc(clock, std::size_t{2} << 20);
    const auto out = [&](std::uint16_t port, std::uint32_t value) { pc.ports().write(port, bus::Width::kByte, value); };
    for (const auto& [port, value] : std::initializer_list<std::pair<std::uint16_t, std::uint32_t>>{
             {0x20, 0x11}, {0x21, 0x08}, {0x21, 0x04}, {0x21, 0x01}, {0xA0, 0x11}, {0xA1, 0x70}, {0xA1, 0x02}, {0xA1, 0x01}})
        out(port, value);
    out(0x21, 0xFB);
    out(0xA1, 0xFF);
    out(0x70, 0x0B);
    out(0x71, 0x42);  // periodic interrupts, 1024 a second
    const auto pass = [&](bus::Nanoseconds time) {
        for (const bus::Nanoseconds end = clock.now() + time; clock.now() < end;) {
            clock.wait_until(std::min(end, pc.events().next_due().value_or(end)));
            pc.events().run_due();
        }
    };
    pass(5'000'000);
    pc.pulse_irq(8);
    pass(5'000'000);
    EXPECT_FALSE(pc.interrupt());
    out(0xA1, 0xFE);
    ASSERT_TRUE(pc.interrupt());
    EXPECT_EQ(pc.acknowledge(), 0x70);
}

}  // namespace
}  // namespace sla::machine
