#include "emu/bus/port_table.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace sla::bus {
namespace {

using testing::ElementsAre;

class Fake final : public PortDevice {
public:
    explicit Fake(Width widest) : widest_(widest) {}
    [[nodiscard]] std::string_view name() const override { return "fake"; }
    [[nodiscard]] Width widest() const override { return widest_; }
    std::uint32_t read_port(std::uint16_t port, Width width) override {
        log.push_back("in " + std::to_string(port) + "/" + std::to_string(bytes_of(width)));
        return 0xA0B0C000U | port;
    }
    void write_port(std::uint16_t port, Width width, std::uint32_t value) override {
        log.push_back("out " + std::to_string(port) + "/" + std::to_string(bytes_of(width)) + "=" + std::to_string(value));
    }
    std::vector<std::string> log;

private:
    Width widest_;
};

TEST(PortTable, AnswersWithOnesWhereNobodyIs) {
    PortTable table;
    EXPECT_EQ(table.read(0x1234, Width::kByte), 0xFFU);
    EXPECT_EQ(table.read(0x1234, Width::kWord), 0xFFFFU);
    EXPECT_EQ(table.read(0xFFFF, Width::kDword), 0xFFFFFFFFU);
    table.write(0x1234, Width::kDword, 5);
    EXPECT_EQ(table.device_of(0x1234), 0U);
    EXPECT_EQ(table.device_name(0), "unclaimed");
}

TEST(PortTable, GivesAWideDeviceTheWholeAccess) {
    Fake device(Width::kDword);
    PortTable table;
    table.claim(device, 0x80, 0x80);
    table.write(0x80, Width::kDword, 0x12345678);
    EXPECT_EQ(table.read(0x80, Width::kWord), 0xC080U);
    EXPECT_THAT(device.log, ElementsAre("out 128/4=305419896", "in 128/2"));
}

TEST(PortTable, CutsAWideAccessToANarrowDeviceIntoBytes) {
    Fake device(Width::kByte);
    PortTable table;
    table.claim(device, 0x40, 0x42);
    table.write(0x41, Width::kDword, 0x04030201);
    EXPECT_EQ(table.read(0x42, Width::kWord), 0xFF42U) << "the second byte belongs to nobody";
    EXPECT_THAT(device.log, ElementsAre("out 65/1=1", "out 66/1=2", "in 66/1"));
}

TEST(PortTable, KnowsWhichAccessesALatchOrNobodyTakesInOnePiece) {
    struct Latch final : PortDevice {
        [[nodiscard]] std::string_view name() const override { return "latch"; }
        [[nodiscard]] Width widest() const override { return Width::kDword; }
        [[nodiscard]] bool is_latch(std::uint16_t port, Access access) const override {
            return port == 0x80 || access == Access::kIn;
        }
        std::uint32_t read_port(std::uint16_t, Width) override { return 0; }
        void write_port(std::uint16_t, Width, std::uint32_t) override {}
    } latch;
    Fake chip(Width::kDword);
    PortTable table;
    table.claim(latch, 0x80, 0x81);
    table.claim(chip, 0x40, 0x40);
    EXPECT_TRUE(table.is_latch(0x80, Width::kDword, Access::kOut));
    EXPECT_TRUE(table.is_latch(0x81, Width::kWord, Access::kIn));
    EXPECT_FALSE(table.is_latch(0x81, Width::kByte, Access::kOut));
    EXPECT_FALSE(table.is_latch(0x40, Width::kByte, Access::kIn));
    EXPECT_TRUE(table.is_latch(0x41, Width::kByte, Access::kIn));
    EXPECT_FALSE(table.is_latch(0x41, Width::kWord, Access::kIn)) << "the bytes behind may be a chip's";
    table.release(latch, 0x80, 0x81);
    EXPECT_FALSE(table.is_latch(0x80, Width::kDword, Access::kOut));
}

TEST(PortTable, NumbersDevicesInTheOrderOfTheirClaims) {
    Fake first(Width::kByte);
    Fake second(Width::kByte);
    PortTable table;
    table.claim(first, 0x20, 0x21);
    table.claim(second, 0x40, 0x43);
    table.claim(first, 0xA0, 0xA1);
    EXPECT_EQ(table.device_of(0x21), 1U);
    EXPECT_EQ(table.device_of(0x43), 2U);
    EXPECT_EQ(table.device_of(0xA0), 1U);
    EXPECT_EQ(table.device_name(2), "fake");
}

TEST(PortTable, WrapsWideAccessesAtTheLastPort) {
    Fake device(Width::kByte);
    PortTable table;
    table.claim(device, 0, 0);
    table.write(0xFFFF, Width::kWord, 0x0201);
    EXPECT_THAT(device.log, ElementsAre("out 0/1=2"));
}

}  // namespace
}  // namespace sla::bus
