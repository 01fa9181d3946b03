// Sorted lists of keys, merged two and two until one is left.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sla::drain {

inline constexpr std::uint64_t kEndMark = std::numeric_limits<std::uint64_t>::max();  // no key is so big

struct KeyList {
    std::uint64_t* keys;  // the end mark behind the last
    std::size_t count;
};

// Lists that lie one behind the other in the first of two buffers, at least one. All their keys, in order, in either.
const std::uint64_t* merge_lists(std::vector<KeyList>& lists, std::array<std::vector<std::uint64_t>, 2>& buffers);

}  // namespace sla::drain
