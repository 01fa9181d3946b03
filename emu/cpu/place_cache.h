// Where the n-th IN or OUT of a block of code stands, once found: a storm of port accesses comes from few places, and taking
// a block apart costs ten times as much as looking here.
//
// An entry holds for the code it was made from, byte by byte up to the access, and for the segment that code ran in: whoever
// asks brings the bytes that are there now.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sla::cpu {

class PlaceCache {
public:
    struct Key {
        std::uint32_t block = 0;  // linear address
        unsigned count = 0;
        bool out = false;
        std::uint32_t code_base = 0;
        bool code32 = false;

        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        std::uint8_t length = 0;  // of the code up to the access's end; 0: none
        std::uint8_t offset = 0;  // of the access in the block
        std::array<std::uint8_t, 62> code{};

        [[nodiscard]] bool holds(const Key& wanted, std::span<const std::uint8_t> now) const {
            return length != 0 && key == wanted && now.size() == length && std::equal(now.begin(), now.end(), code.begin());
        }
    };

    [[nodiscard]] Entry& slot(std::uint32_t block, unsigned count) {
        return entries_[(block ^ block >> 8 ^ count << 3) % entries_.size()];
    }

private:
    std::array<Entry, 256> entries_{};
};

}  // namespace sla::cpu
