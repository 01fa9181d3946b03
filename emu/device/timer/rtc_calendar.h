// RtcCalendar: date, time and alarm as the MC146818 holds them in its first bytes, BCD or binary, of 12 or 24 hours as its
// register B says: what a second more makes of them, and whether the alarm is due. A view: it lives as long as the bytes.
#pragma once

#include <cstdint>
#include <span>

namespace sla::device {

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

constexpr std::uint8_t kRtcBinary = 0x04;   // DM of B
constexpr std::uint8_t kRtc24Hours = 0x02;  // 24/12 of B

class RtcCalendar {
public:
    // Of at least 33h bytes.
    explicit RtcCalendar(std::span<std::uint8_t> memory) : memory_(memory) {}

    // Seconds since 1970-01-01.
    void set(std::int64_t seconds);
    void count_one_second();
    [[nodiscard]] bool alarm_matches() const;

private:
    [[nodiscard]] bool has(std::uint8_t bit) const { return (memory_[kRtcB] & bit) != 0; }
    [[nodiscard]] unsigned number(unsigned index) const;
    void set(unsigned index, unsigned number);

    std::span<std::uint8_t> memory_;
};

}  // namespace sla::device
