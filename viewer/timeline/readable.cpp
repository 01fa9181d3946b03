#include "viewer/timeline/readable.h"

#include "proto/time/picoseconds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace sla::timeline {

namespace {

constexpr std::array<TimeUnit, 5> kUnits{
    {{"s", 1'000'000'000'000}, {"ms", 1'000'000'000}, {"\xC2\xB5s", 1'000'000}, {"ns", 1'000}, {"ps", 1}}};

// Digits after the point, a gap after every third.
std::string grouped_fraction(std::string_view digits) {
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && i % 3 == 0) out += kThinGap;
        out += digits[i];
    }
    return out;
}

// Three significant digits with an SI prefix.
std::string scaled(double number, const std::array<const char*, 5>& prefixes, double step) {
    std::size_t prefix = 0;
    double value = std::abs(number);
    while (value >= step * 0.9995 && prefix + 1 < prefixes.size()) {
        value /= step;
        ++prefix;
    }
    const int decimals = value >= 99.95 || (prefix == 0 && value == std::floor(value)) ? 0 : value >= 9.995 ? 1 : 2;
    return fmt::format("{}{:.{}f} {}", number < 0 ? kMinus : "", value, decimals, prefixes[prefix]);
}

}  // namespace

std::string grouped(std::uint64_t number) {
    const std::string digits = std::to_string(number);
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) out += kThinGap;
        out += digits[i];
    }
    return out;
}

TimeUnit unit_for(std::int64_t ps) {
    const std::uint64_t size = time::magnitude(ps);
    for (const TimeUnit& unit : kUnits) {
        if (unit.ps < 1'000) break;
        if (size >= static_cast<std::uint64_t>(unit.ps)) return unit;
    }
    return kUnits[3];
}

std::string in_unit(std::int64_t ps, TimeUnit unit, int decimals) {
    const auto unit_ps = static_cast<std::uint64_t>(unit.ps);
    std::uint64_t scale = 1;
    int kept = 0;
    while (kept < decimals && scale < unit_ps) {
        scale *= 10;
        ++kept;
    }
    const std::uint64_t quantum = unit_ps / scale;
    const std::uint64_t rounded = (time::magnitude(ps) + quantum / 2) / quantum;
    std::string out = ps < 0 && rounded != 0 ? std::string(kMinus) : std::string();
    out += grouped(rounded / scale);
    if (kept > 0) out += "." + grouped_fraction(fmt::format("{:0{}}", rounded % scale, kept));
    return out;
}

int decimals_for(TimeUnit unit, std::int64_t resolution_ps) {
    int decimals = 0;
    for (std::int64_t step = unit.ps; step > resolution_ps && step >= 10; step /= 10) ++decimals;
    return decimals;
}

std::string readable_time(std::int64_t ps, std::int64_t resolution_ps) {
    const TimeUnit unit = unit_for(ps);
    return in_unit(ps, unit, decimals_for(unit, resolution_ps)) + " " + unit.name;
}

std::string readable_delta(std::int64_t ps) {
    if (ps == 0) return "0 ns";
    const TimeUnit unit = unit_for(ps);
    const int decimals = unit.ps == 1'000 ? 1 : 3;
    return in_unit(ps, unit, decimals) + " " + unit.name;
}

std::string readable_exactly(std::int64_t ps) {
    constexpr std::int64_t kMicrosecond = 1'000'000;
    const bool is_short = ps > -kMicrosecond && ps < kMicrosecond;
    return is_short ? readable_delta(ps) : readable_time(ps, 1'000);
}

std::string readable_frequency(double hertz, double error_hertz) {
    if (!(hertz > 0.0) || !(error_hertz > 0.0)) return readable_frequency(hertz);
    constexpr std::array<const char*, 7> kHertz{"\xC2\xB5Hz", "mHz", "Hz", "kHz", "MHz", "GHz", "THz"};
    std::size_t unit = 2;
    for (; unit > 0 && hertz < 1.0; --unit) {
        hertz *= 1000.0;
        error_hertz *= 1000.0;
    }
    for (; unit + 1 < kHertz.size() && hertz >= 1000.0; ++unit) {
        hertz /= 1000.0;
        error_hertz /= 1000.0;
    }
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(error_hertz))), 0, 6);
    const double step = std::pow(10.0, -decimals);
    return fmt::format("{:.{}f} \xC2\xB1{:.{}f} {}", hertz, decimals, std::ceil(error_hertz / step) * step, decimals,
                       kHertz[unit]);
}

std::string readable_frequency(double hertz) {
    if (!(hertz > 0.0)) return {};
    if (hertz < 1.0) return fmt::format("{:.3g} mHz", hertz * 1e3);
    return scaled(hertz, {"Hz", "kHz", "MHz", "GHz", "THz"}, 1000.0);
}

std::string readable_count(double number) {
    const double size = std::abs(number);
    constexpr double kLeast = 0.01;
    constexpr double kMost = 999.5e12;
    if (size != 0 && (size < kLeast || size >= kMost)) return fmt::format("{}{:.2e}", number < 0 ? kMinus : "", size);
    std::string out = scaled(number, {"", "k", "M", "G", "T"}, 1000.0);
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

std::string readable_rate(double per_second, std::string_view unit) {
    std::string out = readable_count(per_second);
    const bool joined = unit.front() == '/' && out.back() > '9';
    if (!joined) out += ' ';
    out += unit;
    return out;
}

std::string readable_bytes(double bytes) {
    return scaled(bytes, {"B", "kB", "MB", "GB", "TB"}, 1000.0);
}

std::string events_text(std::uint64_t number) {
    return grouped(number) + (number == 1 ? " event" : " events");
}

std::string lost_number(std::uint64_t lost, std::uint64_t uncounted, std::uint64_t whole_up_to) {
    if (lost == 0 && uncounted > 0) return "?";
    const std::string number = lost <= whole_up_to ? grouped(lost) : readable_count(static_cast<double>(lost));
    return uncounted > 0 ? number + "+" : number;
}

std::string lost_words(std::uint64_t lost, std::uint64_t uncounted, std::uint64_t whole_up_to) {
    if (lost == 0 && uncounted > 0) return "lost, number unknown";
    return lost_number(lost, uncounted, whole_up_to) + " lost";
}

}  // namespace sla::timeline
