// Event-based sampling: says when another `period` of an event has happened, so that the place where it did can be noted. The
// period is given, or found for a wanted rate (sample_rate.h).
#pragma once

#include "emu/bus/clock.h"
#include "emu/bus/state_visitor.h"
#include "emu/pmc/events.h"
#include "emu/pmc/sample_rate.h"
#include "proto/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sla::pmc {

// One of the two is not 0.
struct SampleRequest {
    std::uint8_t event = 0;
    std::uint64_t period = 0;
    std::uint64_t per_second = 0;
};

// "16:10000", every 10000th event; "16:1000/s", about 1000 samples a second. The event is hexadecimal.
Result<SampleRequest> parse_sample(std::string_view text);

class Sampler {
public:
    using Now = std::function<bus::Nanoseconds()>;

    // From now on. The event is one that is offered (events.h), the period at least 1. Of a rate, `now` is the guest's time.
    static Result<Sampler> make(const SampleRequest& wanted, const Tally& tally, Now now);

    // One sample, however many periods went by since the last look.
    bool is_due(const Tally& now);
    [[nodiscard]] bool needs_models() const { return is_of_models(event_); }
    // Events between two samples; 0: not known yet.
    [[nodiscard]] std::uint64_t period() const { return period_; }
    // A period was found, or another one; take_news() says so to people, once.
    [[nodiscard]] bool has_news() const { return has_news_; }
    [[nodiscard]] std::string take_news();

    // Of a snapshot. Another request's state means nothing here: its name is the request.
    [[nodiscard]] std::string section() const;
    // When the next sample is due.
    void visit_state(bus::StateVisitor& state);
    // As if made now.
    void begin_again(const Tally& now);

private:
    Sampler(const SampleRequest& wanted, Now now)
        : event_(wanted.event), per_second_(wanted.per_second), period_(wanted.period), now_(std::move(now)) {}
    void keep_rate(const Tally& tally, std::uint64_t count);

    std::uint8_t event_;
    std::uint64_t per_second_;  // 0: the period is given
    std::uint64_t period_;
    Now now_;
    std::optional<SampleRate> rate_;
    std::uint64_t next_look_ = 0;  // at the clock: instructions
    std::uint64_t next_ = 0;
    bool has_news_ = false;
};

}  // namespace sla::pmc
