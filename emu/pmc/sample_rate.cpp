#include "emu/pmc/sample_rate.h"

#include <algorithm>

namespace sla::pmc {

namespace {

constexpr bus::Nanoseconds kSecond = 1'000'000'000;
constexpr bus::Nanoseconds kMillisecond = 1'000'000;
constexpr std::uint64_t kFarOff = 4;    // times
constexpr std::uint64_t kSettled = 10;  // a part of the period

std::uint64_t rate_of(std::uint64_t events, bus::Nanoseconds elapsed) {
    return static_cast<std::uint64_t>(static_cast<double>(events) * static_cast<double>(kSecond) /
                                      static_cast<double>(elapsed));
}

}  // namespace

SampleRate::SampleRate(std::uint64_t per_second, std::uint64_t count, bus::Nanoseconds now)
    : wanted_(per_second), from_(count), since_(now) {
    const bus::Nanoseconds ten_samples = 10 * kSecond / static_cast<bus::Nanoseconds>(per_second);
    first_ = std::clamp(ten_samples, kMillisecond, 10 * kMillisecond);
    interval_ = std::max(ten_samples, 200 * kMillisecond);
}

bool SampleRate::is_time(bus::Nanoseconds elapsed) const {
    if (period_ == 0) return elapsed >= first_;
    const std::uint64_t due = wanted_ * static_cast<std::uint64_t>(interval_) / static_cast<std::uint64_t>(kSecond);
    return elapsed >= interval_ || (elapsed > 0 && samples_ > 2 * due);
}

bool SampleRate::look(std::uint64_t count, bus::Nanoseconds now) {
    const bus::Nanoseconds elapsed = now - since_;
    if (!is_time(elapsed)) return false;
    const std::uint64_t events = count - from_;
    if (period_ == 0 && events == 0) return false;  // nothing can be known yet
    const std::uint64_t rate = rate_of(events, elapsed);
    from_ = count;
    since_ = now;
    samples_ = 0;
    return choose(rate);
}

bool SampleRate::choose(std::uint64_t rate) {
    const bool far_off = period_ == 0 || rate > rate_ * kFarOff || (rate != 0 && rate < rate_ / kFarOff);
    rate_ = far_off ? rate : (rate_ + rate) / 2;
    const std::uint64_t period = std::max<std::uint64_t>(rate_ / wanted_, 1);
    const std::uint64_t change = std::max(period, period_) - std::min(period, period_);
    if (period_ != 0 && change * kSettled <= period_) return false;
    period_ = period;
    return true;
}

void SampleRate::visit_state(bus::StateVisitor& state) {
    state.field("from", from_);
    state.field("since", since_);
    state.field("samples", samples_);
    state.field("rate", rate_);
    state.field("period", period_);
}

}  // namespace sla::pmc
