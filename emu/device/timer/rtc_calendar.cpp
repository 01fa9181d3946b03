#include "emu/device/timer/rtc_calendar.h"

#include <array>
#include <chrono>

namespace sla::device {

namespace {

constexpr std::uint8_t kPm = 0x80;
constexpr std::uint8_t kAnyAlarm = 0xC0;  // an alarm byte that matches every time

constexpr unsigned days_of(unsigned month, unsigned year) {
    constexpr std::array<unsigned, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month < 1 || month > 12) return 31;
    return kDays[month - 1] + (month == 2 && year % 4 == 0 ? 1U : 0U);
}

}  // namespace

unsigned RtcCalendar::number(unsigned index) const {
    std::uint8_t value = memory_[index];
    const bool of_12_hours = (index == kRtcHours || index == kRtcHoursAlarm) && !has(kRtc24Hours);
    const bool pm = of_12_hours && (value & kPm) != 0;
    if (pm) value &= ~kPm;
    const unsigned number = has(kRtcBinary) ? value : (value >> 4) * 10U + (value & 15U);
    return of_12_hours ? number % 12 + (pm ? 12 : 0) : number;
}

void RtcCalendar::set(unsigned index, unsigned number) {
    std::uint8_t flag = 0;
    if (index == kRtcHours && !has(kRtc24Hours)) {
        flag = number >= 12 ? kPm : 0;
        number = number % 12 == 0 ? 12 : number % 12;
    }
    const unsigned bits = has(kRtcBinary) ? number : number / 10 << 4 | number % 10;
    memory_[index] = static_cast<std::uint8_t>(bits | flag);
}

void RtcCalendar::count_one_second() {
    const auto carry = [this](unsigned index, unsigned first, unsigned last) {
        const unsigned next = number(index) + 1;
        set(index, next > last ? first : next);
        return next > last;
    };
    if (!carry(kRtcSeconds, 0, 59) || !carry(kRtcMinutes, 0, 59) || !carry(kRtcHours, 0, 23)) return;
    carry(kRtcWeekday, 1, 7);
    if (!carry(kRtcDay, 1, days_of(number(kRtcMonth), number(kRtcYear)))) return;
    if (!carry(kRtcMonth, 1, 12) || !carry(kRtcYear, 0, 99)) return;
    carry(kRtcCentury, 0, 99);
}

bool RtcCalendar::alarm_matches() const {
    const auto matches = [this](unsigned alarm, unsigned index) {
        return (memory_[alarm] & kAnyAlarm) == kAnyAlarm || number(alarm) == number(index);
    };
    return matches(kRtcSecondsAlarm, kRtcSeconds) && matches(kRtcMinutesAlarm, kRtcMinutes) &&
           matches(kRtcHoursAlarm, kRtcHours);
}

void RtcCalendar::set(std::int64_t seconds) {
    using namespace std::chrono;
    const sys_seconds time{std::chrono::seconds(seconds)};
    const auto days = floor<std::chrono::days>(time);
    const year_month_day date(days);
    const hh_mm_ss clock(time - days);
    const auto year = static_cast<unsigned>(static_cast<int>(date.year()));
    set(kRtcSeconds, static_cast<unsigned>(clock.seconds().count()));
    set(kRtcMinutes, static_cast<unsigned>(clock.minutes().count()));
    set(kRtcHours, static_cast<unsigned>(clock.hours().count()));
    set(kRtcWeekday, weekday(days).c_encoding() + 1);
    set(kRtcDay, static_cast<unsigned>(date.day()));
    set(kRtcMonth, static_cast<unsigned>(date.month()));
    set(kRtcYear, year % 100);
    set(kRtcCentury, year / 100);
}

}  // namespace sla::device
