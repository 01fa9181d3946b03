#include "emu/device/timer/rtc_mc146818.h"

#include "emu/device/timer/rtc_calendar.h"
#include "proto/base/check.h"

#include <algorithm>

namespace sla::device {

namespace {

constexpr std::uint8_t kUip = 0x80;
constexpr std::uint8_t kDividerMask = 0x70;
constexpr std::uint8_t kDividerRuns = 0x20;  // DV: the 32768 Hz crystal
constexpr std::uint8_t kRateMask = 0x0F;
constexpr std::uint8_t kSet = 0x80;
constexpr std::uint8_t kRtcPeriodic = 0x40;  // PIE of B, PF of C
constexpr std::uint8_t kAlarm = 0x20;
constexpr std::uint8_t kUpdate = 0x10;
constexpr std::uint8_t kIrqf = 0x80;
constexpr std::uint8_t kVrt = 0x80;

}  // namespace

RtcMc146818::RtcMc146818(bus::EventQueue& events, bus::IrqLine irq, std::int64_t power_on)
    : events_(events),
      irq_(irq),
      timer_(events.add_timer(
          [this](bus::Nanoseconds) {
              advance(crystal_.ticks_at(events_.now()));
              follow_interrupt();
          },
          bus::irq_line_bit(irq.number()))) {
    memory_[kRtcA] = 0x26;  // the crystal, 1024 periodic edges a second
    memory_[kRtcB] = kRtc24Hours;
    memory_[kRtcD] = kVrt;
    seen_ = crystal_.ticks_at(events_.now());
    next_update_ = seen_ + kHertz;
    divider_start_ = seen_;
    RtcCalendar(memory_).set(power_on);
}

void RtcMc146818::reset() {
    advance(crystal_.ticks_at(events_.now()));
    memory_[kRtcB] &= static_cast<std::uint8_t>(~(kRtcPeriodic | kAlarm | kUpdate));
    memory_[kRtcC] = 0;
    index_ = 0;
    nmi_enabled_ = true;
    follow_interrupt();
}

void RtcMc146818::store(unsigned index, std::uint8_t value) {
    SLA_CHECK(index >= kRtcFirstStored && index < kBytes);
    memory_[index] = value;
}

void RtcMc146818::set_error(std::int64_t parts_per_million, std::int64_t ticks) {
    crystal_.set_error(parts_per_million, 1000 * ticks);
    seen_ = crystal_.ticks_at(events_.now());
}

std::uint32_t RtcMc146818::read_port(std::uint16_t port, bus::Width) {
    if (port == kIndexPort) return 0xFF;  // write only
    return read(index_);
}

void RtcMc146818::write_port(std::uint16_t port, bus::Width, std::uint32_t value) {
    if (port == kDataPort) return write(index_, static_cast<std::uint8_t>(value));
    nmi_enabled_ = (value & 0x80) == 0;
    index_ = value & 0x7F;
}

std::uint8_t RtcMc146818::read(unsigned index) {
    if (index >= kRtcFirstStored && index != kRtcCentury) return memory_[index];
    const Tick now = crystal_.ticks_at(events_.now());
    advance(now);
    std::uint8_t value = memory_[index];
    if (index == kRtcA && update_in_progress(now)) value |= kUip;
    if (index == kRtcC) memory_[kRtcC] = 0;
    follow_interrupt();
    return value;
}

void RtcMc146818::write(unsigned index, std::uint8_t value) {
    if (index == kRtcC || index == kRtcD) return;
    advance(crystal_.ticks_at(events_.now()));
    if (index == kRtcA) {
        write_a(value);
    } else if (index == kRtcB) {
        memory_[kRtcB] = (value & kSet) != 0 ? static_cast<std::uint8_t>(value & ~kUpdate) : value;  // SET clears UIE
    } else {
        memory_[index] = value;
    }
    follow_interrupt();
}

// Leaving the divider's reset, the first update comes half a second later.
void RtcMc146818::write_a(std::uint8_t value) {
    const bool ran = divider_runs();
    memory_[kRtcA] = value & ~kUip;
    if (ran || !divider_runs()) return;
    divider_start_ = seen_;
    next_update_ = seen_ + kHertz / 2;
}

bool RtcMc146818::divider_runs() const {
    return (memory_[kRtcA] & kDividerMask) == kDividerRuns;
}

// The chip says for 244 us (8 ticks) ahead that an update comes.
bool RtcMc146818::update_in_progress(Tick now) const {
    constexpr Tick kWarning = 8;
    return divider_runs() && (memory_[kRtcB] & kSet) == 0 && next_update_ - now <= kWarning;
}

RtcMc146818::Tick RtcMc146818::period() const {
    const unsigned rate = memory_[kRtcA] & kRateMask;
    if (rate == 0 || !divider_runs()) return 0;
    return Tick{1} << (rate <= 2 ? rate + 6 : rate - 1);  // 1 and 2 repeat 8 and 9
}

void RtcMc146818::advance(Tick now) {
    if (now <= seen_) return;
    if (const Tick edges = period(); edges != 0) {
        if ((now - divider_start_) / edges != (seen_ - divider_start_) / edges) memory_[kRtcC] |= kRtcPeriodic;
    }
    if (!divider_runs()) next_update_ = now + kHertz;
    RtcCalendar calendar(memory_);
    for (; next_update_ <= now; next_update_ += kHertz) {
        if ((memory_[kRtcB] & kSet) != 0) continue;
        calendar.count_one_second();
        memory_[kRtcC] |= kUpdate;
        if (calendar.alarm_matches()) memory_[kRtcC] |= kAlarm;
    }
    seen_ = now;
}

void RtcMc146818::follow_interrupt() {
    const bool asks = (memory_[kRtcC] & memory_[kRtcB] & (kRtcPeriodic | kAlarm | kUpdate)) != 0;
    memory_[kRtcC] = static_cast<std::uint8_t>((memory_[kRtcC] & ~kIrqf) | (asks ? kIrqf : 0));
    irq_.set(asks);
    Tick next = 0;
    const Tick edges = period();
    if ((memory_[kRtcB] & kRtcPeriodic) != 0 && edges != 0) {
        next = divider_start_ + ((seen_ - divider_start_) / edges + 1) * edges;
    }
    if ((memory_[kRtcB] & (kAlarm | kUpdate)) != 0 && divider_runs())
        next = next == 0 ? next_update_ : std::min(next, next_update_);
    if (asks || next == 0) return events_.disarm(timer_);  // nothing changes for the CPU until C is read
    events_.arm(timer_, crystal_.time_of(next));
}

// Who looks sees the present time: it is worked out for a copy.
void RtcMc146818::visit_state(bus::StateVisitor& state) {
    state.section("rtc");
    if (!state.shows()) return visit_fields(state);
    RtcMc146818 now = *this;
    now.advance(crystal_.ticks_at(events_.now() + state.ahead()));
    now.visit_fields(state);
}

void RtcMc146818::visit_fields(bus::StateVisitor& state) {
    constexpr Tick kMaxTick = Tick{1} << 40;  // a year
    // Seconds that nobody looked at are counted one by one when somebody does.
    constexpr Tick kMaxBehind = Tick{1} << 38;
    constexpr std::array kNames{"seconds",     "seconds_alarm",
                                "minutes",     "minutes_alarm",
                                "hours",       "hours_alarm",
                                "day_of_week", "day",
                                "month",       "year",
                                "a",           "b",
                                "c",           "d"};
    for (unsigned i = 0; i < kNames.size(); ++i) state.field(kNames[i], memory_[i]);
    state.field("memory", std::span(memory_).subspan(kNames.size()));
    state.field("index", index_, kBytes - 1);
    state.field("nmi_enabled", nmi_enabled_);
    state.field("seen_tick", seen_, kMaxTick, 0);
    state.field("next_update_tick", next_update_, kMaxTick, 0);
    state.field("divider_start_tick", divider_start_, kMaxTick, 0);
    events_.visit_timer(state, timer_);
    if (!state.loads() || crystal_.ticks_at(events_.now()) - next_update_ <= kMaxBehind) return;
    next_update_ = crystal_.ticks_at(events_.now());
    state.refuse("next_update_tick", "is too far back");
}

}  // namespace sla::device
