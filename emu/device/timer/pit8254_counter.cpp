#include "emu/device/timer/pit8254_counter.h"

namespace sla::device {

namespace {

constexpr std::uint8_t kStatusOut = 0x80;
constexpr std::uint8_t kStatusNullCount = 0x40;

std::uint32_t from_bcd(std::uint16_t bcd) {
    return (bcd >> 12 & 15) * 1000U + (bcd >> 8 & 15) * 100U + (bcd >> 4 & 15) * 10U + (bcd & 15U);
}

std::uint16_t to_bcd(std::uint32_t number) {
    return static_cast<std::uint16_t>(number / 1000 % 10 << 12 | number / 100 % 10 << 8 | number / 10 % 10 << 4 |
                                      number % 10);
}

}  // namespace

void Pit8254Counter::write_control(Tick, std::uint8_t control) {
    const std::uint8_t mode = control >> 1 & 7;
    mode_ = mode >= 6 ? mode - 4 : mode;  // X10 and X11: bit 2 does not matter
    written_mode_ = mode;
    bcd_ = (control & 1) != 0;
    access_ = static_cast<Access>(control >> 4 & 3);
    loaded_ = running_ = read_high_next_ = low_until_load_ = false;
    frozen_ = 0;
    next_period_.reset();
    written_low_.reset();
    latched_count_.reset();
    latched_status_.reset();
}

void Pit8254Counter::write_count(Tick now, std::uint8_t byte) {
    advance(now);
    if (access_ == Access::kLow) return take_count(now, byte);
    if (access_ == Access::kHigh) return take_count(now, static_cast<std::uint16_t>(byte << 8));
    if (!written_low_) {
        written_low_ = byte;
        if (mode_ == 0) {  // the first byte stops the counting
            frozen_ = 0;
            loaded_ = running_ = false;
        }
        return;
    }
    const auto written = static_cast<std::uint16_t>(byte << 8 | *written_low_);
    written_low_.reset();
    take_count(now, written);
}

void Pit8254Counter::take_count(Tick now, std::uint16_t written) {
    std::uint32_t period = bcd_ ? from_bcd(written) : written;
    if (period == 0) period = bcd_ ? 10000 : 65536;
    const bool first = !loaded_;
    loaded_ = true;
    if (is_gate_started() || (is_periodic() && !first)) {
        next_period_ = period;
        return;
    }
    load(now, period);
}

// The counting element takes a new count with the next tick.
void Pit8254Counter::load(Tick now, std::uint32_t period) {
    low_until_load_ = mode_ == 1 && !output(now);
    period_ = period;
    next_period_.reset();
    start_ = now + 1;
    frozen_ = 0;
    running_ = gate_ || is_gate_started();
}

// A count written during a period of modes 2 and 3 counts from the period's end.
void Pit8254Counter::advance(Tick now) {
    if (!is_periodic() || !running_ || now < start_ + period_) return;
    if (!next_period_) {
        start_ += (now - start_) / period_ * period_;
        return;
    }
    start_ += period_;
    period_ = *next_period_;
    next_period_.reset();
    advance(now);
}

void Pit8254Counter::set_gate(Tick now, bool high) {
    if (gate_ == high) return;
    advance(now);
    gate_ = high;
    if (!loaded_) return;
    if (is_gate_started() || is_periodic()) {
        if (high) {
            load(now, next_period_.value_or(static_cast<std::uint32_t>(period_)));
        } else if (is_periodic()) {
            frozen_ = 0;
            running_ = false;
        }
        return;
    }
    if (high) {
        start_ = now - frozen_;
    } else {
        frozen_ = now - start_;
    }
    running_ = high;
}

bool Pit8254Counter::output(Tick now) const {
    const Tick passed = elapsed(now);
    switch (mode_) {
        case 0: return loaded_ && passed >= period_;
        case 1: return !running_ || passed >= period_ || (passed < 0 && !low_until_load_);
        case 2:
        case 3: return !running_ || passed < 0 || passed % period_ < high_ticks();
        default: return !loaded_ || passed != period_ || (mode_ == 5 && !running_);
    }
}

std::optional<Pit8254Counter::Tick> Pit8254Counter::next_edge(Tick now) const {
    if (!running_) return std::nullopt;
    const Tick passed = elapsed(now);
    if (is_periodic()) {
        if (high_ticks() == 0 || high_ticks() == period_) return std::nullopt;
        if (passed < 0) return start_ + high_ticks();
        const Tick begin = now - passed % period_;
        return now - begin < high_ticks() ? begin + high_ticks() : begin + period_;
    }
    if (mode_ == 1 && passed < 0 && !low_until_load_) return start_;
    if (passed < period_) return start_ + period_;
    if (mode_ >= 4 && passed == period_) return start_ + period_ + 1;
    return std::nullopt;
}

std::uint16_t Pit8254Counter::count(Tick now) const {
    const Tick passed = elapsed(now) < 0 ? 0 : elapsed(now);
    const Tick modulus = bcd_ ? 10000 : 65536;
    Tick value = ((period_ - passed) % modulus + modulus) % modulus;
    if (mode_ == 2) value = period_ - passed % period_;
    if (mode_ == 3) {  // two at a time, twice a period
        const Tick position = passed % period_;
        value = (period_ & ~Tick{1}) - 2 * (position < high_ticks() ? position : position - high_ticks());
    }
    value %= modulus;
    return bcd_ ? to_bcd(static_cast<std::uint32_t>(value)) : static_cast<std::uint16_t>(value);
}

std::uint8_t Pit8254Counter::status(Tick now) const {
    const bool null_count = !loaded_ || next_period_.has_value() || (running_ && now < start_);
    return static_cast<std::uint8_t>((output(now) ? kStatusOut : 0) | (null_count ? kStatusNullCount : 0) |
                                     static_cast<unsigned>(access_) << 4 | written_mode_ << 1 | (bcd_ ? 1 : 0));
}

void Pit8254Counter::latch_count(Tick now) {
    advance(now);
    if (!latched_count_) latched_count_ = count(now);
}

void Pit8254Counter::latch_status(Tick now) {
    advance(now);
    if (!latched_status_) latched_status_ = status(now);
}

std::uint8_t Pit8254Counter::read(Tick now) {
    advance(now);
    if (latched_status_) {
        const std::uint8_t value = *latched_status_;
        latched_status_.reset();
        return value;
    }
    const std::uint16_t value = latched_count_.value_or(count(now));
    const bool high_byte = access_ == Access::kHigh || (access_ == Access::kBoth && read_high_next_);
    if (access_ == Access::kBoth) read_high_next_ = !read_high_next_;
    if (access_ != Access::kBoth || !read_high_next_) latched_count_.reset();
    return static_cast<std::uint8_t>(high_byte ? value >> 8 : value);
}

void Pit8254Counter::visit_state(bus::StateVisitor& state) {
    constexpr Tick kMaxTick = Tick{1} << 45;  // a year
    constexpr Tick kMaxPeriod = 65536;
    state.field("mode", mode_, 5);
    state.field("written_mode", written_mode_, 7);
    state.field("bcd", bcd_);
    state.field("rw", access_, static_cast<unsigned>(Access::kBoth));
    state.field("gate", gate_);
    state.field("loaded", loaded_);
    state.field("counts", running_);
    state.field("start_tick", start_, kMaxTick, -kMaxTick);
    state.field("stopped_at", frozen_, kMaxTick, -kMaxTick);
    state.field("reload", period_, kMaxPeriod, 1);
    state.field("low_until_load", low_until_load_);
    state.field("next_reload", next_period_, kMaxPeriod, 1U);
    state.field("written_low", written_low_);
    state.field("read_high_next", read_high_next_);
    state.field("latched_count", latched_count_);
    state.field("latched_status", latched_status_);
}

void Pit8254Counter::show_now(bus::StateVisitor& state, Tick now) const {
    state.show("count", count(now));
    state.show("out", output(now));
}

}  // namespace sla::device
