#include "emu/device/timer/rtc_mc146818.h"

#include "proto/base/check.h"

#include <algorithm>
#include <chrono>

namespace sla::device {

namespace {

enum RtcRegister : unsigned {
    kRtcSeconds = 0x00,
    kRtcSecondsAlarm = 0x01,
    kRtcMinutes = 0x02,
    kRtcMinutesAlarm = 0x03,
    kRtcHours = 0x04,
    kRtcHoursAlarm = 0x05,
    kRtcWeekday = 0x06,
    kRtcDay = 0x07,
    kRtcMonth = 0x08,
    kRtcYear = 0x09,
    kRtcA = 0x0A,
    kRtcB = 0x0B,
    kRtcC = 0x0C,
    kRtcD = 0x0D,
    kRtcFirstStored = 0x0E,
    kRtcCentury = 0x32,  // where the PC/AT keeps it
};

constexpr std::uint8_t kUip = 0x80;
constexpr std::uint8_t kDividerMask = 0x70;
constexpr std::uint8_t kDividerRuns = 0x20;  // DV: the 32768 Hz crystal
constexpr std::uint8_t kRateMask = 0x0F;
constexpr std::uint8_t kSet = 0x80;
constexpr std::uint8_t kRtcPeriodic = 0x40;  // PIE of B, PF of C
constexpr std::uint8_t kAlarm = 0x20;
constexpr std::uint8_t kUpdate = 0x10;
constexpr std::uint8_t kBinary = 0x04;
constexpr std::uint8_t k24Hours = 0x02;
constexpr std::uint8_t kIrqf = 0x80;
constexpr std::uint8_t kVrt = 0x80;
constexpr std::uint8_t kPm = 0x80;
constexpr std::uint8_t kAnyAlarm = 0xC0;  // an alarm byte that matches every time

constexpr unsigned days_of(unsigned month, unsigned year) {
    constexpr std::array<unsigned, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12) return 31;
    return kDays[month - 1] + (month == 2 && year % 4 == 0 ? 1U : 0U);
}

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
    memory_[kRtcB] = k24Hours;
    memory_[kRtcD] = kVrt;
    seen_ = crystal_.ticks_at(events_.now());
    next_update_ = seen_ + kHertz;
    divider_start_ = seen_;
    set_calendar(power_on);
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
    for (; next_update_ <= now; next_update_ += kHertz) {
        if ((memory_[kRtcB] & kSet) != 0) continue;
        count_one_second();
        memory_[kRtcC] |= kUpdate;
        if (alarm_matches()) memory_[kRtcC] |= kAlarm;
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

unsigned RtcMc146818::calendar(unsigned index) const {
    std::uint8_t value = memory_[index];
    const bool hours = index == kRtcHours || index == kRtcHoursAlarm;
    const bool pm = hours && (memory_[kRtcB] & k24Hours) == 0 && (value & kPm) != 0;
    if (pm) value &= ~kPm;
    unsigned number = (memory_[kRtcB] & kBinary) != 0 ? value : (value >> 4) * 10U + (value & 15U);
    if (hours && (memory_[kRtcB] & k24Hours) == 0) number = number % 12 + (pm ? 12 : 0);
    return number;
}

void RtcMc146818::set_calendar(unsigned index, unsigned value) {
    std::uint8_t flag = 0;
    if (index == kRtcHours && (memory_[kRtcB] & k24Hours) == 0) {
        flag = value >= 12 ? kPm : 0;
        value = value % 12 == 0 ? 12 : value % 12;
    }
    const unsigned bits = (memory_[kRtcB] & kBinary) != 0 ? value : value / 10 << 4 | value % 10;
    memory_[index] = static_cast<std::uint8_t>(bits | flag);
}

void RtcMc146818::count_one_second() {
    const auto carry = [this](unsigned index, unsigned first, unsigned last) {
        const unsigned next = calendar(index) + 1;
        set_calendar(index, next > last ? first : next);
        return next > last;
    };
    if (!carry(kRtcSeconds, 0, 59) || !carry(kRtcMinutes, 0, 59) || !carry(kRtcHours, 0, 23)) return;
    carry(kRtcWeekday, 1, 7);
    if (!carry(kRtcDay, 1, days_of(calendar(kRtcMonth), calendar(kRtcYear)))) return;
    if (!carry(kRtcMonth, 1, 12) || !carry(kRtcYear, 0, 99)) return;
    carry(kRtcCentury, 0, 99);
}

bool RtcMc146818::alarm_matches() const {
    const auto matches = [this](unsigned alarm, unsigned index) {
        return (memory_[alarm] & kAnyAlarm) == kAnyAlarm || calendar(alarm) == calendar(index);
    };
    return matches(kRtcSecondsAlarm, kRtcSeconds) && matches(kRtcMinutesAlarm, kRtcMinutes) &&
           matches(kRtcHoursAlarm, kRtcHours);
}

void RtcMc146818::set_calendar(std::int64_t seconds) {
    using namespace std::chrono;
    const sys_seconds time{std::chrono::seconds(seconds)};
    const auto days = floor<std::chrono::days>(time);
    const year_month_day date(days);
    const hh_mm_ss clock(time - days);
    const auto year = static_cast<unsigned>(static_cast<int>(date.year()));
    set_calendar(kRtcSeconds, static_cast<unsigned>(clock.seconds().count()));
    set_calendar(kRtcMinutes, static_cast<unsigned>(clock.minutes().count()));
    set_calendar(kRtcHours, static_cast<unsigned>(clock.hours().count()));
    set_calendar(kRtcWeekday, weekday(days).c_encoding() + 1);
    set_calendar(kRtcDay, static_cast<unsigned>(date.day()));
    set_calendar(kRtcMonth, static_cast<unsigned>(date.month()));
    set_calendar(kRtcYear, year % 100);
    set_calendar(kRtcCentury, year / 100);
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
