#include "proto/time/duration.h"

#include "proto/time/picoseconds.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>

namespace sla::time {
namespace {

using Wide = unsigned __int128;

constexpr std::uint64_t kSecond = 1'000'000'000'000;
constexpr std::size_t kMaxFractionDigits = 18;  // no unit has a picosecond further right

struct Unit {
    std::string_view name;
    std::uint64_t ps;
};

// U+00B5 and U+03BC look alike; keyboards give either.
constexpr std::array<Unit, 10> kUnits{{{"h", 3600 * kSecond},
                                       {"min", 60 * kSecond},
                                       {"m", 60 * kSecond},
                                       {"s", kSecond},
                                       {"ms", 1'000'000'000},
                                       {"us", 1'000'000},
                                       {"\u00b5s", 1'000'000},
                                       {"\u03bcs", 1'000'000},
                                       {"ns", 1'000},
                                       {"ps", 1}}};

constexpr std::array<Unit, 5> kShownUnits{
    {{"ps", 1}, {"ns", 1'000}, {"\u00b5s", 1'000'000}, {"ms", 1'000'000'000}, {"s", kSecond}}};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view take_digits(std::string_view& text) {
    std::size_t length = 0;
    while (length < text.size() && is_digit(text[length])) ++length;
    const std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    return digits;
}

std::optional<std::uint64_t> unit_of(std::string_view name) {
    for (const Unit& unit : kUnits) {
        if (unit.name == name) return unit.ps;
    }
    return std::nullopt;
}

Error bad_duration(std::string_view text, std::string_view why) {
    return invalid_input(fmt::format(
        "'{}' is not a duration: {}; write a number and a unit (h m s ms us ns ps), for example 1.5ms", text, why));
}

// digits as a number, nothing above `limit`.
std::optional<Wide> number_of(std::string_view digits, Wide limit) {
    Wide number = 0;
    for (const char digit : digits) {
        number = number * 10 + static_cast<unsigned>(digit - '0');
        if (number > limit) return std::nullopt;
    }
    return number;
}

// The part behind the point in picoseconds, nothing when it is finer than that.
std::optional<Wide> fraction_ps(std::string_view digits, std::uint64_t unit_ps) {
    while (!digits.empty() && digits.back() == '0') digits.remove_suffix(1);
    if (digits.size() > kMaxFractionDigits) return std::nullopt;
    Wide divisor = 1;
    for (std::size_t i = 0; i < digits.size(); ++i) divisor *= 10;
    const Wide product = number_of(digits, divisor).value_or(0) * unit_ps;
    if (product % divisor != 0) return std::nullopt;
    return product / divisor;
}

// number / unit with the zeros at the end left out; `number` is a whole count of `unit`'s 10^-12 or coarser steps.
void append_decimal(std::uint64_t ps, std::uint64_t unit_ps, std::string& out) {
    fmt::format_to(std::back_inserter(out), "{}", ps / unit_ps);
    std::uint64_t rest = ps % unit_ps;
    if (rest == 0) return;
    out += '.';
    while (rest != 0) {
        unit_ps /= 10;
        out += static_cast<char>('0' + rest / unit_ps);
        rest %= unit_ps;
    }
}

// Rounded to six significant digits of that unit.
std::uint64_t rounded(std::uint64_t ps, std::uint64_t unit_ps) {
    std::uint64_t step = unit_ps;
    std::uint64_t whole = ps / unit_ps;
    int digits = 1;
    while (whole >= 10) {
        whole /= 10;
        ++digits;
    }
    for (; digits < 6 && step >= 10; ++digits) step /= 10;
    return (ps + step / 2) / step * step;
}

}  // namespace

Result<std::int64_t> parse_duration(std::string_view text) {
    std::string_view rest = text;
    const bool negative = !rest.empty() && rest.front() == '-';
    if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);

    const std::string_view whole_digits = take_digits(rest);
    std::string_view fraction_digits;
    if (!rest.empty() && rest.front() == '.') {
        rest.remove_prefix(1);
        fraction_digits = take_digits(rest);
        if (fraction_digits.empty()) return bad_duration(text, "no digit follows the point");
    }
    if (whole_digits.empty() && fraction_digits.empty()) return bad_duration(text, "it does not begin with a number");
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);

    const bool zero = whole_digits.find_first_not_of('0') == std::string_view::npos &&
                      fraction_digits.find_first_not_of('0') == std::string_view::npos;
    if (rest.empty() && zero) return std::int64_t{0};
    if (rest.empty()) return bad_duration(text, "the unit is missing");
    const std::optional<std::uint64_t> unit_ps = unit_of(rest);
    if (!unit_ps) return bad_duration(text, fmt::format("'{}' is not a unit", rest));

    const std::optional<Wide> whole = number_of(whole_digits, kMaxPs);
    const std::optional<Wide> fraction = fraction_ps(fraction_digits, *unit_ps);
    if (!fraction) return bad_duration(text, "it is finer than a picosecond");
    if (!whole || *whole * *unit_ps + *fraction > kMaxPs) return bad_duration(text, "it is longer than 106 days");
    const auto ps = static_cast<std::int64_t>(*whole * *unit_ps + *fraction);
    return negative ? -ps : ps;
}

std::string format_duration(std::int64_t ps) {
    if (ps == 0) return "0";
    const std::uint64_t size = magnitude(ps);
    std::size_t unit = 0;
    while (unit + 1 < kShownUnits.size() && size >= kShownUnits[unit + 1].ps) ++unit;
    std::uint64_t shown = rounded(size, kShownUnits[unit].ps);
    if (unit + 1 < kShownUnits.size() && shown >= kShownUnits[unit + 1].ps) ++unit;  // 999.9999 ns reads 1 µs

    std::string out;
    if (ps < 0) out += '-';
    append_decimal(shown, kShownUnits[unit].ps, out);
    out += ' ';
    out += kShownUnits[unit].name;
    return out;
}

}  // namespace sla::time
