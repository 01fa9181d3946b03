// What an entry of the cache holds for: the code it was made from, and no byte more.
#include "emu/cpu/unicorn/access_cache.h"

#include <gtest/gtest.h>

#include <vector>

namespace sla::cpu {
namespace {

constexpr std::uint32_t kA20On = 0xFFFFFFFF;
constexpr std::uint32_t kA20Off = 0xFFEFFFFF;

TEST(AccessCache, AnEntryHoldsWhileEachByteOfItsCodeIsThereAndForNoOther) {
    std::vector<std::uint8_t> memory(128, 0x90);
    for (const std::size_t bytes : {1U, 5U, 7U, 8U, 9U, 16U, 63U, 64U}) {
        AccessCache::Entry entry;
        EXPECT_FALSE(entry.holds(kA20On)) << "made from nothing";
        ASSERT_TRUE(entry.make_from(memory, bytes, kA20On));
        EXPECT_TRUE(entry.holds(kA20On));
        EXPECT_FALSE(entry.holds(kA20Off)) << "addresses are others";
        for (std::size_t i = 0; i < memory.size(); ++i) {
            ++memory[i];
            EXPECT_EQ(entry.holds(kA20On), i >= bytes) << "byte " << i << " of " << bytes;
            --memory[i];
        }
    }
}

TEST(AccessCache, NothingIsReadBeyondTheEndOfMemory) {
    const std::vector<std::uint8_t> memory(15, 0x90);
    AccessCache::Entry entry;
    EXPECT_TRUE(entry.make_from(memory, 8, kA20On));
    EXPECT_FALSE(entry.make_from(memory, 9, kA20On));
}

}  // namespace
}  // namespace sla::cpu
