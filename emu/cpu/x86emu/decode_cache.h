// Instructions taken apart before, by where they stood: most code runs more than once, and comparing 16 bytes costs a tenth
// of taking them apart. An entry holds for the very bytes it was made of.
#pragma once

#include "emu/cpu/instruction.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sla::cpu {

class DecodeCache {
public:
    using Bytes = std::array<std::uint8_t, kMaxInstructionBytes + 1>;  // the last is 0
    struct Entry {
        Bytes bytes{};
        std::uint32_t address = 0;
        bool code32 = false;
        bool used = false;
        Decoding decoding = Decoding::kUnknown;
        Instruction found;
    };

    [[nodiscard]] const Entry& look_up(std::uint32_t address, bool code32, const Bytes& bytes) {
        Entry& entry = entries_[(address ^ address >> 12) % kEntries];
        if (entry.used && entry.address == address && entry.code32 == code32 && entry.bytes == bytes) return entry;
        entry = {bytes, address, code32, true, Decoding::kUnknown, {}};
        entry.decoding = decode(std::span(bytes).first(kMaxInstructionBytes), code32, entry.found);
        return entry;
    }

private:
    static constexpr std::size_t kEntries = 4096;
    std::vector<Entry> entries_{kEntries};
};

}  // namespace sla::cpu
