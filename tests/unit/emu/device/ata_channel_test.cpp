#include "emu/device/storage/ata_channel.h"
#include "tests/unit/emu/device/bench.h"
#include "tests/unit/emu/device/memory_disk.h"

#include <gtest/gtest.h>

namespace sla::device {
namespace {

constexpr std::uint8_t kReady = 0x50;
constexpr std::uint8_t kData = 0x58;

class AtaTest : public testing::Test {
protected:
    void SetUp() override { ata.attach(0, disk); }
    std::uint8_t in(unsigned reg) { return bench.in(ata, static_cast<std::uint16_t>(0x1F0 + reg)); }
    void out(unsigned reg, unsigned value) { bench.out(ata, static_cast<std::uint16_t>(0x1F0 + reg), {value}); }
    void command(unsigned code, std::uint32_t lba, unsigned count) {
        out(2, count), out(3, lba & 0xFF), out(4, lba >> 8 & 0xFF), out(5, lba >> 16 & 0xFF);
        out(6, 0xE0 | lba >> 24), out(7, code);
    }
    std::uint16_t word() { return static_cast<std::uint16_t>(ata.read_port(0x1F0, bus::Width::kWord)); }
    // The number that the next sector of a read knows.
    std::uint32_t sector() {
        bench.pass(Bench::kMillisecond);
        EXPECT_EQ(in(7), kData);
        const std::uint32_t low = word();
        const std::uint32_t number = low | static_cast<std::uint32_t>(word()) << 16;
        for (unsigned i = 2; i < 256; ++i) word();
        return number;
    }
    void put_sector(unsigned value) {
        for (unsigned i = 0; i < 256; ++i) ata.write_port(0x1F0, bus::Width::kWord, value);
    }

    Bench bench;
    MemoryDisk disk{20000};
    AtaChannel ata{bench.events, bus::IrqLine(bench.wires, 14)};
};

TEST_F(AtaTest, IsBusyThenInterruptsWithData) {
    command(0x20, 1234, 2);
    EXPECT_EQ(in(7), 0x80);
    bench.pass(Bench::kMillisecond);
    EXPECT_TRUE(bench.wires.high[14]);
    EXPECT_EQ(in(7), kData);
    EXPECT_FALSE(bench.wires.high[14]) << "reading the status answers the interrupt";
    EXPECT_EQ(sector(), 1234U);
    EXPECT_EQ(sector(), 1235U);
    EXPECT_EQ(in(7), kReady);
    EXPECT_EQ(bench.wires.rises[14], 2) << "one for each sector";
}

TEST_F(AtaTest, ReadsByCylinderHeadSector) {
    out(2, 1), out(3, 5), out(4, 2), out(5, 0), out(6, 0xA3), out(7, 0x20);
    EXPECT_EQ(sector(), (2U * 16 + 3) * 63 + 4);
    out(2, 1), out(3, 0), out(7, 0x20);
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(in(7) & 1, 1) << "sectors count from 1";
    EXPECT_EQ(in(1), 0x10);
}

TEST_F(AtaTest, ReadsBy48BitAddresses) {
    out(2, 0), out(3, 0), out(4, 0), out(5, 0);           // high order first
    out(2, 1), out(3, 0x21), out(4, 0x4E), out(5, 0x00);  // 20001
    out(6, 0x40), out(7, 0x24);
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(in(1), 0x10) << "past the end";
    out(2, 0), out(3, 0), out(4, 0), out(5, 0);
    out(2, 1), out(3, 0x1F), out(4, 0x4E), out(5, 0x00);
    out(6, 0x40), out(7, 0x24);
    EXPECT_EQ(sector(), 19999U);
}

TEST_F(AtaTest, InterruptsOncePerBlockWithReadMultiple) {
    command(0xC4, 0, 8);
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(in(1), 0x04) << "refused before SET MULTIPLE MODE";
    out(2, 4), out(7, 0xC6);
    bench.pass(Bench::kMillisecond);
    const int before = bench.wires.rises[14];
    command(0xC4, 100, 8);
    for (unsigned block = 0; block < 2; ++block) {
        EXPECT_EQ(sector(), 100 + 4 * block);
        for (unsigned i = 0; i < 3 * 256; ++i) word();
    }
    EXPECT_EQ(in(7), kReady);
    EXPECT_EQ(bench.wires.rises[14] - before, 2);
}

TEST_F(AtaTest, WritesAndInterruptsWhenTheSectorIsOnTheDisk) {
    command(0x30, 7, 2);
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(in(7), kData);
    EXPECT_EQ(bench.wires.rises[14], 0) << "the first sector is asked for without an interrupt";
    put_sector(0x1111);
    EXPECT_EQ(in(7), 0x80);
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(bench.wires.rises[14], 1);
    EXPECT_EQ(in(7), kData);
    put_sector(0x2222);
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(in(7), kReady);
    EXPECT_EQ(disk.bytes[7 * 512], 0x11);
    EXPECT_EQ(disk.bytes[8 * 512 + 511], 0x22);
}

TEST_F(AtaTest, IdentifiesItself) {
    out(6, 0xA0), out(7, 0xEC);
    bench.pass(Bench::kMillisecond);
    std::array<std::uint16_t, 256> words{};
    for (auto& each : words) each = word();
    EXPECT_EQ(words[0] & 0x8000, 0);
    EXPECT_EQ(words[60] | words[61] << 16, 20000);
    EXPECT_EQ(words[100], 20000);
    EXPECT_EQ(words[49] & 0x0200, 0x0200);
    EXPECT_EQ(words[27], 'S' << 8 | 'L');
    EXPECT_EQ(words[3] * words[6], 16 * 63);
    EXPECT_EQ(in(7), kReady);
}

TEST_F(AtaTest, ShowsItsSignatureAfterASoftReset) {
    command(0x20, 5, 3);
    bench.out(ata, 0x3F6, {0x04});
    EXPECT_EQ(in(7), 0x80);
    bench.out(ata, 0x3F6, {0x00});
    bench.pass(2 * Bench::kMillisecond);
    EXPECT_EQ(in(7), kReady);
    EXPECT_EQ(in(1), 1);
    EXPECT_EQ(in(2), 1);
    EXPECT_EQ(in(3), 1);
    EXPECT_EQ(in(4) | in(5), 0);
}

TEST_F(AtaTest, KeepsItsInterruptBackWithNien) {
    bench.out(ata, 0x3F6, {0x02});
    command(0x20, 5, 1);
    EXPECT_EQ(sector(), 5U);
    EXPECT_EQ(bench.wires.rises[14], 0);
}

TEST_F(AtaTest, AbortsWhatItDoesNotKnow) {
    out(6, 0xE0), out(7, 0xA1);
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(in(7), kReady | 1);
    EXPECT_EQ(in(1), 0x04);
}

TEST_F(AtaTest, SaysWhichSectorFailed) {
    disk.broken = 301;
    command(0x20, 300, 3);
    EXPECT_EQ(sector(), 300U);
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(in(7) & 1, 1);
    EXPECT_EQ(in(1), 0x40);
    EXPECT_EQ(in(3) | in(4) << 8, 301);
}

TEST_F(AtaTest, IsSilentForADiskThatIsNotThere) {
    out(6, 0xF0);
    EXPECT_EQ(in(7), 0);
    out(7, 0xEC);
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(in(7), 0);
    out(6, 0xE0);
    EXPECT_EQ(in(7), kReady);
    AtaChannel none{bench.events, bus::IrqLine(bench.wires, 14)};
    EXPECT_EQ(bench.in(none, 0x1F7), 0xFF) << "nothing drives the bus";
}

TEST_F(AtaTest, FinishesForTheDiskThatGotTheCommandWhateverIsSelectedMeanwhile) {
    command(0x20, 9, 2);
    bench.pass(Bench::kMillisecond);
    out(6, 0xF0);
    for (unsigned i = 0; i < 256; ++i) word();
    bench.pass(Bench::kMillisecond);
    out(6, 0xE0);
    EXPECT_EQ(sector(), 10U);
}

}  // namespace
}  // namespace sla::device
