#include "emu/pmc/sampler.h"

#include <fmt/format.h>

namespace sla::pmc {

Result<Sampler> Sampler::make(std::uint8_t event, std::uint64_t period, const Tally& now) {
    const auto count = count_of(event, now);
    if (!count) {
        return invalid_input(
            fmt::format("event {:02X}h cannot be sampled: it is not offered (see `sla-emu counters`)", event));
    }
    if (period == 0) return invalid_input("a sample after 0 events makes no sense; write for example 16h:10000");
    return Sampler(event, period, *count + period);
}

bool Sampler::is_due(const Tally& now) {
    const std::uint64_t count = *count_of(event_, now);
    if (count < next_) return false;
    next_ += (count - next_) / period_ * period_ + period_;
    return true;
}

void Sampler::visit_state(bus::StateVisitor& state) {
    state.field("next", next_);
}

void Sampler::begin_again(const Tally& now) {
    next_ = count_of(event_, now).value_or(0) + period_;
}

}  // namespace sla::pmc
