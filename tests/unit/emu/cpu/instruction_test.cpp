#include "emu/cpu/instruction.h"

#include "emu/cpu/instruction_kinds.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::cpu {
namespace {

struct Sample {
    std::vector<std::uint8_t> bytes;
    std::size_t length16;
    std::size_t length32;
    std::uint16_t opcode;
};

// Lengths from NASM's disassembler.
const Sample kSamples[] = {
    {{0xE4, 0x60}, 2, 2, 0xE4},
    {{0x66, 0xED}, 2, 2, 0xED},
    {{0xF3, 0x6D}, 2, 2, 0x6D},
    {{0x2E, 0x8A, 0x04, 0x90, 0x90, 0x90}, 3, 4, 0x8A},
    {{0x8A, 0x06, 0x34, 0x12, 0x90, 0x90}, 4, 2, 0x8A},
    {{0x8B, 0x05, 0x78, 0x56, 0x34, 0x12}, 2, 6, 0x8B},
    {{0x8B, 0x44, 0x24, 0x08, 0x90}, 3, 4, 0x8B},
    {{0xB8, 0x78, 0x56, 0x34, 0x12}, 3, 5, 0xB8},
    {{0x66, 0xB8, 0x78, 0x56, 0x34, 0x12}, 6, 4, 0xB8},
    {{0xEA, 0x00, 0x00, 0x00, 0xF0, 0x90, 0x90}, 5, 7, 0xEA},
    {{0xC7, 0x06, 0x00, 0x06, 0x34, 0x12}, 6, 6, 0xC7},
    {{0xF7, 0xF1}, 2, 2, 0xF7},
    {{0xF6, 0xC3, 0x3F}, 3, 3, 0xF6},
    {{0xA1, 0x00, 0x06, 0x00, 0x00}, 3, 5, 0xA1},
    {{0x67, 0xA1, 0x00, 0x06, 0x00, 0x00}, 6, 4, 0xA1},
    {{0x0F, 0x22, 0x00}, 3, 3, 0x0F22},
    {{0x0F, 0x31}, 2, 2, 0x0F31},
    {{0x0F, 0xA2}, 2, 2, 0x0FA2},
    {{0x0F, 0x84, 0x00, 0x00, 0x00, 0x00}, 4, 6, 0x0F84},
    {{0x0F, 0xBA, 0xE0, 0x05}, 4, 4, 0x0FBA},
    {{0xC8, 0x10, 0x00, 0x00}, 4, 4, 0xC8},
    {{0xF4}, 1, 1, 0xF4},
};

// A guest's markers are VMCALL and VMMCALL, which lie between LGDT and LIDT.
TEST(Instruction, AGuestsCallOutCountsAsNoBranchAndNoSegment) {
    for (const std::uint8_t call : {0xC1, 0xD9}) {
        const auto found = decode(std::vector<std::uint8_t>{0x0F, 0x01, call}, true);
        ASSERT_TRUE(found);
        EXPECT_FALSE(counts_as_branch(*found)) << std::hex << int{call};
        EXPECT_FALSE(loads_segment(*found)) << std::hex << int{call};
    }
    const auto lidt = decode(std::vector<std::uint8_t>{0x0F, 0x01, 0x18}, true);
    ASSERT_TRUE(lidt);
    EXPECT_TRUE(counts_as_branch(*lidt));
    EXPECT_TRUE(loads_segment(*lidt));
}

TEST(Instruction, KnowsLengthAndOpcodeInBothSizesOfCode) {
    for (const Sample& sample : kSamples) {
        const auto in16 = decode(sample.bytes, false);
        const auto in32 = decode(sample.bytes, true);
        ASSERT_TRUE(in16 && in32) << std::hex << sample.opcode;
        EXPECT_EQ(in16->length, sample.length16) << std::hex << sample.opcode;
        EXPECT_EQ(in32->length, sample.length32) << std::hex << sample.opcode;
        EXPECT_EQ(in16->opcode, sample.opcode);
    }
}

TEST(Instruction, KnowsPrefixesAndHowOperandsAreNamed) {
    const auto load = decode(std::vector<std::uint8_t>{0x26, 0x66, 0x67, 0x8B, 0x44, 0x8B, 0x08}, false);
    ASSERT_TRUE(load);
    EXPECT_EQ(load->segment, std::optional(kEs));
    EXPECT_TRUE(load->wide && load->wide_address && load->prefixed && load->has_modrm && load->has_sib &&
                load->has_displacement);
    EXPECT_FALSE(load->has_immediate || load->locked || load->repeated);
    EXPECT_EQ(load->sib, 0x8B);
    const auto locked = decode(std::vector<std::uint8_t>{0xF0, 0x83, 0x07, 0x01}, true);
    ASSERT_TRUE(locked);
    EXPECT_TRUE(locked->locked && locked->has_immediate && locked->wide);
    EXPECT_FALSE(locked->has_displacement || locked->segment);
    EXPECT_TRUE(decode(std::vector<std::uint8_t>{0xF3, 0x6D}, false)->repeated);
}

TEST(Instruction, TellsWhatNoProcessorHasFromWhatIsTooLongOrCutOff) {
    Instruction found;
    EXPECT_EQ(decode(std::vector<std::uint8_t>(15, 0x66), false, found), Decoding::kTooLong);
    EXPECT_EQ(decode(std::vector<std::uint8_t>{0x0F, 0x0A, 0x90}, false, found), Decoding::kUnknown);
    EXPECT_EQ(decode(std::vector<std::uint8_t>{0xB8, 0x01}, true, found), Decoding::kTooShort);
    EXPECT_EQ(decode(std::vector<std::uint8_t>{0x90}, true, found), Decoding::kDone);
    EXPECT_EQ(decode(std::vector<std::uint8_t>{}, true, found), Decoding::kTooShort);
}

TEST(Instruction, GivesNothingWhenTheBytesEndTooSoon) {
    for (const Sample& sample : kSamples) {
        for (std::size_t cut = 0; cut < sample.length32; ++cut) {
            EXPECT_FALSE(decode(std::span(sample.bytes).first(cut), true)) << std::hex << sample.opcode << " cut to " << cut;
        }
    }
    EXPECT_FALSE(decode(std::vector<std::uint8_t>(20, 0x66), true)) << "prefixes without an end";
}

}  // namespace
}  // namespace sla::cpu
