// Cell: one field that a table hands to SQLite.
#pragma once

#include <sqlite3.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace sla::sql {

class Cell {
public:
    explicit Cell(sqlite3_context* context) : context_(context) {}

    void null() { sqlite3_result_null(context_); }
    void integer(std::int64_t number) { sqlite3_result_int64(context_, number); }
    void integer(std::optional<std::int64_t> number) { number ? integer(*number) : null(); }
    // SQLite's integers have a sign: what is beyond them comes as the nearest real.
    void natural(std::uint64_t number) {
        if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            sqlite3_result_int64(context_, static_cast<std::int64_t>(number));
        } else {
            sqlite3_result_double(context_, static_cast<double>(number));
        }
    }
    void real(double number) { sqlite3_result_double(context_, number); }  // not a number: null
    void nanoseconds(std::int64_t ps) { sqlite3_result_double(context_, static_cast<double>(ps) / 1000.0); }
    // A text that stands as long as the engine does.
    void standing(std::string_view text) {
        sqlite3_result_text64(context_, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
    }
    void text(std::string_view text) {
        sqlite3_result_text64(context_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    }

private:
    sqlite3_context* context_;
};

}  // namespace sla::sql
