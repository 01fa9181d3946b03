#include "emu/bus/variation.h"

#include "proto/base/check.h"

namespace sla::bus {

// SplitMix64 (Steele, Lea, Flood 2014): one word of state, so that it is saved in one field.
std::int64_t Variation::between(std::int64_t least, std::int64_t most) {
    SLA_CHECK(on_ && least <= most);
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    mixed ^= mixed >> 31;
    const auto width = static_cast<unsigned __int128>(most - least) + 1;
    return least + static_cast<std::int64_t>(mixed * width >> 64);
}

void Variation::visit_state(StateVisitor& state) {
    if (!on_ || !state.optional_section("jitter")) return;
    state.field("next", state_);
}

}  // namespace sla::bus
