// Random accesses of one chip: what programs write to it, and anything else its ports take.
#pragma once

#include "tests/integration/chips/qtest_pc.h"

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

namespace sla::chips {

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(engine_() % end); }
    std::uint8_t byte() { return static_cast<std::uint8_t>(engine_()); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    template <typename Values>
    auto of(const Values& values) {
        return values[below(static_cast<std::uint32_t>(std::size(values)))];
    }

private:
    std::mt19937_64 engine_;
};

struct Chip {
    std::string_view name;
    // Brings it to a state that both know.
    std::vector<Access> (*begin)();
    // One of the things that programs do to it.
    void (*next)(Random& random, std::vector<Access>& into);
    // Ours takes so long for it, in nanoseconds; QEMU's takes no time.
    std::int64_t settles = 0;
};

std::span<const Chip> chips();
}  // namespace sla::chips
