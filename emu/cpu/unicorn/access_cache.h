// Where the n-th IN or OUT of a block of code stands, once found: a storm of port accesses comes from few instructions, and
// taking a block apart costs ten times as much as looking here.
//
// An entry holds for the code it was made from, byte by byte up to the access or to the block's end, and for the segment that code ran
// in: whoever asks compares with what is there now. Code is compared by words, since a storm asks 20 million times a second.
#pragma once

#include "emu/bus/code_address.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
        std::uint32_t which = 0;  // twice its count, 1 more of an OUT; 0: none

        static constexpr std::uint32_t kOut = 1;
        static constexpr std::uint32_t kNext = 2;
        [[nodiscard]] unsigned count() const { return which / kNext; }
        [[nodiscard]] bool out() const { return (which & kOut) != 0; }
        bool operator==(const Access&) const = default;
    };
    class Entry {
    public:
        static constexpr std::size_t kMostBytes = 64;

        Access access;
        CodeSegment segment;
        bus::CodeAddress address;
        bool stays_in_segment = false;  // it is the whole block, and nothing in there goes to another code segment

        // Of so many bytes, 1 to kMostBytes; `memory`: from there on to the end of their region, which never moves, as addresses are with
        // that A20 mask. False: too near to the end.
        bool make_from(std::span<const std::uint8_t> memory, std::size_t bytes, std::uint32_t a20_mask) {
            last_word_ = (bytes - 1) / sizeof(std::uint64_t);
            const std::size_t in_words = (last_word_ + 1) * sizeof(std::uint64_t);
            if (memory.size() < in_words) return false;
            memory_ = memory.data();
            a20_mask_ = a20_mask;
            last_mask_ = ~std::uint64_t{0} >> 8 * (in_words - bytes);
            std::memcpy(code_.data(), memory_, in_words);
            return true;
        }
        // What it was made from is there now.
        [[nodiscard]] bool holds(std::uint32_t a20_mask) const {
            if (memory_ == nullptr || a20_mask != a20_mask_) return false;
            std::size_t at = 0;
            for (; at < last_word_; ++at) {
                if (word(at) != code_[at]) return false;
            }
            return ((word(at) ^ code_[at]) & last_mask_) == 0;
        }

    private:
        [[nodiscard]] std::uint64_t word(std::size_t index) const {
            std::uint64_t word = 0;
            std::memcpy(&word, memory_ + index * sizeof word, sizeof word);
            return word;
        }

        const std::uint8_t* memory_ = nullptr;  // null: made from nothing
        std::size_t last_word_ = 0;             // of the code
        std::uint64_t last_mask_ = 0;
        std::uint32_t a20_mask_ = 0;
        std::array<std::uint64_t, kMostBytes / sizeof(std::uint64_t)> code_{};
    };

    [[nodiscard]] Entry& slot(const Access& access) {
        return entries_[(access.block ^ access.block >> 8 ^ access.which << 2) % entries_.size()];
    }

private:
    std::array<Entry, 256> entries_{};
};

}  // namespace sla::cpu
