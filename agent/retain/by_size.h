// Finds a channel that holds nearly the most, in constant time: when the memory is full, somebody has to give.
//
//   class   0 ... │ 80..95 │ 96..111 │ 112..127 │ 128..159 │ ...     a list of channels each,
//   bitmap    0   │   1    │    0    │    1     │    0     │         four to a power of two
//                                         ▲ biggest()
//
// The topmost list's members hold at least four fifths of what the biggest holds.
//
// One owner at a time (Retention, under its lock).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace sla::retain {

class BySize {
public:
    // Puts the channel where it belongs with this many bytes; 0 takes it out.
    void put(std::uint32_t channel, std::uint64_t bytes);
    [[nodiscard]] std::optional<std::uint32_t> biggest() const;

private:
    static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
    static constexpr std::uint32_t kClasses = 256;
    struct Node {
        std::uint32_t size_class = kNobody;
        std::uint32_t before = kNobody;
        std::uint32_t after = kNobody;
    };
    static std::uint32_t class_of(std::uint64_t bytes);
    void take_out(std::uint32_t channel);

    std::unordered_map<std::uint32_t, Node> nodes_;  // of channels that have bytes
    std::array<std::uint32_t, kClasses> first_ = all_nobody();
    std::array<std::uint64_t, kClasses / 64> occupied_{};

    static constexpr std::array<std::uint32_t, kClasses> all_nobody() {
        std::array<std::uint32_t, kClasses> none{};
        for (std::uint32_t& one : none) one = kNobody;
        return none;
    }
};

}  // namespace sla::retain
