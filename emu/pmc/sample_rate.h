// How many events shall go by between two samples, so that about so many samples come in a second of the guest's time.
//
//   first interval, up to 10 ms   no sample; what happens in it gives the first period
//   every 200 ms (or ten samples' time, if that is longer) what happened since moves it: half way, or at once where the rate is
//                                 four times another one; sooner once twice as many samples came as that time may have
//
// A change of less than a tenth is none, so that the period settles. Deterministic: the same events at the same times are the
// same periods.
#pragma once

#include "emu/bus/clock.h"
#include "emu/bus/state_visitor.h"

#include <cstdint>

namespace sla::pmc {

class SampleRate {
public:
    static constexpr std::uint64_t kMax = 1'000'000;  // samples a second

    SampleRate(std::uint64_t per_second, std::uint64_t count, bus::Nanoseconds now);

    // What is counted by now; true: the period is another one.
    bool look(std::uint64_t count, bus::Nanoseconds now);
    void note_sample() { ++samples_; }
    // 0: not known yet.
    [[nodiscard]] std::uint64_t period() const { return period_; }
    void visit_state(bus::StateVisitor& state);

private:
    [[nodiscard]] bool is_time(bus::Nanoseconds elapsed) const;
    bool choose(std::uint64_t rate);

    std::uint64_t wanted_;  // samples a second
    bus::Nanoseconds first_;
    bus::Nanoseconds interval_;
    std::uint64_t from_;      // the count at the begin of the present interval
    bus::Nanoseconds since_;  // when that was
    std::uint64_t samples_ = 0;
    std::uint64_t rate_ = 0;  // events a second, as of late
    std::uint64_t period_ = 0;
};

}  // namespace sla::pmc
