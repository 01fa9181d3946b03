// A number that no other has: tells captures apart.
#pragma once

#include <cstdint>
#include <random>

namespace sla {

inline std::uint64_t random_id() {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

}  // namespace sla
