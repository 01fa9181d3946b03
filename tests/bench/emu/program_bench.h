// What recording costs in the whole of sla-emu, as people run it: the program itself, with an agent, by either clock.
#pragma once

#include <cstdint>
#include <vector>

namespace sla::bench {

using Image = std::vector<std::uint8_t>;

// A firmware image of accesses to one port, so many.
struct Storm {
    const char* what;
    std::uint32_t rounds;
    Image image;
};

// Prints a line for each clock: million accesses a second with no hooks, the default ones and all, their ratios, how many events were
// lost of how many, and the kernel's part with all: the library's thread makes rings beside, as much as it may have, once. What the
// process takes outside the kernel from its start to its end, the least of five rounds in which the selections take turns; each round has
// an agent of its own, on the other core.
void bench_program(const Storm& storm);

}  // namespace sla::bench
