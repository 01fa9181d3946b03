#include "emu/bus/mmio_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::bus {
namespace {

class Window final : public MmioDevice {
public:
    [[nodiscard]] std::string_view mmio_name() const override { return "window"; }
    std::uint32_t read_mmio(std::uint32_t address, Width) override { return address; }
    void write_mmio(std::uint32_t address, Width, std::uint32_t value) override { written.push_back({address, value}); }

    std::vector<std::pair<std::uint32_t, std::uint32_t>> written;
};

TEST(MmioTable, GivesAnAccessToTheDeviceOfItsWindow) {
    MmioTable table;
    Window low;
    Window high;
    table.claim(low, 0xFEC00000, 4096);
    table.claim(high, 0xFEE00000, 8192);
    EXPECT_EQ(table.read(0xFEE01FFC, Width::kDword), 0xFEE01FFCU);
    table.write(0xFEC00010, Width::kDword, 7);
    ASSERT_EQ(low.written.size(), 1U);
    EXPECT_EQ(low.written[0].first, 0xFEC00010U);
    EXPECT_TRUE(high.written.empty());
    EXPECT_EQ(table.device_name(table.device_of(0xFEC00FFF)), "window");
}

TEST(MmioTable, NobodyAnswersWithAllOnes) {
    MmioTable table;
    EXPECT_EQ(table.read(0xD0000000, Width::kWord), 0xFFFFU);
    table.write(0xD0000000, Width::kWord, 1);
    EXPECT_EQ(table.device_name(table.device_of(0xD0000000)), "unclaimed");
}

TEST(MmioTable, CutsValuesToTheWidth) {
    MmioTable table;
    Window device;
    table.claim(device, 0xFEC00000, 4096);
    EXPECT_EQ(table.read(0xFEC00123, Width::kByte), 0x23U);
    table.write(0xFEC00000, Width::kByte, 0x1FF);
    EXPECT_EQ(device.written[0].second, 0xFFU);
}

TEST(MmioTable, TakesTheLastPageOfTheAddressSpace) {
    MmioTable table;
    Window device;
    table.claim(device, 0xFFFFF000, 4096);
    EXPECT_EQ(table.device_of(0xFFFFFFFF), 1U);
    EXPECT_EQ(table.device_of(0), 0U);
}

TEST(MmioTable, MovesAWindowOrTakesItAway) {
    MmioTable table;
    Window device;
    table.claim(device, 0xFEE00000, 4096);
    table.move(device, 0xFED40000);
    EXPECT_EQ(table.device_of(0xFED40FFF), 1U);
    EXPECT_EQ(table.device_of(0xFEE00000), 0U);
    table.move(device, std::nullopt);
    EXPECT_EQ(table.device_of(0xFED40000), 0U);
    table.move(device, 0xFEE00000);
    EXPECT_EQ(table.device_of(0xFEE00000), 1U);
}

TEST(MmioTableDeath, RefusesWindowsThatOverlap) {
    MmioTable table;
    Window device;
    table.claim(device, 0xFEC01000, 4096);
    EXPECT_DEATH(table.claim(device, 0xFEC00000, 8192), "");
}

}  // namespace
}  // namespace sla::bus
