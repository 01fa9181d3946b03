// Code by where it lies, of raw files and of program files.
#include "proto/common/symbols/code_image.h"
#include "proto/common/symbols/symbols.h"

#include <gmock/gmock.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

extern "C" int sla_symbols_test_landmark(int number);  // symbols_test.cpp
extern "C" const char __executable_start;

namespace sla::symbol {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(CodeImage, OfARawFileLiesWhereItIsToldTo) {
    const std::string path = testing::TempDir() + "sla-code-image.bin";
    std::ofstream(path, std::ios::binary) << "\xB0\x42\xE6\x80";
    CodeImage code;
    const auto placeless = code.add_file(path);
    ASSERT_FALSE(placeless.ok());
    EXPECT_THAT(placeless.error().message, HasSubstr("boot.bin@0xff000"));
    ASSERT_TRUE(code.add_file(path + "@0xffff0").ok());
    EXPECT_THAT(code.from(0xFFFF2), ElementsAre(0xE6, 0x80));
    EXPECT_TRUE(code.from(0xFFFF4).empty());
    EXPECT_TRUE(code.from(0xFFFEF).empty());
    EXPECT_FALSE(code.is_64());
    EXPECT_THAT(code.add_file(path + "@zz").error().message, HasSubstr("--code"));
    EXPECT_THAT(code.add_file("/dev/null@0").error().message, HasSubstr("is empty"));
    EXPECT_THAT(code.add_file("/no/such@0").error().message, HasSubstr("cannot open code '/no/such'"));
    std::filesystem::remove(path);
}

TEST(CodeImage, OfAProgramIsItsCodeAtItsOwnAddresses) {
    CodeImage code;
    ASSERT_TRUE(code.add_file("/proc/self/exe").ok());
    EXPECT_TRUE(code.is_64());
    const auto runs_at = reinterpret_cast<std::uintptr_t>(&sla_symbols_test_landmark);
    const auto start = reinterpret_cast<std::uintptr_t>(&__executable_start);
    const auto bytes = code.from(code.is_fixed() ? runs_at : runs_at - start);
    ASSERT_GE(bytes.size(), 8U);
    EXPECT_EQ(std::memcmp(bytes.data(), reinterpret_cast<const void*>(runs_at), 8), 0);
}

TEST(CodeImage, OfAProgramThatIsCutOffIsRefusedOrLeavesOut) {
    std::ifstream in("/proc/self/exe", std::ios::binary);
    std::string head(4096, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    const std::string path = ::testing::TempDir() + "cut_off_program";
    for (const std::size_t length : {4U, 16U, 63U, 64U, 200U, 4096U}) {
        std::ofstream(path, std::ios::binary).write(head.data(), static_cast<std::streamsize>(length));
        CodeImage code;
        const auto added = code.add_file(path);
        EXPECT_TRUE(added.ok() || added.error().message == "'" + path + "': it is a damaged ELF file")
            << added.error().message;
        EXPECT_LE(code.from(0).size(), length);
    }
    std::filesystem::remove(path);
}

TEST(SymbolExtents, GoToTheNextSymbolAndHoldTheirLocalLabels) {
    Symbols symbols;
    ASSERT_TRUE(symbols.add("1000 main\n1010 main.loop\n1020 main.end\n1030 other\n2000 _ZN3sla4busyEi\n", 0).ok());
    const auto main = symbols.extents_of("main");
    ASSERT_EQ(main.size(), 1U);
    EXPECT_EQ(main[0].begin, 0x1000U);
    EXPECT_EQ(main[0].end, 0x1030U);
    EXPECT_EQ(symbols.extents_of("main.loop").at(0).end, 0x1020U);
    EXPECT_EQ(symbols.extents_of("sla::busy(int)").at(0).begin, 0x2000U);
    EXPECT_TRUE(symbols.extents_of("mai").empty());
    EXPECT_EQ(symbols.extents_of("sla::bus", true).at(0).begin, 0x2000U) << "a name that was too long";
}

}  // namespace
}  // namespace sla::symbol
