#include "emu/device/board/system_control.h"
#include "emu/device/guest_ports.h"
#include "emu/device/test_device.h"
#include "emu/machine/virtual_clock.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace sla::device {
namespace {

using bus::Width;

class NoController final : public bus::IrqController {
public:
    void set_irq(unsigned, bool) override {}
};

TEST(PostPort, ShowsWhatWasWrittenLastInAnyWidth) {
    PostPort post;
    post.write_port(0x80, Width::kDword, 0x12345678);
    EXPECT_EQ(post.code(), 0x12345678U);
    post.write_port(0x80, Width::kByte, 0x42);
    EXPECT_EQ(post.read_port(0x80, Width::kByte), 0x42U);
}

TEST(DebugPort, HandsBytesOnAndReportsThatItIsThere) {
    DebugPort debug;
    std::string text;
    debug.write_port(0x402, Width::kByte, 'x');
    debug.on_byte([&](char byte) { text += byte; });
    debug.write_port(0x402, Width::kByte, 'h');
    debug.write_port(0xE9, Width::kByte, 'i');
    EXPECT_EQ(text, "hi");
    EXPECT_EQ(debug.read_port(0x402, Width::kByte), 0xE9U);
}

TEST(ExitPort, KeepsTheFirstCode) {
    ExitPort exit;
    EXPECT_FALSE(exit.exit_code());
    exit.write_port(0xF4, Width::kByte, 7);
    exit.write_port(0xF4, Width::kByte, 9);
    EXPECT_EQ(exit.exit_code(), 7);
}

TEST(SystemControl, GatesCounter2AndShowsItsOutput) {
    machine::VirtualClock clock;
    bus::EventQueue events(clock);
    NoController controller;
    Pit8254 pit(events, bus::IrqLine(controller, 0));
    A20Gate a20;
    SystemControl system(pit, a20, [] {});
    pit.write_port(0x43, Width::kByte, 0xB0);
    pit.write_port(0x42, Width::kByte, 100);
    pit.write_port(0x42, Width::kByte, 0);
    clock.wait_until(1'000'000);
    EXPECT_EQ(system.read_port(0x61, Width::kByte) & 0x20, 0U) << "the gate is closed";
    system.write_port(0x61, Width::kByte, 0x01);
    clock.wait_until(2'000'000);
    EXPECT_EQ(system.read_port(0x61, Width::kByte) & 0x21, 0x21U);
    const auto first = system.read_port(0x61, Width::kByte) & 0x10;
    EXPECT_NE(system.read_port(0x61, Width::kByte) & 0x10, first) << "the refresh bit toggles";
    EXPECT_EQ(system.read_port(0x92, Width::kByte), 2U) << "A20 is open";
}

class LineRecorder final : public bus::IrqController {
public:
    void set_irq(unsigned line, bool high) override { seen.emplace_back(line, high); }
    std::vector<std::pair<unsigned, bool>> seen;
};

TEST(TestDevice, DrivesEveryInterruptLineButTheSecondControllers) {
    LineRecorder lines;
    TestDevice device(lines);
    for (std::uint16_t irq = 1; irq <= 3; ++irq) device.write_port(TestDevice::kIrqPort + irq, Width::kByte, 1);
    EXPECT_EQ(lines.seen, (std::vector<std::pair<unsigned, bool>>{{1, true}, {3, true}}));
}

}  // namespace
}  // namespace sla::device
