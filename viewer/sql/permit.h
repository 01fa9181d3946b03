// Permit: a question may read, call functions that stay within it, and use a few pragmas that say what there is. SQLite asks about
// each while it prepares the question, before a step of it runs.
#pragma once

#include "proto/base/result.h"

#include <array>
#include <set>
#include <string>
#include <string_view>

struct sqlite3;

namespace sla::sql {

// Of the pragmas these; each is a table too, "pragma_table_info".
inline constexpr std::array kOpenPragmas = {"table_info", "table_xinfo", "table_list", "function_list"};

class Permit {
public:
    // From here on it is asked: it must stay where it is.
    void guard(sqlite3* database);
    // A question begins; what is said below is of it.
    void begin();

    [[nodiscard]] const std::set<std::string>& tables_read() const { return tables_read_; }
    // At deltas or their errors: a row's depend on the one before it.
    [[nodiscard]] bool looks_back() const { return looks_back_; }
    [[nodiscard]] bool is_refused() const { return is_refused_; }
    // For people.
    [[nodiscard]] Error refusal(std::string_view question) const;

private:
    static int on_action(void* permit, int action, const char* first, const char* second, const char* database,
                         const char* trigger);

    std::set<std::string> tables_read_;
    bool looks_back_ = false;
    bool is_refused_ = false;
    std::string refused_;  // by this function or pragma; empty: otherwise
};

}  // namespace sla::sql
