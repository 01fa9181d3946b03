#include "emu/machine/machine.h"

#include "emu/machine/virtual_clock.h"

#include <gtest/gtest.h>

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
    EXPECT_EQ(name(0x3F8), "unclaimed");
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

}  // namespace
}  // namespace sla::machine
