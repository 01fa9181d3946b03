// How many of something, for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sla {

// "1 channel", "3 channels".
inline std::string how_many(std::uint64_t number, std::string_view one) {
    return std::to_string(number) + " " + std::string(one) + (number == 1 ? "" : "s");
}

}  // namespace sla
