#include "emu/device/storage/fdc82077.h"
#include "tests/unit/emu/device/bench.h"
#include "tests/unit/emu/device/memory_disk.h"

#include <gmock/gmock.h>

namespace sla::device {
namespace {

using testing::ElementsAre;

class FdcTest : public testing::Test {
protected:
    void SetUp() override {
        fdc.drive(0).insert(disk);
        bench.out(fdc, 0x3F2, {0x00, 0x1C});  // out of reset, motor of drive 0
        bench.pass(Bench::kMillisecond);
        for (int drive = 0; drive < 4; ++drive) command({0x08});
    }
    // Sends a command, waits, gives the result.
    std::vector<unsigned> command(std::initializer_list<unsigned> bytes) {
        for (const unsigned byte : bytes) {
            EXPECT_EQ(bench.in(fdc, 0x3F4) & 0xC0, 0x80);
            bench.out(fdc, 0x3F5, {byte});
        }
        bench.pass(Bench::kSecond);
        std::vector<unsigned> result;
        while ((bench.in(fdc, 0x3F4) & 0xC0) == 0xC0) result.push_back(bench.in(fdc, 0x3F5));
        return result;
    }
    void seek(unsigned cylinder) {
        command({0x0F, 0, cylinder});
        EXPECT_TRUE(bench.wires.high[6]);
        EXPECT_THAT(command({0x08}), ElementsAre(0x20, cylinder));
    }
    void set_up_dma(unsigned mode, unsigned bytes) {
        Bench::out(dma, 0x0A, {0x06});
        Bench::out(dma, 0x0B, {mode | 2});
        Bench::out(dma, 0x0C, {0});
        Bench::out(dma, 0x04, {0x00, 0x80});
        Bench::out(dma, 0x81, {0});
        Bench::out(dma, 0x05, {(bytes - 1) & 0xFF, (bytes - 1) >> 8});
        Bench::out(dma, 0x0A, {0x02});
    }
    std::uint8_t& memory_byte(unsigned offset) { return memory.at(0x8000 + offset, 1)[0]; }

    Bench bench;
    bus::Memory memory{std::size_t{2} << 20};
    DmaPair dma{memory};
    MemoryDisk disk{2880};
    Fdc82077 fdc{bench.events, bus::IrqLine(bench.wires, 6), dma};
};

TEST_F(FdcTest, AnAtHasNoStatusRegistersAAndB) {
    EXPECT_EQ(bench.in(fdc, 0x3F0), 0xFF);
    EXPECT_EQ(bench.in(fdc, 0x3F1), 0xFF);
    bench.out(fdc, 0x3F2, {0x00, 0x0C});
    bench.pass(Bench::kMillisecond);
    ASSERT_TRUE(bench.wires.high[6]);
    EXPECT_EQ(bench.in(fdc, 0x3F0), 0xFF);
}

TEST_F(FdcTest, InterruptsAfterItsResetAndHasFourAnswers) {
    bench.out(fdc, 0x3F2, {0x00});
    EXPECT_EQ(bench.in(fdc, 0x3F4), 0);
    bench.out(fdc, 0x3F2, {0x0C});
    bench.pass(Bench::kMillisecond);
    EXPECT_TRUE(bench.wires.high[6]);
    for (unsigned drive = 0; drive < 4; ++drive) EXPECT_THAT(command({0x08}), ElementsAre(0xC0 | drive, 0));
    EXPECT_THAT(command({0x08}), ElementsAre(0x80)) << "there is nothing more to sense";
    EXPECT_THAT(command({0x10}), ElementsAre(0x90));
}

TEST_F(FdcTest, ReadsSectorsIntoMemory) {
    seek(3);
    set_up_dma(0x44, 1024);
    EXPECT_THAT(command({0xE6, 0x04, 3, 1, 7, 2, 18, 0x1B, 0xFF}), ElementsAre(4, 0, 0, 3, 1, 9, 2));
    const unsigned first = (3 * 2 + 1) * 18 + 6;
    EXPECT_EQ(memory_byte(0), first & 0xFF);
    EXPECT_EQ(memory_byte(512), first + 1);
}

TEST_F(FdcTest, GoesOnToTheOtherHeadWithMt) {
    seek(0);
    set_up_dma(0x44, 2 * 512);
    EXPECT_THAT(command({0xE6, 0x00, 0, 0, 18, 2, 18, 0x1B, 0xFF}), ElementsAre(0, 0, 0, 0, 1, 2, 2));
    EXPECT_EQ(memory_byte(512), 18);
}

TEST_F(FdcTest, WritesSectorsFromMemory) {
    seek(1);
    set_up_dma(0x48, 512);
    memory_byte(511) = 0x77;
    EXPECT_THAT(command({0xC5, 0x00, 1, 0, 1, 2, 18, 0x1B, 0xFF}), ElementsAre(0, 0, 0, 1, 0, 2, 2));
    EXPECT_EQ(disk.bytes[36 * 512 + 511], 0x77);
}

TEST_F(FdcTest, SaysWhyATransferFailed) {
    seek(0);
    set_up_dma(0x44, 512 * 4);
    EXPECT_THAT(command({0x46, 0, 0, 0, 18, 2, 18, 0x1B, 0xFF}), ElementsAre(0x40, 0x80, 0, 1, 0, 1, 2))
        << "end of the track";
    set_up_dma(0x44, 512);
    EXPECT_EQ(command({0x46, 0, 0, 0, 19, 2, 19, 0x1B, 0xFF}).at(1), 0x04U) << "no such sector";
    EXPECT_THAT(command({0x46, 0, 5, 0, 1, 2, 18, 0x1B, 0xFF}), ElementsAre(0x40, 0x04, 0x10, 5, 0, 1, 2))
        << "the head is elsewhere";
    EXPECT_EQ(command({0x46, 1, 0, 0, 1, 2, 18, 0x1B, 0xFF}).at(0), 0x41U) << "no disk in the other drive";
}

TEST_F(FdcTest, ReportsThatTheDiskMayHaveBeenChangedUntilItSteps) {
    EXPECT_EQ(bench.in(fdc, 0x3F7) & 0x80, 0x80);
    seek(1);
    EXPECT_EQ(bench.in(fdc, 0x3F7) & 0x80, 0x00);
}

TEST_F(FdcTest, SensesTrack0AndReadsIds) {
    seek(2);
    EXPECT_THAT(command({0x04, 0x00}), ElementsAre(0x28));
    EXPECT_THAT(command({0x4A, 0x04}), ElementsAre(4, 0, 0, 2, 1, 1, 2));
    command({0x07, 0x00});
    EXPECT_THAT(command({0x08}), ElementsAre(0x20, 0));
    EXPECT_THAT(command({0x04, 0x00}), ElementsAre(0x38));
}

TEST_F(FdcTest, FormatsATrack) {
    seek(0);
    set_up_dma(0x48, 18 * 4);
    for (unsigned sector = 0; sector < 18; ++sector) {
        memory_byte(4 * sector) = memory_byte(4 * sector + 1) = 0;
        memory_byte(4 * sector + 2) = static_cast<std::uint8_t>(sector + 1);
        memory_byte(4 * sector + 3) = 2;
    }
    EXPECT_EQ(command({0x4D, 0x00, 2, 18, 0x50, 0xF6}).at(0), 0U);
    EXPECT_EQ(disk.bytes[17 * 512 + 100], 0xF6);
    EXPECT_EQ(disk.bytes[18 * 512 + 100], 0x00);
}

// The digital output register holds it, whatever the data rate register's own reset does.
TEST_F(FdcTest, StaysInResetUntilTheOutputRegisterLetsGo) {
    bench.out(fdc, 0x3F2, {0x18});
    bench.out(fdc, 0x3F4, {0x80});
    bench.pass(Bench::kMillisecond);
    EXPECT_EQ(bench.in(fdc, 0x3F4), 0);
    EXPECT_FALSE(bench.wires.high[6]);
    bench.out(fdc, 0x3F2, {0x1C});
    bench.pass(Bench::kMillisecond);
    EXPECT_TRUE(bench.wires.high[6]);
    EXPECT_THAT(command({0x08}), ElementsAre(0xC0, 0));
}

TEST_F(FdcTest, CallsWhatItDoesNotKnowInvalid) {
    EXPECT_THAT(command({0x1F}), ElementsAre(0x80));
    EXPECT_EQ(bench.in(fdc, 0x3F4), 0x80);
}

TEST(FloppyGeometry, IsKnownForTheSizesOfFloppies) {
    EXPECT_EQ(floppy_geometry(2880)->cmos_type, 4);
    EXPECT_EQ(floppy_geometry(2400)->sectors, 15U);
    EXPECT_FALSE(floppy_geometry(2881));
    EXPECT_FALSE(floppy_geometry(0));
}

}  // namespace
}  // namespace sla::device
