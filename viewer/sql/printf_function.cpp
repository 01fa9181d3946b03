#include "viewer/sql/printf_function.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace sla::sql {

namespace {

using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

// A database whose printf() is SQLite's; opened when somebody first calls it, as few questions do.
class PlainPrintf {
public:
    explicit PlainPrintf(int most_bytes) : most_bytes_(most_bytes) {}
    ~PlainPrintf() {
        of_count_.clear();
        sqlite3_close_v2(database_);
    }
    PlainPrintf(const PlainPrintf&) = delete;
    PlainPrintf& operator=(const PlainPrintf&) = delete;

    void call(sqlite3_context* context, int count, sqlite3_value** values) {
        sqlite3_stmt* const statement = of(count);
        if (statement == nullptr) return sqlite3_result_error_nomem(context);
        int code = SQLITE_OK;
        for (int i = 0; i < count && code == SQLITE_OK; ++i) code = sqlite3_bind_value(statement, i + 1, values[i]);
        if (code == SQLITE_OK) code = sqlite3_step(statement);
        if (code == SQLITE_ROW) {
            sqlite3_result_value(context, sqlite3_column_value(statement, 0));
        } else {
            sqlite3_result_error_code(context, code);
        }
        sqlite3_reset(statement);
        sqlite3_clear_bindings(statement);
    }

private:
    void open() {
        const int code = sqlite3_open_v2(":memory:", &database_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
        if (code == SQLITE_OK) sqlite3_limit(database_, SQLITE_LIMIT_LENGTH, most_bytes_);
    }
    sqlite3_stmt* of(int count) {
        if (database_ == nullptr) open();
        Statement& known = of_count_.try_emplace(count, nullptr, sqlite3_finalize).first->second;
        if (known != nullptr) return known.get();
        std::string question = "SELECT printf(";
        for (int i = 0; i < count; ++i) question += i == 0 ? "?" : ",?";
        sqlite3_stmt* made = nullptr;
        sqlite3_prepare_v2(database_, (question + ")").c_str(), -1, &made, nullptr);
        known.reset(made);
        return made;
    }

    int most_bytes_;
    sqlite3* database_ = nullptr;
    std::map<int, Statement> of_count_;
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// What its fields are to be wide, all in all.
std::int64_t width_of(std::string_view form, int count, sqlite3_value** values) {
    constexpr std::string_view kBeforeTheLetter = "-+ #!0123456789,.*l";
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    std::int64_t sum = 0;
    int next = 1;  // of the values
    for (std::size_t at = form.find('%'); at != std::string_view::npos; at = form.find('%', at + 1)) {
        std::int64_t number = 0;
        for (++at; at < form.size() && kBeforeTheLetter.find(form[at]) != std::string_view::npos; ++at) {
            number = is_digit(form[at]) ? std::min(number * 10 + (form[at] - '0'), kMost) : 0;
            const bool is_whole = at + 1 == form.size() || !is_digit(form[at + 1]);
            if (is_whole) sum = std::min(sum + number, kMost);
            if (form[at] != '*') continue;
            if (next < count) sum += std::abs(std::int64_t{static_cast<int>(sqlite3_value_int64(values[next]))});
            ++next;
        }
        if (at < form.size() && form[at] != '%' && form[at] != 'n') ++next;
    }
    return sum;
}

void print(sqlite3_context* context, int count, sqlite3_value** values) {
    const auto* form = count == 0 ? nullptr : reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
    const std::string_view text = form == nullptr ? std::string_view() : std::string_view(form);
    const int most = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
    if (width_of(text, count, values) > most) return sqlite3_result_error_toobig(context);
    static_cast<PlainPrintf*>(sqlite3_user_data(context))->call(context, count, values);
}

}  // namespace

int bound_printf(sqlite3* database) {
    for (const char* name : {"printf", "format"}) {
        auto plain = std::make_unique<PlainPrintf>(sqlite3_limit(database, SQLITE_LIMIT_LENGTH, -1));
        const int code = sqlite3_create_function_v2(
            database, name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, plain.release(), print, nullptr,
            nullptr, [](void* plain_printf) { delete static_cast<PlainPrintf*>(plain_printf); });
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

}  // namespace sla::sql
