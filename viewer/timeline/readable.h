// Numbers and times as people read them: grouped in threes by thin gaps, always with a unit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::timeline {

// U+2009. The window's fonts draw it as a gap of less than half a digit.
inline constexpr std::string_view kThinGap = "\xE2\x80\x89";
inline constexpr std::string_view kMinus = "\xE2\x88\x92";

// "1 024 118"
std::string grouped(std::uint64_t number);
// "1 event", "0 events".
std::string events_text(std::uint64_t number);

// So many events lost, and as many more as stand behind `uncounted` loss rows that do not know how many: "12", "12+", "?". A
// number above `whole_up_to` is rounded, as readable_count does it.
std::string lost_number(std::uint64_t lost, std::uint64_t uncounted, std::uint64_t whole_up_to = ~std::uint64_t{0});
// The same in words: "12 lost", "12+ lost", "lost, number unknown".
std::string lost_words(std::uint64_t lost, std::uint64_t uncounted, std::uint64_t whole_up_to = ~std::uint64_t{0});

// A unit of time and what it is in picoseconds.
struct TimeUnit {
    const char* name;
    std::int64_t ps;
};
// The largest unit in which |ps| is at least 1; ns for less than that.
TimeUnit unit_for(std::int64_t ps);

// `ps` in that unit with so many decimals, rounded, without the unit's name: "12.313 112".
std::string in_unit(std::int64_t ps, TimeUnit unit, int decimals);
// How many decimals of `unit` show steps of `resolution_ps`.
int decimals_for(TimeUnit unit, std::int64_t resolution_ps);

// "12.313 112 ms": unit by size, digits down to the resolution.
std::string readable_time(std::int64_t ps, std::int64_t resolution_ps);
// "11.104 µs": unit by size, three decimals, what tables and Δ show; "0 ns" for nothing.
std::string readable_delta(std::int64_t ps);
// "11.104 µs", "12.313 112 ms": the same, but to the nanosecond, however long; what is measured beside its error.
std::string readable_exactly(std::int64_t ps);
// "90.0503 ±0.0002 kHz": digits down to the error, six decimals at most. The error rounded up; empty for 0 hertz.
std::string readable_frequency(double hertz, double error_hertz);
// "90.05 kHz"; "∞" is never shown: an empty string when the period is 0.
std::string readable_frequency(double hertz);
// "12.4 M", "3.1 k", "0.20", "3.52e+18": a count, rate or value in few characters.
std::string readable_count(double number);
// "3.1 k/s", "212 /s", "12.4 M events/s"
std::string readable_rate(double per_second, std::string_view unit = "/s");
// "17.2 MB"
std::string readable_bytes(double bytes);

}  // namespace sla::timeline
