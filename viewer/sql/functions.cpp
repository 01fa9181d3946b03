#include "viewer/sql/functions.h"

#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <string_view>

namespace sla::sql {

namespace {

constexpr double kMaxPs = 9e18;

void fail(sqlite3_context* context, const std::string& why) {
    sqlite3_result_error(context, why.c_str(), static_cast<int>(why.size()));
}

bool is_number(sqlite3_value* value) {
    const int type = sqlite3_value_numeric_type(value);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

void parse_time(sqlite3_context* context, int, sqlite3_value** values) {
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
    if (text == nullptr) return sqlite3_result_error_nomem(context);
    const auto ps = time::parse_duration({text, static_cast<std::size_t>(sqlite3_value_bytes(values[0]))});
    if (!ps.ok()) return fail(context, "ns(): " + ps.error().message);
    sqlite3_result_double(context, static_cast<double>(*ps) / time::kPicosecondsPerNanosecond);
}

void format_time(sqlite3_context* context, int, sqlite3_value** values) {
    if (sqlite3_value_type(values[0]) == SQLITE_NULL) return;
    if (!is_number(values[0])) return fail(context, "duration(): a number of nanoseconds belongs here");
    const double ps = sqlite3_value_double(values[0]) * time::kPicosecondsPerNanosecond;
    if (!(std::fabs(ps) < kMaxPs)) return fail(context, "duration(): that is longer than can be told");
    const std::string text = time::format_duration(std::llround(ps));
    sqlite3_result_text(context, text.c_str(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

// Whole numbers stay what they are, also beyond 2^53.
struct Number {
    bool is_whole;
    union {
        std::int64_t whole;
        double real;
    };

    bool operator<(const Number& other) const {
        if (is_whole && other.is_whole) return whole < other.whole;
        return wide() < other.wide();
    }

private:
    [[nodiscard]] long double wide() const {
        return is_whole ? static_cast<long double>(whole) : static_cast<long double>(real);
    }
};

// In memory of SQLite's, which is bounded.
struct Numbers {
    Number* at;
    std::uint64_t count;
    std::uint64_t capacity;
    double percent;
};

bool grow(Numbers& numbers) {
    if (numbers.count < numbers.capacity) return true;
    const std::uint64_t capacity = std::max<std::uint64_t>(64, numbers.capacity * 2);
    auto* more = static_cast<Number*>(sqlite3_realloc64(numbers.at, capacity * sizeof(Number)));
    if (more == nullptr) return false;
    numbers.at = more;
    numbers.capacity = capacity;
    return true;
}

void take_number(sqlite3_context* context, int, sqlite3_value** values) {
    auto* numbers = static_cast<Numbers*>(sqlite3_aggregate_context(context, sizeof(Numbers)));
    if (numbers == nullptr) return sqlite3_result_error_nomem(context);
    const double percent = is_number(values[1]) ? sqlite3_value_double(values[1]) : -1;
    if (!(percent >= 0 && percent <= 100)) return fail(context, "percentile(): the second word is a number from 0 to 100");
    numbers->percent = percent;
    if (!is_number(values[0])) return;
    if (!grow(*numbers)) return sqlite3_result_error_nomem(context);
    Number& number = numbers->at[numbers->count++];
    number.is_whole = sqlite3_value_numeric_type(values[0]) == SQLITE_INTEGER;
    if (number.is_whole) {
        number.whole = sqlite3_value_int64(values[0]);
    } else {
        number.real = sqlite3_value_double(values[0]);
    }
}

// The nearest rank, from 1 on. 99.9 is not quite 99.9 in binary: what is whole but for that is whole.
std::uint64_t nearest_rank(double percent, std::uint64_t count) {
    const long double exact = static_cast<long double>(percent) * static_cast<long double>(count) / 100;
    const long double whole = std::round(exact);
    const bool is_whole = std::fabs(exact - whole) <= exact * std::numeric_limits<double>::epsilon();
    const auto rank = static_cast<std::uint64_t>(is_whole ? whole : std::ceil(exact));
    return std::clamp<std::uint64_t>(rank, 1, count);
}

void give_percentile(sqlite3_context* context) {
    auto* numbers = static_cast<Numbers*>(sqlite3_aggregate_context(context, 0));
    if (numbers == nullptr) return;  // over no rows: null
    if (numbers->count > 0) {
        const std::uint64_t place = nearest_rank(numbers->percent, numbers->count) - 1;
        std::nth_element(numbers->at, numbers->at + place, numbers->at + numbers->count);
        const Number& found = numbers->at[place];
        if (found.is_whole) {
            sqlite3_result_int64(context, found.whole);
        } else {
            sqlite3_result_double(context, found.real);
        }
    }
    sqlite3_free(numbers->at);
    numbers->at = nullptr;
    numbers->count = numbers->capacity = 0;
}

}  // namespace

int add_functions(sqlite3* database) {
    constexpr int kPlain = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int code = sqlite3_create_function_v2(database, "ns", 1, kPlain, nullptr, parse_time, nullptr, nullptr, nullptr);
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(database, "duration", 1, kPlain, nullptr, format_time, nullptr, nullptr, nullptr);
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(database, "percentile", 2, kPlain, nullptr, nullptr, take_number, give_percentile,
                                          nullptr);
    return code;
}

}  // namespace sla::sql
