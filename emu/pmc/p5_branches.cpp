#include "emu/pmc/p5_branches.h"

namespace sla::pmc {

namespace {

constexpr std::uint8_t kWeaklyTaken = 2;
constexpr std::uint8_t kStronglyTaken = 3;

}  // namespace

void P5Branches::near_branch(std::uint32_t address, bool taken, std::uint32_t target) {
    auto* const entry = buffer_.find(address);
    if (entry != nullptr) ++counts_.btb_hits;
    if (entry != nullptr || taken) ++counts_.taken_or_btb_hits;
    const bool expected = entry != nullptr && entry->state.strength >= kWeaklyTaken;
    if (expected != taken || (taken && entry->state.target != target)) flush();
    if (entry == nullptr) {
        if (taken) buffer_.insert(address, {kStronglyTaken, target});
        return;
    }
    Prediction& next = entry->state;
    if (taken && next.strength < kStronglyTaken) ++next.strength;
    if (!taken && next.strength > 0) --next.strength;
    if (taken) next.target = target;
}

void P5Branches::visit_state(bus::StateVisitor& state) {
    constexpr unsigned kStrongest = 3;
    buffer_.visit_state(state, [&state](Prediction& prediction) {
        state.field("strength", prediction.strength, kStrongest);
        state.field("target", prediction.target);
    });
}

}  // namespace sla::pmc
