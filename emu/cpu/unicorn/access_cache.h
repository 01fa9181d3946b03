// Where the n-th IN or OUT of a block of code stands, once found: a storm of port accesses comes from few instructions, and
// taking a block apart costs ten times as much as looking here.
//
// An entry holds for the code it was made from, byte by byte up to the access or to the block's end, and for the segment that code ran
// in: whoever asks compares with what is there now.
#pragma once

#include "emu/bus/code_address.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sla::cpu {

// What decides how code at a linear address is read, and how its address is given.
struct CodeSegment {
    std::uint16_t selector = 0;
    std::uint32_t base = 0;
    bool code32 = false;

    bool operator==(const CodeSegment&) const = default;
    [[nodiscard]] bool is_of_real_mode() const { return base == std::uint32_t{selector} << 4 && !code32; }
};

class AccessCache {
public:
    struct Access {
        std::uint32_t block = 0;  // linear address
        unsigned count = 0;
        bool out = false;

        bool operator==(const Access&) const = default;
    };
    struct Entry {
        Access access;
        CodeSegment segment;
        bus::CodeAddress address;
        std::uint8_t length = 0;        // of the code; 0: none
        bool stays_in_segment = false;  // it is the whole block, and nothing in there goes to another code segment
        std::array<std::uint8_t, 63> code{};

        [[nodiscard]] bool is_made_from(std::span<const std::uint8_t> now) const {
            return now.size() == length && std::equal(now.begin(), now.end(), code.begin());
        }
    };

    [[nodiscard]] Entry& slot(const Access& access) {
        return entries_[(access.block ^ access.block >> 8 ^ access.count << 3) % entries_.size()];
    }

private:
    std::array<Entry, 256> entries_{};
};

}  // namespace sla::cpu
