#include "emu/device/storage/dma_pair.h"
#include "tests/unit/emu/device/bench.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::device {
namespace {

class DmaTest : public testing::Test, public DmaObserver {
protected:
    void SetUp() override { dma.observe(this); }
    void dma_moved(const DmaTransfer& transfer) override { moves.push_back(transfer); }
    void set_up_channel_2(unsigned mode, unsigned address, unsigned count) {
        Bench::out(dma, 0x0A, {0x06});
        Bench::out(dma, 0x0B, {mode | 2});
        Bench::out(dma, 0x0C, {0});
        Bench::out(dma, 0x04, {address & 0xFF, address >> 8 & 0xFF});
        Bench::out(dma, 0x81, {address >> 16});
        Bench::out(dma, 0x05, {count & 0xFF, count >> 8});
        Bench::out(dma, 0x0A, {0x02});
    }

    bus::Memory memory{std::size_t{2} << 20};
    DmaPair dma{memory};
    std::vector<DmaTransfer> moves;
};

TEST_F(DmaTest, MovesADevicesBytesIntoMemoryUntilTheTerminalCount) {
    set_up_channel_2(0x44, 0x1FF00, 5);
    const std::array<std::uint8_t, 4> first{1, 2, 3, 4};
    EXPECT_EQ(dma.to_memory(2, first).bytes, 4U);
    const auto rest = dma.to_memory(2, first);
    EXPECT_EQ(rest.bytes, 2U) << "the count holds one less than the bytes";
    EXPECT_TRUE(rest.terminal_count);
    EXPECT_EQ(memory.at(0x1FF00, 6)[5], 2);
    EXPECT_EQ(dma.to_memory(2, first).bytes, 0U) << "the channel masked itself";
    EXPECT_EQ(Bench::in(dma, 0x08) & 0x0F, 0x04);
    EXPECT_EQ(Bench::in(dma, 0x08) & 0x0F, 0x00) << "reading the status clears it";
    ASSERT_EQ(moves.size(), 2U);
    EXPECT_EQ(moves[1].address, 0x1FF04U);
    EXPECT_TRUE(moves[1].to_memory && moves[1].terminal_count);
    EXPECT_EQ(moves[1].written_from, 0x1FF04U);
    EXPECT_EQ(moves[1].written_bytes, 2U);
}

TEST_F(DmaTest, WrapsInsideThePage) {
    set_up_channel_2(0x44, 0x1FFFE, 3);
    const std::array<std::uint8_t, 4> bytes{0xA, 0xB, 0xC, 0xD};
    dma.to_memory(2, bytes);
    EXPECT_EQ(memory.at(0x1FFFF, 1)[0], 0xB);
    EXPECT_EQ(memory.at(0x10000, 1)[0], 0xC);
    EXPECT_EQ(moves.at(0).written_from, 0x10000U);
    EXPECT_EQ(moves.at(0).written_bytes, 0x10000U);
}

TEST_F(DmaTest, StartsAgainWithAutoInitialization) {
    set_up_channel_2(0x54, 0x8000, 1);
    const std::array<std::uint8_t, 2> bytes{7, 8};
    EXPECT_TRUE(dma.to_memory(2, bytes).terminal_count);
    EXPECT_TRUE(dma.to_memory(2, bytes).terminal_count);
    EXPECT_EQ(moves[1].address, 0x8000U);
}

TEST_F(DmaTest, GoesOnlyInTheDirectionOfTheMode) {
    set_up_channel_2(0x48, 0x8000, 9);
    memory.at(0x8000, 1)[0] = 0x42;
    std::array<std::uint8_t, 2> bytes{};
    EXPECT_EQ(dma.to_memory(2, bytes).bytes, 0U);
    EXPECT_EQ(dma.from_memory(2, bytes).bytes, 2U);
    EXPECT_EQ(bytes[0], 0x42);
    EXPECT_EQ(moves.at(0).written_bytes, 0U);
}

TEST_F(DmaTest, CountsDownWhenTold) {
    set_up_channel_2(0x64, 0x8003, 3);
    const std::array<std::uint8_t, 4> bytes{1, 2, 3, 4};
    dma.to_memory(2, bytes);
    EXPECT_EQ(memory.at(0x8000, 1)[0], 4);
    EXPECT_EQ(moves.at(0).written_from, 0x8000U);
    EXPECT_EQ(moves.at(0).written_bytes, 4U);
}

TEST_F(DmaTest, MovesWordsOnTheSecondController) {
    Bench::out(dma, 0xD6, {0x45});
    Bench::out(dma, 0xD8, {0});
    Bench::out(dma, 0xC4, {0x00, 0x40});  // word address 4000h
    Bench::out(dma, 0x8B, {0x11});        // bit 0 does not count
    Bench::out(dma, 0xC6, {1, 0});
    Bench::out(dma, 0xD4, {0x01});
    const std::array<std::uint8_t, 4> bytes{1, 2, 3, 4};
    EXPECT_EQ(dma.to_memory(5, bytes).bytes, 4U);
    EXPECT_EQ(memory.at(0x108000, 4)[3], 4);
}

TEST_F(DmaTest, ReadsBackAddressesAndPages) {
    set_up_channel_2(0x44, 0x051234, 0x00FF);
    Bench::out(dma, 0x0C, {0});
    EXPECT_EQ(Bench::in(dma, 0x04), 0x34);
    EXPECT_EQ(Bench::in(dma, 0x04), 0x12);
    EXPECT_EQ(Bench::in(dma, 0x81), 0x05);
    EXPECT_EQ(Bench::in(dma, 0x0F) & 0x0F, 0x0B);
    Bench::out(dma, 0x0D, {0});
    EXPECT_EQ(Bench::in(dma, 0x0F) & 0x0F, 0x0F) << "master clear masks all";
}

TEST_F(DmaTest, SurvivesMemoryThatIsNotThere) {
    set_up_channel_2(0x44, 0xFF0000, 9);
    const std::array<std::uint8_t, 10> bytes{};
    EXPECT_EQ(dma.to_memory(2, bytes).bytes, 10U) << "the cycles run, nobody listens";
}

}  // namespace
}  // namespace sla::device
