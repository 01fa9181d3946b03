#include "emu/device/board/i440fx.h"
#include "emu/device/board/pci_host.h"
#include "emu/device/board/piix4_pm.h"
#include "tests/unit/emu/device/bench.h"

#include <gtest/gtest.h>

namespace sla::device {
namespace {

using bus::Width;

class PciTest : public testing::Test {
protected:
    std::uint32_t read(unsigned device, unsigned function, unsigned offset, Width width = Width::kDword) {
        host.write_port(0xCF8, Width::kDword, 0x80000000 | device << 11 | function << 8 | (offset & 0xFC));
        return host.read_port(static_cast<std::uint16_t>(0xCFC + (offset & 3)), width) & bus::all_ones(width);
    }
    void write(unsigned device, unsigned function, unsigned offset, Width width, std::uint32_t value) {
        host.write_port(0xCF8, Width::kDword, 0x80000000 | device << 11 | function << 8 | (offset & 0xFC));
        host.write_port(static_cast<std::uint16_t>(0xCFC + (offset & 3)), width, value);
    }

    Bench bench;
    bus::PortTable ports;
    int resets = 0;
    int offs = 0;
    PciHost host{[this](bool) { ++resets; }};
    Piix4Pm power{bench.events, ports, [this] { ++offs; }};
    I440fx board{host, power};
};

TEST_F(PciTest, FindsTheFunctionsOfTheBoardAndNoOthers) {
    EXPECT_EQ(read(0, 0, 0), 0x12378086U);
    EXPECT_EQ(read(0, 0, 0x2C), 0x11001AF4U);
    EXPECT_EQ(read(1, 0, 0), 0x70008086U);
    EXPECT_EQ(read(1, 0, 0x0E, Width::kByte), 0x80U) << "many functions";
    EXPECT_EQ(read(1, 1, 0x0A, Width::kWord), 0x0101U) << "IDE";
    EXPECT_EQ(read(1, 3, 0), 0x71138086U);
    EXPECT_EQ(read(2, 0, 0), 0xFFFFFFFFU);
    host.write_port(0xCF8, Width::kDword, 0x00000000);
    EXPECT_EQ(host.read_port(0xCFC, Width::kDword), 0xFFFFFFFFU) << "not enabled";
}

TEST_F(PciTest, LetsOnlyWritableBitsChange) {
    write(0, 0, 0, Width::kDword, 0);
    EXPECT_EQ(read(0, 0, 0), 0x12378086U);
    write(0, 0, 0x59, Width::kByte, 0xFF);
    EXPECT_EQ(read(0, 0, 0x59, Width::kByte), 0x33U);
    write(1, 0, 0x60, Width::kDword, 0x0B0A0B0A);
    EXPECT_EQ(read(1, 0, 0x62, Width::kWord), 0x0B0AU);
}

TEST_F(PciTest, ResetsThroughPortCf9) {
    host.write_port(0xCF9, Width::kByte, 0x02);
    EXPECT_EQ(resets, 0);
    host.write_port(0xCF9, Width::kByte, 0x06);
    EXPECT_EQ(resets, 1);
    host.write_port(0xCF9, Width::kByte, 0x06);
    EXPECT_EQ(resets, 1) << "the bit must rise";
}

TEST_F(PciTest, PutsThePowerManagementPortsWhereTheGuestSays) {
    EXPECT_EQ(ports.read(0xB008, Width::kDword), 0xFFFFFFFFU);
    write(1, 3, 0x40, Width::kDword, 0xB001);
    write(1, 3, 0x80, Width::kByte, 1);
    bench.pass(Bench::kSecond);
    EXPECT_EQ(ports.read(0xB008, Width::kDword), 3'579'545U);
    bench.pass(10 * Bench::kSecond);
    EXPECT_EQ(ports.read(0xB008, Width::kDword), 3'579'545U * 11 % (1U << 24));
    write(1, 3, 0x40, Width::kDword, 0x0601);
    EXPECT_EQ(ports.read(0xB008, Width::kDword), 0xFFFFFFFFU);
    EXPECT_NE(ports.read(0x608, Width::kDword), 0xFFFFFFFFU);
}

TEST_F(PciTest, LeavesPortsThatBelongToAnother) {
    class Other final : public bus::PortDevice {
        [[nodiscard]] std::string_view name() const override { return "other"; }
        std::uint32_t read_port(std::uint16_t, Width) override { return 0x77; }
        void write_port(std::uint16_t, Width, std::uint32_t) override {}
    } other;
    ports.claim(other, 0x610, 0x610);
    write(1, 3, 0x40, Width::kDword, 0x0601);
    write(1, 3, 0x80, Width::kByte, 1);
    EXPECT_EQ(ports.read(0x610, Width::kByte), 0x77U);
    write(1, 3, 0x80, Width::kByte, 0);
    EXPECT_EQ(ports.read(0x610, Width::kByte), 0x77U);
    EXPECT_EQ(ports.read(0x608, Width::kDword), 0xFFFFFFFFU);
}

TEST_F(PciTest, SwitchesOff) {
    write(1, 3, 0x40, Width::kDword, 0x0601);
    write(1, 3, 0x80, Width::kByte, 1);
    ports.write(0x604, Width::kWord, 0x2400);
    EXPECT_EQ(offs, 0) << "another sleep type";
    ports.write(0x604, Width::kWord, 0x2001);
    EXPECT_EQ(offs, 1);
    EXPECT_EQ(ports.read(0x604, Width::kWord), 1U);
}

}  // namespace
}  // namespace sla::device
