// Event-based sampling: says when another `period` of an event has happened, so that the place where it did can be noted.
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/pmc/events.h"
#include "proto/base/result.h"

#include <cstdint>

namespace sla::pmc {

class Sampler {
public:
    // From now on. The event is one that is offered (events.h), the period at least 1.
    static Result<Sampler> make(std::uint8_t event, std::uint64_t period, const Tally& now);

    // One sample, however many periods went by since the last look.
    bool is_due(const Tally& now);
    [[nodiscard]] bool needs_models() const { return is_of_models(event_); }

    // When the next sample is due.
    void visit_state(bus::StateVisitor& state);
    // As if made now.
    void begin_again(const Tally& now);

private:
    Sampler(std::uint8_t event, std::uint64_t period, std::uint64_t next) : event_(event), period_(period), next_(next) {}

    std::uint8_t event_;
    std::uint64_t period_;
    std::uint64_t next_;
};

}  // namespace sla::pmc
