#include "proto/wire/filter_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace sla::wire {
namespace {

constexpr std::array<std::pair<std::string_view, Filter::Compare>, 6> kCompares{{{"<=", Filter::LESS_EQUAL},
                                                                                 {">=", Filter::GREATER_EQUAL},
                                                                                 {"==", Filter::EQUAL},
                                                                                 {"!=", Filter::NOT_EQUAL},
                                                                                 {"<", Filter::LESS},
                                                                                 {">", Filter::GREATER}}};

struct Number {
    bool real = false;
    std::int64_t whole = 0;
    double number = 0;
};

// Reads from the front of `rest_`; every taker skips blanks first.
class FilterReader {
public:
    explicit FilterReader(std::string_view text) : text_(text), rest_(text) {}

    void skip_blanks() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
    }
    [[nodiscard]] bool at_end() {
        skip_blanks();
        return rest_.empty();
    }
    bool take(std::string_view word) {
        skip_blanks();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    // "3..9" is two whole numbers: a point counts only when no other one follows it.
    bool take(Number& to) {
        skip_blanks();
        std::size_t range = rest_.find("..");
        const char* begin = rest_.data();
        const char* end = begin + std::min(range, rest_.size());
        auto whole = std::from_chars(begin, end, to.whole);
        auto real = std::from_chars(begin, end, to.number);
        if (real.ec != std::errc() || !std::isfinite(to.number)) return false;
        to.real = whole.ec != std::errc() || whole.ptr != real.ptr;
        rest_.remove_prefix(static_cast<std::size_t>(real.ptr - begin));
        return true;
    }
    bool take_count(std::uint64_t& to) {
        skip_blanks();
        auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), to);
        if (read.ec != std::errc() || to == 0) return false;
        rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
        return true;
    }
    [[nodiscard]] Error wrong(std::string_view why) const {
        return invalid_input(fmt::format(
            "'{}' is not a filter: {} at column {}; write for example 'value > 100', 'value in 3..9', 'every 10' or none",
            text_, why, text_.size() - rest_.size() + 1));
    }

private:
    std::string_view text_;
    std::string_view rest_;
};

// As the filter will compare: doubles know no integer beyond 2^53 from the next.
bool is_below(const Number& a, const Number& b) {
    return a.real || b.real ? a.number < b.number : a.whole < b.whole;
}

void set_bounds(Filter& filter, const Number& low, const Number& high) {
    filter.set_real(low.real || high.real);
    if (filter.real()) {
        filter.set_real_low(low.number);
        filter.set_real_high(high.number);
    } else {
        filter.set_low(low.whole);
        filter.set_high(high.whole);
    }
}

Result<void> read_condition_on_value(FilterReader& reader, Filter& filter) {
    if (filter.compare() != Filter::ANY) return reader.wrong("a second condition on the value");
    Number low;
    Number high;
    if (reader.take("in")) {
        if (!reader.take(low) || !reader.take("..") || !reader.take(high)) return reader.wrong("LOW..HIGH is missing");
        if (is_below(high, low)) return reader.wrong("the range ends below its beginning");
        filter.set_compare(Filter::INSIDE);
        set_bounds(filter, low, high);
        return {};
    }
    for (const auto& [sign, compare] : kCompares) {
        if (!reader.take(sign)) continue;
        if (!reader.take(low)) return reader.wrong("a number is missing");
        filter.set_compare(compare);
        set_bounds(filter, low, high);
        return {};
    }
    return reader.wrong("< <= > >= == != or in is missing");
}

std::string bound_text(const Filter& filter, bool is_high) {
    if (!filter.real()) return std::to_string(is_high ? filter.high() : filter.low());
    std::string text = fmt::format("{}", is_high ? filter.real_high() : filter.real_low());
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

}  // namespace

Result<Filter> parse_filter(std::string_view text) {
    FilterReader reader(text);
    Filter filter;
    if (reader.take("none") && reader.at_end()) return filter;
    reader = FilterReader(text);
    do {
        if (reader.take("every")) {
            std::uint64_t every = 0;
            if (filter.every() != 0) return reader.wrong("a second 'every'");
            if (!reader.take_count(every)) return reader.wrong("a number from 1 on is missing");
            filter.set_every(every);
        } else if (reader.take("value")) {
            if (Result<void> read = read_condition_on_value(reader, filter); !read) return read.error();
        } else {
            return reader.wrong("'value' or 'every' is missing");
        }
    } while (reader.take(","));
    if (!reader.at_end()) return reader.wrong("something is left over");
    return filter;
}

std::string filter_text(const Filter& filter) {
    std::string text;
    if (filter.compare() == Filter::INSIDE) {
        text = "value in " + bound_text(filter, false) + ".." + bound_text(filter, true);
    }
    for (const auto& [sign, compare] : kCompares) {
        if (compare == filter.compare()) text = fmt::format("value {} {}", sign, bound_text(filter, false));
    }
    if (filter.every() > 1) text += fmt::format("{}every {}", text.empty() ? "" : ", ", filter.every());
    return text;
}

std::string filter_problem(const Filter& filter) {
    if (!Filter::Compare_IsValid(filter.compare())) return "this agent does not know that comparison";
    if (filter.real() && !(std::isfinite(filter.real_low()) && std::isfinite(filter.real_high()))) {
        return "a filter compares with finite numbers";
    }
    return "";
}

}  // namespace sla::wire
