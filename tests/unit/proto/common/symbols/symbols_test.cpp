// Names of a guest's code, from what assemblers and linkers leave.
#include "proto/common/symbols/symbols.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <fstream>
#include <iterator>

// A function whose place in this program is known.
extern "C" [[gnu::noinline, gnu::used]] int sla_symbols_test_landmark(int number) {
    return number * 7;
}
extern "C" const char __executable_start;

namespace sla::symbol {
namespace {

using testing::HasSubstr;

TEST(Symbols, LeadBothWays) {
    Symbols symbols;
    ASSERT_TRUE(symbols.add("ff000 start\nff00b next\n", 0).ok());
    EXPECT_EQ(symbols.address_of("next"), 0xFF00BU);
    EXPECT_FALSE(symbols.address_of("nex"));
    EXPECT_EQ(symbols.function_of(0xF000, 0xF00D), "next");
    EXPECT_EQ(symbols.function_of(0xF000, 0xF000), "start");
    EXPECT_EQ(symbols.function_of(0, 4), "");
}

TEST(Symbols, AreReadFromMapsOfNasmByWhereCodeRuns) {
    Symbols symbols;
    ASSERT_TRUE(symbols
                    .add("- NASM Map file ----\n\nSource file:  boot.asm\n\n-- Program origin ----\n\n0000F000\n\n"
                         "---- No Section ----\n\nValue     Name\n00000600  counters\n\n---- Section .text ----\n\n"
                         "Real              Virtual           Name\n"
                         "            1000              F000  start\n            1040              F040  on_irq0\n"
                         "            1050              F050  on_irq0.again\n",
                         0xF0000)
                    .ok());
    EXPECT_EQ(symbols.name_of(0xF000, 0xF000), "start");
    EXPECT_EQ(symbols.name_of(0xF000, 0xF047), "on_irq0+0x7");
    EXPECT_EQ(symbols.name_of(0xF000, 0xF050), "on_irq0.again");
    EXPECT_EQ(symbols.function_of(0xF000, 0xF055), "on_irq0") << "its local label is a part of it";
    EXPECT_EQ(symbols.name_of(0xF0600U), "") << "a constant is no place";
    EXPECT_EQ(symbols.name_of(0xFF00, 0x0040), "on_irq0") << "the same place by another segment";
}

TEST(Symbols, AreReadFromMapsOfGnuLdAndNm) {
    Symbols symbols;
    ASSERT_TRUE(symbols
                    .add("Memory Configuration\n\nName             Origin             Length             Attributes\n"
                         " .text          0x000f0000       0x14 boot.o\n"
                         "                0x00000000000fe05b                handle_13\n"
                         "                0x000000000010000a                main@4\n"
                         "                0x00000000000fffff                . = ALIGN (0x4)\n",
                         0)
                    .ok());
    ASSERT_TRUE(symbols.add("000fe100 T handle_16\n         U outside\n00000000 a here.c\n", 0).ok());
    EXPECT_EQ(symbols.name_of(0xF000, 0xE077), "handle_13+0x1c");
    EXPECT_EQ(symbols.name_of(0xF000, 0xE100), "handle_16");
    EXPECT_EQ(symbols.name_of(8, 0x10000C), "main@4+0x2") << "a selector of protected mode: the offset alone";
}

TEST(Symbols, WithADotAndWithoutAFunctionBeforeThemAreFunctions) {
    Symbols symbols;
    ASSERT_TRUE(symbols.add("1000 a.cold\n1010 b\n1020 b.one\n1030 b.two\n1040 c.part\n1050 .text\n1060 ba.x\n", 0).ok());
    EXPECT_EQ(symbols.function_of(0, 0x1001), "a.cold");
    EXPECT_EQ(symbols.function_of(0, 0x1031), "b") << "across another of its labels";
    EXPECT_EQ(symbols.function_of(0, 0x1041), "c.part");
    EXPECT_EQ(symbols.function_of(0, 0x1051), ".text");
    EXPECT_EQ(symbols.function_of(0, 0x1061), "ba.x");
}

TEST(Symbols, ThatAreTooFarBelowNameNothing) {
    Symbols symbols;
    ASSERT_TRUE(symbols.add("1000 first\n", 0).ok());
    EXPECT_EQ(symbols.name_of(0xFFFU), "");
    EXPECT_EQ(symbols.name_of(0x1000U + 0x10000U), "first+0x10000");
    EXPECT_EQ(symbols.name_of(0x1000U + 0x10001U), "");
    EXPECT_EQ(Symbols().name_of(0), "");
}

TEST(Symbols, OfAnElfFileAreItsOwnAndTheFileMayBeCutAnywhere) {
    Symbols symbols;
    ASSERT_TRUE(symbols.add_file("/proc/self/exe").ok());
    const auto address = reinterpret_cast<std::uintptr_t>(&sla_symbols_test_landmark);
    const auto start = reinterpret_cast<std::uintptr_t>(&__executable_start);
    const std::string by_offset = symbols.name_of(static_cast<std::uint32_t>(address - start));
    const std::string by_address = address >> 32 == 0 ? symbols.name_of(static_cast<std::uint32_t>(address)) : "";
    EXPECT_TRUE(by_offset == "sla_symbols_test_landmark" || by_address == "sla_symbols_test_landmark")
        << by_offset << " " << by_address;
    EXPECT_EQ(sla_symbols_test_landmark(6), 42);
    for (const std::size_t length : {4U, 5U, 16U, 52U, 64U, 200U}) {
        std::ifstream in("/proc/self/exe", std::ios::binary);
        std::string head(length, '\0');
        in.read(head.data(), static_cast<std::streamsize>(length));
        Symbols none;
        (void)none.add(head, 0);
        EXPECT_TRUE(none.empty()) << length;
    }
}

TEST(ReadableName, IsThatOfCPlusPlusOrTheSymbolItself) {
    EXPECT_EQ(readable_name("_ZN2ns1fEi"), "ns::f(int)");
    EXPECT_EQ(readable_name("main"), "main");
    EXPECT_EQ(readable_name("_Znonsense"), "_Znonsense");
    EXPECT_EQ(readable_name(""), "");
}

TEST(Symbols, ThatAreNoneOrAreNotThereAreRefusedWithTheReason) {
    Symbols symbols;
    EXPECT_THAT(symbols.add_file("/no/such/file").error().message, HasSubstr("cannot open symbols '/no/such/file'"));
    EXPECT_THAT(symbols.add_file("/dev/null").error().message, HasSubstr("has no symbols"));
    EXPECT_THAT(symbols.add_file("/dev/zero").error().message, HasSubstr("longer than"));
    EXPECT_THAT(symbols.add_file("/dev/null@zz").error().message, HasSubstr("the address to be added"));
    EXPECT_THAT(symbols.add_file("/dev/null@100000000").error().message, HasSubstr("the address to be added"));
    for (const char* line : {"", "name", "zz name", "1000", "1000 2000", "100000000 name", "1000 T U name", "1000 na(me",
                             "1000  \x01name", "-1 name"}) {
        Symbols none;
        ASSERT_TRUE(none.add(line, 0).ok());
        EXPECT_TRUE(none.empty()) << line;
    }
}

}  // namespace
}  // namespace sla::symbol
