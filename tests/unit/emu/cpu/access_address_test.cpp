// Code with the registers and EIP that a CPU has at an access, and where the instruction is found to be.
#include "emu/cpu/kvm/access_address.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace sla::cpu {
namespace {

constexpr std::uint32_t kCode = 0x1000;
constexpr std::uint32_t kChip = 0x8000;

// Real mode, all segments at 0.
class AccessPlace : public testing::Test {
protected:
    AccessPlace() {
        state.segments[kCs].limit = 0xFFFF;
        state.general[kEbx] = kChip;
        state.general[kEdi] = kChip + 4;
        state.general[kEdx] = 0x3F8;
    }
    // Puts code down; EIP so many bytes behind its start.
    void code(const std::vector<std::uint8_t>& bytes, std::uint32_t eip) {
        std::copy(bytes.begin(), bytes.end(), ram.at(kCode, bytes.size()).begin());
        state.eip = kCode + eip;
    }
    template <typename Access, typename... Rest>
    std::optional<std::uint32_t> place(const Access& access, Rest... rest) {
        LinearMemory memory(ram, write, state);
        const auto found = address_of(access, state, memory, rest...);
        return found ? std::optional(*found - kCode) : std::nullopt;
    }

    bus::Memory ram{bus::Memory::kMegabyte};
    PhysicalWrite write = [](std::uint32_t, std::span<const std::uint8_t>) {};
    X86State state;
};

using Place = std::optional<std::uint32_t>;

TEST_F(AccessPlace, OfInIsAtEipAndOfOutBehindOrAtIt) {
    code({0xE4, 0x60, 0x90}, 0);
    EXPECT_EQ(place(PortAccess{false, 1, 0x60}, true), Place(0));
    EXPECT_EQ(place(PortAccess{false, 1, 0x61}, true), Place()) << "another port";
    code({0x90, 0x66, 0xEF, 0x90}, 3);
    EXPECT_EQ(place(PortAccess{true, 4, 0x3F8}, true), Place(1)) << "with its prefix";
    EXPECT_EQ(place(PortAccess{true, 1, 0x3F8}, true), Place()) << "another width";
    code({0x90, 0xEE, 0x90}, 1);
    EXPECT_EQ(place(PortAccess{true, 1, 0x3F8}, false), Place(1));
}

TEST_F(AccessPlace, OfReadsIsAtEip) {
    code({0x66, 0x8B, 0x07, 0x90}, 0);  // MOV EAX, [BX]
    EXPECT_EQ(place(MemoryAccess{false, 4, kChip}), Place(0));
    EXPECT_EQ(place(MemoryAccess{false, 4, kChip + 8}), Place()) << "not what it names";
}

TEST_F(AccessPlace, OfWritesIsBehindTheirInstruction) {
    code({0x90, 0x66, 0x89, 0x07, 0x90}, 4);  // MOV [BX], EAX
    EXPECT_EQ(place(MemoryAccess{true, 4, kChip}), Place(1));
    EXPECT_EQ(place(MemoryAccess{true, 2, kChip}), Place(2)) << "as if 66h ended another one";
    code({0x90, 0x8B, 0x07, 0x90}, 3);
    EXPECT_EQ(place(MemoryAccess{true, 2, kChip}), Place()) << "MOV AX, [BX] writes no memory";
    code({0x90, 0x83, 0x3F, 0x01, 0x90}, 4);
    EXPECT_EQ(place(MemoryAccess{true, 2, kChip}), Place()) << "CMP neither";
}

TEST_F(AccessPlace, OfStringWritesFollowsTheRegistersThatMoved) {
    code({0x90, 0xAB, 0x90}, 2);  // STOSW, DI was 2 less
    EXPECT_EQ(place(MemoryAccess{true, 2, kChip + 2}), Place(1));
    state.eflags |= 1U << 10;
    EXPECT_EQ(place(MemoryAccess{true, 2, kChip + 6}), Place(1));
    state.eflags = 2;
    code({0x90, 0xF3, 0xAB, 0x90}, 1);
    EXPECT_EQ(place(MemoryAccess{true, 2, kChip + 2}), Place(1)) << "a repeated one stays where it is";
}

TEST_F(AccessPlace, IsNotGuessedWhereTwoInstructionsFit) {
    code({0x3E, 0x89, 0x07, 0x90}, 3);  // DS: MOV [BX], AX; or MOV [BX], AX behind something that ends in 3Eh
    EXPECT_EQ(place(MemoryAccess{true, 2, kChip}), Place());
    code({0xAB, 0xF3, 0xAB, 0x90}, 1);  // a STOSW that ran, or a repeated one that goes on
    EXPECT_EQ(place(MemoryAccess{true, 2, kChip + 2}), Place());
}

TEST_F(AccessPlace, OfNoCodeIsNone) {
    state.eip = 0;
    std::fill_n(ram.at(0, 64).begin(), 64, std::uint8_t{0x66});
    EXPECT_EQ(place(MemoryAccess{true, 4, kChip}), Place());
    EXPECT_EQ(place(MemoryAccess{false, 4, kChip}), Place());
    EXPECT_EQ(place(PortAccess{true, 1, 0x80}, true), Place());
}

}  // namespace
}  // namespace sla::cpu
