#include "viewer/sql/tables/table_plan.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

namespace sla::sql {

namespace {

std::optional<Test> test_of(unsigned char op) {
    switch (op) {
        case SQLITE_INDEX_CONSTRAINT_EQ: return Test::kEqual;
        case SQLITE_INDEX_CONSTRAINT_LT: return Test::kLess;
        case SQLITE_INDEX_CONSTRAINT_LE: return Test::kLessEqual;
        case SQLITE_INDEX_CONSTRAINT_GT: return Test::kGreater;
        case SQLITE_INDEX_CONSTRAINT_GE: return Test::kGreaterEqual;
        case SQLITE_INDEX_CONSTRAINT_GLOB: return Test::kGlob;
        case SQLITE_INDEX_CONSTRAINT_LIKE: return Test::kLike;
        default: return std::nullopt;
    }
}

bool is_used(const Column& column, Test test) {
    const Role role = column.role;
    if (column.is_hidden) return test == Test::kEqual;
    const bool is_pattern = test == Test::kGlob || test == Test::kLike;
    if (is_time(role)) return !is_pattern;
    return is_name(role) && (is_pattern || test == Test::kEqual);
}

// Of the rows, how many the test is thought to leave.
double share_left(Role role, Test test) {
    if (is_time(role)) return test == Test::kEqual ? 1e-6 : 0.1;
    return test == Test::kEqual ? 0.1 : 0.3;
}

// Beyond so many threads of a capture their rows are better sorted than walked over once a thread.
constexpr std::size_t kMaxThreads = 256;

bool is_grouped_by(const OpenTable& open, Role role) {
    const auto& roles = open.table.groups_by;
    if (std::find(roles.begin(), roles.end(), role) == roles.end()) return false;
    const auto has_few = [](const NamedCapture& capture) { return capture.session().threads().size() <= kMaxThreads; };
    const Captures& captures = open.shared.captures;
    return role != Role::kThread || std::all_of(captures.begin(), captures.end(), has_few);
}

// Rows can be given in order of names that whole groups of them share, then of time: SQLite need not sort them. The terms go
// behind the plan's tests in the same form; empty: none.
std::string order_of(const OpenTable& open, const sqlite3_index_info& info) {
    std::string order;
    for (int i = 0; i < info.nOrderBy; ++i) {
        const auto& term = info.aOrderBy[i];
        if (term.iColumn < 0) return "";
        const Role role = open.table.columns[static_cast<std::size_t>(term.iColumn)].role;
        if (is_time(role)) {
            const bool is_given = open.table.is_in_tick_order && open.shared.captures.size() == 1 && i + 1 == info.nOrderBy;
            if (!is_given || term.desc != 0) return "";
        } else if (!is_grouped_by(open, role)) {
            return "";
        }
        order += static_cast<char>(kPlanBase + static_cast<char>(role));
        order += static_cast<char>(kPlanBase + (term.desc != 0 ? 1 : 0));
    }
    return order;
}

int looks_of(const Table& table, sqlite3_index_info& info) {
    if (info.colUsed == 0) return kAtNothing;
    constexpr std::size_t kBits = 63;  // the last one stands for all columns behind
    if (table.columns.size() > kBits) return 0;
    bool are_in_order = info.orderByConsumed != 0;  // by each of them
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if ((info.colUsed >> column & 1U) == 0) continue;
        const Role role = table.columns[column].role;
        if (role != Role::kCapture && role != Role::kSource && role != Role::kChannel) return 0;
        const auto is_it = [&](const auto& term) { return term.iColumn == static_cast<int>(column); };
        are_in_order = are_in_order && std::any_of(info.aOrderBy, info.aOrderBy + info.nOrderBy, is_it);
    }
    if (info.orderByConsumed != 0 && !are_in_order) return 0;  // lanes of one group differ
    constexpr int kDistinct = 2;
    return kAtTextsOfLanes | (are_in_order && sqlite3_vtab_distinct(&info) >= kDistinct ? kAtOneOfEach : 0);
}

// Pairs without both names are every pair there is: nobody means that.
bool lacks_names(const Table& table, unsigned roles) {
    for (const Column& column : table.columns) {
        if (column.is_hidden && (roles >> static_cast<unsigned>(column.role) & 1U) == 0) return true;
    }
    return false;
}

}  // namespace

int refuse(sqlite3_vtab* base, const char* why) {
    sqlite3_free(base->zErrMsg);
    base->zErrMsg = sqlite3_mprintf("%s", why);
    return SQLITE_ERROR;
}

int choose_plan(sqlite3_vtab* base, sqlite3_index_info* info) {
    auto& open = *static_cast<OpenTable*>(base);
    std::string plan;
    double rows = open.table.rows(open.shared.captures);
    unsigned roles = 0;
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto& constraint = info->aConstraint[i];
        const auto test = test_of(constraint.op);
        if (constraint.iColumn < 0 || !test) continue;
        const Column& column = open.table.columns[static_cast<std::size_t>(constraint.iColumn)];
        if (!is_used(column, *test)) continue;
        if (constraint.usable == 0) continue;
        if (*test == Test::kEqual && is_name(column.role) && std::strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)
            continue;
        // All values of an IN at once: one scan, in order, instead of one for each.
        const bool is_list =
            *test == Test::kEqual && is_name(column.role) && !column.is_hidden && sqlite3_vtab_in(info, i, 1) != 0;
        plan += static_cast<char>(kPlanBase + static_cast<char>(column.role));
        plan += static_cast<char>(kPlanBase + static_cast<char>(is_list ? Test::kOneOf : *test));
        info->aConstraintUsage[i].argvIndex = static_cast<int>(plan.size() / 2);
        // What a hidden column is given first is no condition on rows.
        const bool is_given = (roles >> static_cast<unsigned>(column.role) & 1U) != 0;
        info->aConstraintUsage[i].omit = column.is_hidden && !is_given ? 1 : 0;
        rows *= share_left(column.role, *test);
        roles |= 1U << static_cast<unsigned>(column.role);
    }
    // They may be known in another order of tables, or where no side of an OR is walked over for itself.
    if (lacks_names(open.table, roles)) return SQLITE_CONSTRAINT;
    const std::string order = order_of(open, *info);
    info->orderByConsumed = order.empty() ? 0 : 1;
    plan += order;
    info->idxNum = looks_of(open.table, *info);
    info->idxStr = sqlite3_mprintf("%s", plan.c_str());
    if (info->idxStr == nullptr) return SQLITE_NOMEM;
    info->needToFreeIdxStr = 1;
    info->estimatedRows = static_cast<sqlite3_int64>(rows) + 1;
    info->estimatedCost = rows + 100;
    return SQLITE_OK;
}

}  // namespace sla::sql
