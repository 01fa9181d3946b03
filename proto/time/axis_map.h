// AxisMap: the ticks of a counter on an axis that is not its own: the wall clock of its host (UTC), or the clock of another
// host; each answer with a bound of its error.
//
// It is made of anchors: at `tick` the axis stood at axis_ns, give or take error_ns, each a bound by itself. Between two
// anchors the axis goes straight from one to the other. What may have happened there is bounded from both ends:
//
//     axis                          ┌──o anchor j      what is known at i is carried on, and what is known at j carried
//      │            ┌─ carried ─────┤                  back, both widened by what the rates can differ. The truth is in
//      │  i o───────┴───────────────┘                  one of the two wherever a jump lay, and in both if none did.
//      └───────────────────────────────── tick
//
// So a jump that nobody saw costs no bound. One that the anchors contradict each other about ends a segment: rates are
// learned within segments, a jump never bends the line beside it. Rates are taken to wander by no more than kWanderPpb about
// a segment's mean, and no counter to be off by more than kMaxDriftPpb. Value type; no I/O. Anchors may be hostile.
#pragma once

#include "proto/time/clock_map.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::time {

inline constexpr double kWanderPpb = 1'000;
inline constexpr double kMaxDriftPpb = 1'000'000;

struct AxisAnchor {
    std::uint64_t tick = 0;
    std::int64_t axis_ns = 0;
    std::int64_t error_ns = 0;
};

// Between these ticks the counter and the axis jumped against each other.
struct AxisJump {
    std::uint64_t from_tick = 0;
    std::uint64_t until_tick = 0;
    std::int64_t size_ns = 0;  // the axis went on by so much more than the counter
    std::int64_t error_ns = 0;
};

class AxisMap {
public:
    AxisMap() = default;
    // In any order; those that cannot be on one axis with the first are left out. `clock` is the counter's own.
    static AxisMap fit(std::vector<AxisAnchor> anchors, const ClockMap& clock);

    [[nodiscard]] bool empty() const { return knots_.empty(); }
    [[nodiscard]] std::uint64_t first_tick() const { return knots_.front().tick; }
    [[nodiscard]] std::uint64_t last_tick() const { return knots_.back().tick; }
    // Picoseconds on the axis count from here.
    [[nodiscard]] std::int64_t base_ns() const { return base_ns_; }

    // Never goes back where its argument does not.
    [[nodiscard]] std::int64_t to_ps(std::uint64_t tick) const;
    [[nodiscard]] std::int64_t error_ps(std::uint64_t tick) const;
    // The tick at that time of the axis; the error is that of error_ps there.
    [[nodiscard]] std::uint64_t to_tick(std::int64_t ps) const;

    [[nodiscard]] std::vector<std::uint64_t> anchor_ticks() const;
    // How much longer or shorter a short time may be on the axis than by the counter's own clock, jumps aside.
    [[nodiscard]] double stretch_ppb() const { return stretch_ppb_; }
    // How fast the counter goes against the axis, by the newest segment, and the error of that.
    [[nodiscard]] double drift_ppb() const;
    [[nodiscard]] double drift_error_ppb() const;
    [[nodiscard]] const std::vector<AxisJump>& jumps() const { return jumps_; }

private:
    // Of a segment: axis picoseconds a picosecond of the counter's, less one.
    struct Rate {
        double mean = 0;
        double error = 0;
    };
    struct Knot {
        std::uint64_t tick = 0;
        std::int64_t own_ps = 0;  // by the counter's clock
        std::int64_t axis_ps = 0;
        std::int64_t error_ps = 0;
        std::uint32_t segment = 0;
        double chord = 0;  // to the next knot, as Rate::mean
    };
    // The rates that anchors allow.
    struct RateRange {
        double low = -kMaxDriftPpb / 1e9;
        double high = kMaxDriftPpb / 1e9;

        void narrow(const Knot& from, const Knot& to);
        [[nodiscard]] bool is_possible() const { return low <= high; }
    };
    void add_knots(const std::vector<AxisAnchor>& anchors);
    RateRange find_segments(const RateRange& usual);
    void note_jump(std::size_t knot, const RateRange& range);
    [[nodiscard]] bool goes_on_otherwise(std::size_t knot) const;
    void find_chords();
    [[nodiscard]] std::size_t knot_before(std::uint64_t tick) const;
    [[nodiscard]] long double carried_error(const Knot& knot, long double distance_ps, double chord) const;

    ClockMap clock_;
    std::int64_t base_ns_ = 0;
    std::vector<Knot> knots_;
    std::vector<Rate> rates_;  // by segment
    std::vector<AxisJump> jumps_;
    double stretch_ppb_ = 0;
};

}  // namespace sla::time
