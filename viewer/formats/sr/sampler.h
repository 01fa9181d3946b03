// Sampler: lanes as logic samples, one bit a lane, in order of time. A level is its level (unknown, as behind a loss:
// low), a span is high while any is open (a loss ends it, as in the store), everything else is high for the sample it falls into. A change within a sample is seen in that sample.
//
// Owner: the session's thread. Samples must be asked for from the first to the last.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/held_state.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sla::formats {

class Sampler {
public:
    // The range is that of the selection's events.
    Sampler(const store::Session& session, const analysis::Selection& selection, std::uint64_t rate_hz);

    [[nodiscard]] std::uint64_t samples() const { return samples_; }
    [[nodiscard]] std::size_t bytes_per_sample() const { return (lanes_.size() + 7) / 8; }
    [[nodiscard]] std::uint64_t events() const { return events_; }
    // Events that share a sample with an earlier one of their lane: the samples cannot tell them apart.
    [[nodiscard]] std::uint64_t merged() const { return merged_; }
    // Loss rows, and what they count.
    [[nodiscard]] std::uint64_t losses() const { return losses_; }
    [[nodiscard]] std::uint64_t lost() const { return lost_; }
    // The next `count` samples.
    std::string next(std::uint64_t count);

    // How many samples the selection's events would take at that rate.
    static double samples_at(const store::Session& session, const analysis::Selection& selection, double rate_hz);

private:
    struct State {
        const store::Lane* lane = nullptr;
        std::uint64_t at = 0;
        std::uint64_t end = 0;
        HeldState held;
        bool pulse = false;  // kinds that do not hold
        [[nodiscard]] bool is_high() const { return held.level == store::Level::kHigh || held.open.all() > 0; }
        std::uint64_t last_sample = ~std::uint64_t{0};
    };
    std::uint64_t sample_of(std::uint64_t tick) const;
    void fill(State& state, std::size_t bit, std::uint64_t count, std::string& out);
    void take(State& state, std::uint64_t sample);
    // With what holds where the range begins.
    [[nodiscard]] State state_of(const store::Lane& lane, std::optional<std::uint64_t> final_tick) const;

    const store::Session& session_;
    const analysis::Selection& selection_;
    std::uint64_t rate_hz_;
    std::vector<State> lanes_;
    std::int64_t zero_ps_ = 0;
    std::uint64_t samples_ = 0;
    std::uint64_t done_ = 0;
    std::uint64_t events_ = 0;
    std::uint64_t merged_ = 0;
    std::uint64_t losses_ = 0;
    std::uint64_t lost_ = 0;
};

}  // namespace sla::formats
