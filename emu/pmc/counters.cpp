#include "emu/pmc/counters.h"

#include "emu/pmc/events.h"

#include <fmt/format.h>

namespace sla::pmc {

void Counters::update(const Tally* tally, unsigned ring) {
    if (tally == nullptr) return;
    for (unsigned number = 0; number < counters_.size(); ++number) {
        Counter& counter = counters_[number];
        if (!counter.counting()) continue;
        const std::uint64_t now = *count_of(counter.event, *tally);
        const std::uint64_t by = now - counter.seen;
        counter.seen = now;
        if (by == 0 || !counter.counts_in(ring)) continue;
        const std::uint64_t sum = counter.value + by;
        counter.value = sum & kMask;
        if (!counter.pin_overflow) {
            observer_.pin(number, by, counter.value);
        } else if (sum > kMask) {
            observer_.pin(number, 1, counter.value);
            observer_.overflow();
        }
    }
}

std::uint64_t Counters::value_at(unsigned number, const Tally* tally, unsigned ring) const {
    const Counter& counter = counters_[number];
    if (tally == nullptr || !counter.counting() || !counter.counts_in(ring)) return counter.value;
    return (counter.value + *count_of(counter.event, *tally) - counter.seen) & kMask;
}

void Counters::write_cesr(std::uint64_t value, const Tally* tally) {
    cesr_ = value & 0xFFFFFFFF;
    for (unsigned number = 0; number < counters_.size(); ++number) {
        select(number, static_cast<std::uint32_t>(cesr_ >> (16 * number) & 0xFFFF), tally);
    }
}

void Counters::decode(Counter& counter, std::uint32_t bits, const Tally* tally) {
    counter.event = bits & 0x3F;
    counter.rings_012 = (bits >> 6 & 1) != 0;
    counter.ring_3 = (bits >> 7 & 1) != 0;
    counter.clocks = (bits >> 8 & 1) != 0;
    counter.pin_overflow = (bits >> 9 & 1) != 0;
    counter.offered = tally != nullptr && count_of(counter.event, *tally).has_value() && !counter.clocks;
    counter.of_models = counter.offered && is_of_models(counter.event);
}

void Counters::select(unsigned number, std::uint32_t bits, const Tally* tally) {
    Counter& counter = counters_[number];
    decode(counter, bits, tally);
    const Event* event = find_event(counter.event);
    if (counter.offered) counter.seen = *count_of(counter.event, *tally);
    if (counter.offered || (!counter.rings_012 && !counter.ring_3)) return;
    observer_.not_offered(fmt::format(
        "counter {} set to event {:02X}h ({}{}): not offered{}, it stands still", number, counter.event,
        event == nullptr ? "no such event" : event->name, counter.clocks ? ", clocks" : "",
        event != nullptr && event->offer != Offer::kNotOffered && !counter.clocks ? " by this CPU (x86emu counts)" : ""));
}

void Counters::visit_state(bus::StateVisitor& state, const Tally* tally) {
    state.field("cesr_11h", cesr_, 0xFFFFFFFF);
    state.field("ctr0_12h", counters_[0].value, kMask);
    state.field("ctr1_13h", counters_[1].value, kMask);
    for (unsigned i = 0; i < counters_.size(); ++i) {
        if (state.loads()) decode(counters_[i], static_cast<std::uint32_t>(cesr_ >> (16 * i) & 0xFFFF), tally);
        if (!state.shows())
            state.field(i == 0 ? "ctr0.seen" : "ctr1.seen", counters_[i].seen);  // no register of the Pentium
    }
}

}  // namespace sla::pmc
