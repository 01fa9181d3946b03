#include "emu/device/interrupt/lapic_timer.h"

#include <algorithm>

namespace sla::device {

namespace {

// A guest may ask for a timer of a few nanoseconds; faster than this it does not come.
constexpr bus::Nanoseconds kShortestPeriod = 1000;
constexpr std::uint32_t kDivideBits = 0x0B;

}  // namespace

LapicTimer::LapicTimer(bus::EventQueue& events, std::function<bool()> fires)
    : events_(events),
      timer_(events.add_timer([this](bus::Nanoseconds due) { fire(due); }, bus::kLapicTimer)),
      fires_(std::move(fires)) {}

void LapicTimer::reset() {
    initial_count_ = divide_ = 0;
    runs_ = false;
    events_.disarm(timer_);
}

void LapicTimer::count_from(std::uint32_t initial) {
    initial_count_ = initial;
    start();
}

void LapicTimer::divide_by(std::uint32_t code) {
    divide_ = code & kDivideBits;
    start();
}

bus::Nanoseconds LapicTimer::tick() const {
    const unsigned code = (divide_ & 3) | (divide_ >> 1 & 4);  // 7 divides by 1
    return kBusTick << (code == 7 ? 0 : code + 1);
}

bus::Nanoseconds LapicTimer::period() const {
    return std::max(initial_count_ * tick(), kShortestPeriod);
}

void LapicTimer::start() {
    start_ = events_.now();
    runs_ = initial_count_ != 0;
    if (!runs_) return events_.disarm(timer_);
    events_.arm(timer_, start_ + period());
}

// A machine that was held up goes on from now instead of making up for what it missed.
void LapicTimer::fire(bus::Nanoseconds due) {
    runs_ = fires_();
    if (!runs_) return;
    start_ = events_.now() - due > period() ? events_.now() : due;
    events_.arm(timer_, start_ + period());
}

std::uint32_t LapicTimer::count_at(bus::Nanoseconds now) const {
    if (!runs_) return 0;
    const bus::Nanoseconds passed = (now - start_) / tick();
    return passed >= initial_count_ ? 0 : static_cast<std::uint32_t>(initial_count_ - passed);
}

void LapicTimer::visit_state(bus::StateVisitor& state) {
    state.field("initial_count", initial_count_);
    state.show("current_count", count_at(events_.now() + state.ahead()));
    state.field("divide", divide_, kDivideBits);
    state.field("timer_start", start_);
    state.field("timer_runs", runs_);
}

}  // namespace sla::device
