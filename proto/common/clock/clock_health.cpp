#include "proto/common/clock/clock_health.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sla::time {
namespace {

constexpr double kSmallestJumpNs = 1000;

void add(std::string& out, const std::string& what) {
    out += (out.empty() ? "" : "; ") + what;
}

std::string times(std::uint64_t count) {
    return count == 1 ? "once" : fmt::format("{} times", count);
}

}  // namespace

std::optional<HealthWatch::Rate> HealthWatch::rate_between(const ClockSnapshot& first, const ClockSnapshot& last) {
    if (last.tick <= first.tick || last.monotonic_raw_ns <= first.monotonic_raw_ns) return std::nullopt;
    const auto ticks = static_cast<double>(last.tick - first.tick);
    const auto ns = static_cast<double>(last.monotonic_raw_ns) - static_cast<double>(first.monotonic_raw_ns);
    return Rate{ns / ticks, ((static_cast<double>(first.error_ticks) + last.error_ticks) / ticks + 1 / ns) * 1e9};
}

// Does the kernel's clock disagree with the interval's rate by more than errors and drift explain?
bool HealthWatch::jumped(const ClockSnapshot& snapshot) const {
    if (snapshot.tick <= last_.tick) return true;
    if (!rate_) return false;
    const double line = static_cast<double>(snapshot.tick - last_.tick) * rate_->ns_per_tick;
    const double ns = static_cast<double>(snapshot.monotonic_raw_ns) - static_cast<double>(last_.monotonic_raw_ns);
    const double readings = (static_cast<double>(snapshot.error_ticks) + last_.error_ticks) * rate_->ns_per_tick + 1;
    return std::abs(ns - line) > readings + kSmallestJumpNs + line * (rate_->error_ppb + kBelievableDriftPpb) * 1e-9;
}

void HealthWatch::begin_interval(const ClockSnapshot& snapshot) {
    anchor_ = last_ = snapshot;
    if (rate_) before_jump_ = rate_;
    rate_.reset();
}

// What looked like a jump was a change of rate when the counter goes on at another one.
void HealthWatch::judge_rate(const ClockSnapshot& snapshot) {
    const std::optional<Rate> newest = rate_between(last_, snapshot);
    rate_ = rate_between(*anchor_, snapshot);
    if (!newest || !rate_) return;
    if (before_jump_) {
        const double change_ppb = (before_jump_->ns_per_tick / rate_->ns_per_tick - 1) * 1e9;
        if (std::abs(change_ppb) > kBelievableDriftPpb + rate_->error_ppb + before_jump_->error_ppb) {
            ++health_.rate_changes;
            --health_.offset_changes;
            health_.rate_change_ppb = change_ppb;
        }
        before_jump_.reset();
        return;
    }
    // Ticks a nanosecond: the counter runs fast when a tick takes less time than it used to.
    const double drift_ppb = (rate_->ns_per_tick / newest->ns_per_tick - 1) * 1e9;
    health_.drift_ppb = std::abs(drift_ppb) > newest->error_ppb + rate_->error_ppb ? drift_ppb : 0;
}

void HealthWatch::on_snapshot(const ClockSnapshot& snapshot) {
    if (snapshot.stamp_ticks != 0) health_.stamp_ticks = snapshot.stamp_ticks;
    if (!anchor_) return begin_interval(snapshot);
    if (jumped(snapshot)) {
        ++health_.offset_changes;
        return begin_interval(snapshot);
    }
    judge_rate(snapshot);
    last_ = snapshot;
}

void HealthWatch::on_skew(const CoreSkew& skew) {
    if (skew.is_known()) health_.skew = skew;
}

void HealthWatch::on_reading(std::uint64_t tick) {
    if (tick < newest_reading_) ++health_.backward_steps;
    newest_reading_ = tick;
}

std::string ClockHealth::problem() const {
    std::string out;
    if (clock == StampClock::kTsc && !invariant) {
        add(out, "the TSC is not invariant: its rate may follow the processor's power states, and times with it");
    }
    if (skew.is_known() && !skew.bound.synchronized) {
        add(out, fmt::format("the cores' counters are up to {} ticks apart: order and times between threads, and of threads "
                             "that move between cores, are only as good as that",
                             skew.bound.ticks));
    }
    if (backward_steps > 0) add(out, "the clock went backwards on one thread " + times(backward_steps));
    if (offset_changes > 0) {
        add(out, "the clock jumped against CLOCK_MONOTONIC_RAW " + times(offset_changes) +
                     " (was the virtual machine moved or stopped?): times across a jump are wrong by its size");
    }
    if (rate_changes > 0) {
        add(out, fmt::format("the clock's rate changed {} (by {:+.0f} ppm the last time): it is no clock, start the agent "
                             "with SLA_CLOCK=raw",
                             times(rate_changes), rate_change_ppb / 1000));
    }
    return out;
}

std::string ClockHealth::text() const {
    std::string out = clock == StampClock::kMonotonicRaw ? "CLOCK_MONOTONIC_RAW" : "TSC";
    if (clock == StampClock::kTsc) out += invariant ? ", invariant" : ", not invariant";
    if (stamp_ticks > 0) add(out, fmt::format("a stamp costs {} ticks", stamp_ticks));
    if (clock == StampClock::kMonotonicRaw) {
        add(out, "one for all cores");
    } else if (!skew.is_known()) {
        add(out, "cores not compared");
    } else {
        add(out, fmt::format("{} cores {} {} ticks{}", skew.cores, skew.bound.synchronized ? "agree within" : "are up to",
                             skew.bound.ticks, skew.bound.synchronized ? "" : " apart"));
    }
    add(out, drift_ppb == 0 ? "no drift seen" : fmt::format("drift {:+.0f} ppb", drift_ppb));
    add(out, fmt::format("{} backward steps, {} jumps, {} changes of rate", backward_steps, offset_changes, rate_changes));
    return out;
}

}  // namespace sla::time
