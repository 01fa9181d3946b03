// Page tables as the processor walks them, and as somebody looks at them.
#include "emu/cpu/linear_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace sla::cpu {
namespace {

constexpr std::uint32_t kDirectory = 0x1000;
constexpr std::uint32_t kTable = 0x2000;
constexpr std::uint32_t kPageOfData = 0x5000;
constexpr std::uint32_t kLinear = 0x3000;
constexpr std::uint32_t kNoPage = 0x4000;
constexpr std::uint32_t kAccessed = 1U << 5;
constexpr std::uint32_t kDirty = 1U << 6;

class Pages : public testing::Test {
protected:
    Pages() {
        put(kDirectory, kTable | 3);
        put(kTable + (kLinear >> 12) * 4, kPageOfData | 3);
        put(kPageOfData, 0x12345678);
        state.cr0 = control::kProtectionEnable | control::kPaging;
        state.cr3 = kDirectory;
    }
    void put(std::uint32_t at, std::uint32_t value) { std::memcpy(ram.at(at, 4).data(), &value, 4); }
    std::uint32_t get(std::uint32_t at) {
        std::uint32_t value = 0;
        std::memcpy(&value, ram.at(at, 4).data(), 4);
        return value;
    }
    [[nodiscard]] std::uint32_t marks() {
        return (get(kDirectory) | get(kTable + (kLinear >> 12) * 4)) & (kAccessed | kDirty);
    }

    bus::Memory ram{std::size_t{2} << 20};
    PhysicalWrite write = [this](std::uint32_t address, std::span<const std::uint8_t> bytes) {
        std::copy(bytes.begin(), bytes.end(), ram.at(address, bytes.size()).begin());
    };
    X86State state;
};

TEST_F(Pages, ReadingAndWritingMarkWhatTheyPass) {
    LinearMemory memory(ram, write, state);
    EXPECT_EQ(memory.read(kLinear, 4), 0x12345678U);
    EXPECT_EQ(marks(), kAccessed);
    memory.write(kLinear, 1, 0x55);
    EXPECT_EQ(marks(), kAccessed | kDirty);
    EXPECT_EQ(memory.read(kNoPage, 1), 0U);
    ASSERT_TRUE(memory.fault());
    EXPECT_EQ(memory.fault()->address, kNoPage);
}

TEST_F(Pages, ALookMarksNothingAndFaultsNothing) {
    LinearMemory memory(ram, write, state);
    EXPECT_EQ(memory.peek(kLinear + 1), 0x56);
    EXPECT_EQ(memory.physical(kLinear + 2), kPageOfData + 2);
    EXPECT_EQ(memory.view(kLinear, 4).size(), 4U);
    EXPECT_EQ(memory.peek(kNoPage), std::nullopt);
    EXPECT_FALSE(memory.fault());
    EXPECT_EQ(memory.peek(kLinear), 0x78) << "one place without a page hides no other";
    EXPECT_EQ(marks(), 0U);
}

}  // namespace
}  // namespace sla::cpu
