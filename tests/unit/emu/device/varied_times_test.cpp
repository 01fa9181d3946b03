// How long devices take where that varies: within the bounds that their headers name, and not always the same.
#include "emu/device/input/i8042.h"
#include "emu/device/storage/ata_channel.h"
#include "emu/device/storage/fdc82077.h"
#include "emu/device/uart16550.h"
#include "tests/unit/emu/device/bench.h"
#include "tests/unit/emu/device/memory_disk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace sla::device {
namespace {

struct Span {
    bus::Nanoseconds least, most;
    std::size_t kinds;
};

// From the action to the line's next rise, many times.
Span times_of(Bench& bench, unsigned line, const std::function<void()>& action, int times = 200) {
    std::vector<bus::Nanoseconds> all;
    for (int i = 0; i < times; ++i) {
        const int rises = bench.wires.rises.at(line);
        const bus::Nanoseconds before = bench.clock.now();
        action();
        while (bench.wires.rises.at(line) == rises && bench.events.next_due()) {
            bench.pass(*bench.events.next_due() - bench.clock.now());
        }
        EXPECT_GT(bench.wires.rises.at(line), rises);
        all.push_back(bench.clock.now() - before);
    }
    std::sort(all.begin(), all.end());
    const Span found{all.front(), all.back(), 0};
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return {found.least, found.most, all.size()};
}

class VariedTimes : public testing::Test {
protected:
    Bench bench;
    MemoryDisk disk{2880};
};

TEST_F(VariedTimes, OfADiskAreTheDisksOwnMemoryOrASeek) {
    AtaChannel ata{bench.events, bus::IrqLine(bench.wires, 14)};
    ata.attach(0, disk);
    const auto verify = [&] {
        bench.in(ata, 0x1F7);
        bench.out(ata, 0x1F2, {1});
        bench.out(ata, 0x1F6, {0xE0});
        bench.out(ata, 0x1F7, {0x40});
    };
    const Span usual = times_of(bench, 14, verify);
    EXPECT_EQ(usual.least, AtaChannel::kCommandTime);
    EXPECT_EQ(usual.most, AtaChannel::kCommandTime);
    bench.events.vary(11);
    const Span varied = times_of(bench, 14, verify);
    EXPECT_GE(varied.least, AtaChannel::kShortestCommand);
    EXPECT_LE(varied.least, AtaChannel::kLongestCached);
    EXPECT_GT(varied.most, AtaChannel::kLongestCached) << "some seek";
    EXPECT_LE(varied.most, AtaChannel::kLongestCommand);
    EXPECT_GT(varied.kinds, 100U);
}

TEST_F(VariedTimes, OfADisksBlocksAndResetHaveBoundsOfTheirOwn) {
    AtaChannel ata{bench.events, bus::IrqLine(bench.wires, 14)};
    ata.attach(0, disk);
    bench.events.vary(11);
    const auto read_sector = [&] {
        for (int word = 0; word < 256; ++word) ata.read_port(0x1F0, bus::Width::kWord);
    };
    const auto read_two = [&] {
        bench.in(ata, 0x1F7);
        bench.out(ata, 0x1F2, {2});
        bench.out(ata, 0x1F6, {0xE0});
        bench.out(ata, 0x1F7, {0x20});
        bench.pass(AtaChannel::kLongestCommand);
        bench.in(ata, 0x1F7);
    };
    for (int i = 0; i < 50; ++i) {
        read_two();
        const Span block = times_of(bench, 14, read_sector, 1);
        EXPECT_GE(block.least, AtaChannel::kShortestBlock);
        EXPECT_LE(block.most, AtaChannel::kLongestBlock);
        read_sector();
        bench.out(ata, 0x3F6, {0x04});
        bench.out(ata, 0x3F6, {0x00});
        bench.pass(AtaChannel::kResetTime - 1);
        EXPECT_TRUE(bench.in(ata, 0x1F7) & 0x80) << "still resetting";
        bench.pass(AtaChannel::kLongestReset - AtaChannel::kResetTime + 1);
        EXPECT_FALSE(bench.in(ata, 0x1F7) & 0x80);
    }
}

TEST_F(VariedTimes, OfAFloppyAreUpToATurn) {
    bus::Memory memory{std::size_t{2} << 20};
    DmaPair dma{memory};
    Fdc82077 fdc{bench.events, bus::IrqLine(bench.wires, 6), dma};
    fdc.drive(0).insert(disk);
    bench.out(fdc, 0x3F2, {0x00, 0x1C});
    bench.pass(Bench::kMillisecond);
    const auto read_id = [&] {
        while ((bench.in(fdc, 0x3F4) & 0xC0) == 0xC0) bench.in(fdc, 0x3F5);
        bench.out(fdc, 0x3F5, {0x4A});
        bench.out(fdc, 0x3F5, {0});
    };
    read_id();
    bench.pass(Bench::kSecond);
    EXPECT_EQ(times_of(bench, 6, read_id).most, Fdc82077::kSectorTime);
    bench.events.vary(11);
    const Span varied = times_of(bench, 6, read_id);
    EXPECT_GE(varied.least, Fdc82077::kSectorTime);
    EXPECT_LE(varied.most, Fdc82077::kSectorTime + Fdc82077::kLongestTurn);
    EXPECT_GT(varied.most - varied.least, Fdc82077::kLongestTurn / 2);
}

TEST_F(VariedTimes, OfAKeyboardsByteAreThoseOfItsClock) {
    A20Gate a20;
    I8042 keyboard{bench.events, bus::IrqLine(bench.wires, 1), {a20, [] {}}};
    bench.out(keyboard, 0x64, {0x60});
    bench.out(keyboard, 0x60, {0x01});
    const auto press = [&] {
        bench.in(keyboard, 0x60);
        keyboard.press({0x1C, false});
    };
    EXPECT_EQ(times_of(bench, 1, press).most, I8042::kByteTime);
    bench.events.vary(11);
    const Span varied = times_of(bench, 1, press);
    EXPECT_GE(varied.least, I8042::kShortestByte);
    EXPECT_LE(varied.most, I8042::kLongestByte);
    EXPECT_GT(varied.kinds, 100U);
}

TEST_F(VariedTimes, OfASerialLinesByteAreWhatTwoUartsStillUnderstand) {
    Uart16550 uart{bench.events, bus::IrqLine(bench.wires, 4), "com1"};
    bench.out(uart, 0x3F9, {1});
    bench.out(uart, 0x3FC, {0x0B});
    const auto byte = [&] {
        bench.in(uart, 0x3F8);
        uart.receive('x');
    };
    const Span usual = times_of(bench, 4, byte);
    bench.events.vary(11);
    const Span varied = times_of(bench, 4, byte);
    EXPECT_GE(varied.least, usual.least - usual.least / 50);
    EXPECT_LE(varied.most, usual.most + usual.most / 50);
    EXPECT_GT(varied.kinds, 100U);
}

}  // namespace
}  // namespace sla::device
