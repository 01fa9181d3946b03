#include "proto/time/axis_map.h"

#include "proto/time/picoseconds.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sla::time {
namespace {

constexpr double kBillion = 1e9;
constexpr double kWander = kWanderPpb / kBillion;
constexpr double kMaxDrift = kMaxDriftPpb / kBillion;
constexpr std::int64_t kRoundingPs = 1000;           // axes are read in nanoseconds
constexpr std::int64_t kMaxErrorNs = kMaxPs / 8000;  // a fortnight

}  // namespace

AxisMap AxisMap::fit(std::vector<AxisAnchor> anchors, const ClockMap& clock) {
    AxisMap map;
    map.clock_ = clock;
    std::stable_sort(anchors.begin(), anchors.end(),
                     [](const AxisAnchor& a, const AxisAnchor& b) { return a.tick < b.tick; });
    map.add_knots(anchors);
    if (map.empty()) return map;
    // First without knowing anything; then by what the longest segment says of the counter, so that a jump at the edge is none
    // of its rate.
    RateRange usual = map.find_segments({});
    usual.low = std::max(usual.low - kWander, -kMaxDrift);
    usual.high = std::min(usual.high + kWander, kMaxDrift);
    if (!map.jumps_.empty()) map.find_segments(usual);
    map.find_chords();
    return map;
}

void AxisMap::add_knots(const std::vector<AxisAnchor>& anchors) {
    if (anchors.empty()) return;
    base_ns_ = anchors.front().axis_ns;
    for (const AxisAnchor& anchor : anchors) {
        Knot knot;
        knot.tick = anchor.tick;
        knot.own_ps = clock_.to_ps(anchor.tick);
        std::int64_t since_base = 0;
        if (__builtin_sub_overflow(anchor.axis_ns, base_ns_, &since_base)) continue;
        if (__builtin_mul_overflow(since_base, kPicosecondsPerNanosecond, &knot.axis_ps)) continue;
        knot.error_ps = std::clamp<std::int64_t>(anchor.error_ns, 0, kMaxErrorNs) * kPicosecondsPerNanosecond;
        if (!knots_.empty() && knots_.back().tick == knot.tick) {
            if (knot.error_ps < knots_.back().error_ps) knots_.back() = knot;
            continue;
        }
        knots_.push_back(knot);
    }
}

void AxisMap::RateRange::narrow(const Knot& from, const Knot& to) {
    const auto own = static_cast<double>(static_cast<long double>(to.own_ps) - from.own_ps);
    if (own <= 0) return;
    const auto beyond = static_cast<double>(static_cast<long double>(to.axis_ps) - from.axis_ps) - own;
    const double errors = static_cast<double>(from.error_ps) + static_cast<double>(to.error_ps);
    low = std::max(low, (beyond - errors) / own - kWander);
    high = std::min(high, (beyond + errors) / own + kWander);
}

void AxisMap::note_jump(std::size_t knot, const RateRange& range) {
    const Knot& from = knots_[knot - 1];
    const Knot& to = knots_[knot];
    const auto own = static_cast<long double>(to.own_ps) - from.own_ps;
    const auto axis = static_cast<long double>(to.axis_ps) - from.axis_ps;
    const long double error = static_cast<long double>(from.error_ps) + to.error_ps + own * (range.high - range.low) / 2;
    const long double size = axis - own * (1 + (static_cast<long double>(range.low) + range.high) / 2);
    jumps_.push_back({from.tick, to.tick, nearest_whole(size / 1000), saturated(error / 1000)});
}

// The counter may really go at another rate from here on: three times in a row the same.
bool AxisMap::goes_on_otherwise(std::size_t knot) const {
    constexpr std::size_t kAgreeing = 3;
    if (knot + kAgreeing >= knots_.size()) return false;
    RateRange range;
    for (std::size_t i = knot; i < knot + kAgreeing; ++i) range.narrow(knots_[i], knots_[i + 1]);
    return range.is_possible();
}

// A segment ends where no rate fits any longer to its first anchor, its tightest one, the newest and the next. Returns the
// rates of the longest.
AxisMap::RateRange AxisMap::find_segments(const RateRange& usual) {
    rates_.clear();
    jumps_.clear();
    std::size_t first = 0;
    std::size_t tightest = 0;
    RateRange range = usual;
    RateRange longest = usual;
    std::int64_t most_ps = -1;
    const auto end_segment = [&](std::size_t next) {
        const bool is_alone = next == first + 1;
        rates_.push_back({(range.low + range.high) / 2, is_alone ? kMaxDrift : (range.high - range.low) / 2});
        if (knots_[next - 1].own_ps - knots_[first].own_ps > most_ps) longest = range;
        most_ps = std::max(most_ps, knots_[next - 1].own_ps - knots_[first].own_ps);
        first = tightest = next;
        range = usual;
    };
    for (std::size_t i = 1; i < knots_.size(); ++i) {
        const bool is_second = i == first + 1;
        RateRange narrowed = range;
        for (const std::size_t earlier : {first, tightest, i - 1}) narrowed.narrow(knots_[earlier], knots_[i]);
        if (!narrowed.is_possible() && is_second && goes_on_otherwise(first)) {
            narrowed = {};
            narrowed.narrow(knots_[first], knots_[i]);
        }
        if (!narrowed.is_possible()) {
            note_jump(i, range);
            end_segment(i);
        } else {
            range = narrowed;
            if (knots_[i].error_ps < knots_[tightest].error_ps) tightest = i;
        }
        knots_[i].segment = static_cast<std::uint32_t>(rates_.size());
    }
    end_segment(knots_.size());
    return longest;
}

// Where the axis went back it stands still instead, until it has come as far again; the error covers that.
void AxisMap::find_chords() {
    for (std::size_t i = 1; i < knots_.size(); ++i) {
        const std::int64_t back = knots_[i - 1].axis_ps - knots_[i].axis_ps;
        if (back <= 0) continue;
        knots_[i].axis_ps = knots_[i - 1].axis_ps;
        knots_[i].error_ps = std::min(knots_[i].error_ps + back, kMaxErrorNs * kPicosecondsPerNanosecond);
    }
    knots_.back().chord = rates_.back().mean;
    double stretch = std::abs(knots_.back().chord);
    for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
        const auto own = static_cast<long double>(knots_[i + 1].own_ps) - knots_[i].own_ps;
        const auto axis = static_cast<long double>(knots_[i + 1].axis_ps) - knots_[i].axis_ps;
        knots_[i].chord = own > 0 ? static_cast<double>(axis / own - 1) : 0;
        if (knots_[i].segment == knots_[i + 1].segment) stretch = std::max(stretch, std::abs(knots_[i].chord));
    }
    stretch_ppb_ = stretch * kBillion;
}

std::size_t AxisMap::knot_before(std::uint64_t tick) const {
    const auto later = [](std::uint64_t at, const Knot& knot) { return at < knot.tick; };
    const auto next = std::upper_bound(knots_.begin(), knots_.end(), tick, later);
    return next == knots_.begin() ? 0 : static_cast<std::size_t>(next - knots_.begin()) - 1;
}

std::int64_t AxisMap::to_ps(std::uint64_t tick) const {
    const Knot& knot = knots_[knot_before(tick)];
    const double slope = tick < knot.tick ? rates_[knot.segment].mean : knot.chord;
    const auto own = static_cast<long double>(clock_.to_ps(tick)) - knot.own_ps;
    return nearest_whole(static_cast<long double>(knot.axis_ps) + own * (1 + static_cast<long double>(slope)));
}

long double AxisMap::carried_error(const Knot& knot, long double distance_ps, double chord) const {
    const Rate& rate = rates_[knot.segment];
    const double grows = rate.error + std::abs(chord - rate.mean);
    return static_cast<long double>(knot.error_ps) + std::fabs(distance_ps) * static_cast<long double>(grows);
}

std::int64_t AxisMap::error_ps(std::uint64_t tick) const {
    const std::size_t at = knot_before(tick);
    const Knot& knot = knots_[at];
    const auto own = static_cast<long double>(clock_.to_ps(tick));
    if (tick == knot.tick) return saturated(static_cast<long double>(knot.error_ps) + kRoundingPs);
    const bool is_outside = tick < knot.tick || at + 1 == knots_.size();
    const double chord = is_outside ? rates_[knot.segment].mean : knot.chord;
    long double error = carried_error(knot, own - knot.own_ps, chord);
    if (is_outside) error += static_cast<long double>(clock_.breaks_between(knot.tick, tick));
    if (!is_outside) error = std::max(error, carried_error(knots_[at + 1], knots_[at + 1].own_ps - own, chord));
    return saturated(error + kRoundingPs);
}

std::uint64_t AxisMap::to_tick(std::int64_t ps) const {
    const auto later = [](std::int64_t at, const Knot& knot) { return at < knot.axis_ps; };
    const auto next = std::upper_bound(knots_.begin(), knots_.end(), ps, later);
    const Knot& knot = next == knots_.begin() ? *next : *(next - 1);
    const double slope = next == knots_.begin() ? rates_[knot.segment].mean : knot.chord;
    const long double axis = static_cast<long double>(ps) - knot.axis_ps;
    return clock_.to_tick(
        nearest_whole(static_cast<long double>(knot.own_ps) + axis / (1 + static_cast<long double>(slope))));
}

std::vector<std::uint64_t> AxisMap::anchor_ticks() const {
    std::vector<std::uint64_t> ticks;
    for (const Knot& knot : knots_) ticks.push_back(knot.tick);
    return ticks;
}

double AxisMap::drift_ppb() const {
    return -rates_.back().mean * kBillion;
}
double AxisMap::drift_error_ppb() const {
    return rates_.back().error * kBillion;
}

}  // namespace sla::time
