// How many of something: sums, and words for people.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace sla {

// So many more. A sum that cannot be counted any more stays at the largest number, where wrapping would make few of many.
constexpr void add_up(std::uint64_t& sum, std::uint64_t more) {
    sum += std::min(more, ~sum);
}

// "1 channel", "3 channels".
inline std::string how_many(std::uint64_t number, std::string_view one) {
    return std::to_string(number) + " " + std::string(one) + (number == 1 ? "" : "s");
}

}  // namespace sla
