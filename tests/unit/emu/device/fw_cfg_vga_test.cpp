#include "emu/device/board/fw_cfg.h"
#include "emu/device/vga.h"
#include "tests/unit/emu/device/bench.h"

#include <gtest/gtest.h>

#include <string>

namespace sla::device {
namespace {

std::string read_item(FwCfg& fw, unsigned key, std::size_t bytes) {
    fw.write_port(0x510, bus::Width::kWord, key);
    std::string read;
    for (std::size_t i = 0; i < bytes; ++i) read += static_cast<char>(Bench::in(fw, 0x511));
    return read;
}

TEST(FwCfg, HasItsSignatureAndInterface) {
    FwCfg fw;
    EXPECT_EQ(read_item(fw, FwCfg::kSignature, 5), std::string("QEMU\0", 5)) << "zeros come after the end";
    EXPECT_EQ(read_item(fw, FwCfg::kInterfaceVersion, 4), std::string("\1\0\0\0", 4));
    EXPECT_EQ(read_item(fw, FwCfg::kCpuCount, 2), std::string("\1\0", 2));
    EXPECT_EQ(read_item(fw, 0x1234, 1), std::string(1, '\0'));
}

TEST(FwCfg, ListsItsFiles) {
    FwCfg fw;
    fw.add_file("etc/one", {'a'});
    fw.add_file("etc/two", {'b', 'c'});
    const std::string directory = read_item(fw, FwCfg::kFileDirectory, 4 + 128);
    EXPECT_EQ(directory.substr(0, 4), std::string("\0\0\0\2", 4));
    const std::string second = directory.substr(68);
    EXPECT_EQ(second.substr(0, 8), std::string("\0\0\0\2\0\x21\0\0", 8));
    EXPECT_STREQ(second.substr(8).c_str(), "etc/two");
    EXPECT_EQ(read_item(fw, 0x21, 2), "bc");
}

TEST(Vga, ComesUpInTheTextModeOf80By25) {
    Bench bench;
    const Vga vga(bench.events);
    const auto mode = vga.text_mode();
    EXPECT_EQ(mode.columns, 80U);
    EXPECT_EQ(mode.rows, 25U);
    EXPECT_EQ(mode.glyph_rows, 16U);
    EXPECT_EQ(vga.colour(15).red, 255);
    EXPECT_EQ(vga.colour(1).blue, 170);
    EXPECT_EQ(vga.colour(6).green, 85) << "brown, not dark yellow";
}

TEST(Vga, KeepsRegistersBehindTheirIndexes) {
    Bench bench;
    Vga vga(bench.events);
    bench.out(vga, 0x3D4, {0x0E});
    bench.out(vga, 0x3D5, {0x01});
    bench.out(vga, 0x3D4, {0x0F});
    bench.out(vga, 0x3D5, {0x02});
    EXPECT_EQ(vga.text_mode().cursor, 0x102U);
    bench.out(vga, 0x3B4, {0x0E});
    EXPECT_EQ(bench.in(vga, 0x3B5), 1) << "the monochrome addresses are the same chip";
    bench.out(vga, 0x3D4, {0x00});
    bench.out(vga, 0x3D5, {0x77});
    EXPECT_NE(bench.in(vga, 0x3D5), 0x77) << "registers 0-7 are protected";
}

TEST(Vga, TakesIndexAndDataInTurnAtTheAttributePort) {
    Bench bench;
    Vga vga(bench.events);
    bench.in(vga, 0x3DA);
    bench.out(vga, 0x3C0, {0x07, 0x3F});
    bench.in(vga, 0x3DA);
    bench.out(vga, 0x3C0, {0x07});
    EXPECT_EQ(bench.in(vga, 0x3C1), 0x3F);
    EXPECT_EQ(vga.colour(7).red, 255);
}

TEST(Vga, ReadsBitsThatRegistersDoNotHaveAsZero) {
    Bench bench;
    Vga vga(bench.events);
    bench.out(vga, 0x3C4, {1});
    bench.out(vga, 0x3C5, {0xFF});
    EXPECT_EQ(bench.in(vga, 0x3C5), 0x3D);
    bench.out(vga, 0x3CE, {4});
    bench.out(vga, 0x3CF, {0xFF});
    EXPECT_EQ(bench.in(vga, 0x3CF), 0x03);
    bench.in(vga, 0x3DA);
    bench.out(vga, 0x3C0, {0x14, 0xFF});
    EXPECT_EQ(bench.in(vga, 0x3C1), 0x0F);
}

TEST(Vga, LoadsColoursThroughTheDac) {
    Bench bench;
    Vga vga(bench.events);
    bench.out(vga, 0x3C8, {1});
    bench.out(vga, 0x3C9, {63, 0, 21});
    bench.out(vga, 0x3C7, {1});
    EXPECT_EQ(bench.in(vga, 0x3C9), 63);
    EXPECT_EQ(vga.colour(1).red, 255);
    EXPECT_EQ(vga.colour(1).blue, 85);
}

TEST(Vga, ShowsRetracesAsTimeGoesBy) {
    Bench bench;
    Vga vga(bench.events);
    int retraces = 0;
    bool before = false;
    for (int step = 0; step < 100'000; ++step) {
        bench.pass(10 * Bench::kMicrosecond);
        const bool now = (bench.in(vga, 0x3DA) & 8) != 0;
        if (now && !before) ++retraces;
        before = now;
    }
    EXPECT_EQ(retraces, 70) << "frames in a second";
}

}  // namespace
}  // namespace sla::device
