#include "viewer/sql/virtual_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

namespace sla::sql {

namespace {

struct Registered {
    const Table* table;
    const Shared* shared;
};

struct OpenTable : sqlite3_vtab {
    OpenTable(const Table& from, const Shared& with) : sqlite3_vtab{}, table(from), shared(with) {}
    const Table& table;
    const Shared& shared;
};

struct Cursor : sqlite3_vtab_cursor {
    Cursor() : sqlite3_vtab_cursor{} {}
    Request request;
    std::unique_ptr<Scan> scan;  // goes before the request it looks at
    std::int64_t row = 0;
    bool at_end = true;
};

// A plan is handed from choosing to scanning as text: two characters for each argument, its column's role and its test;
// then two for each term of the order that rows are to come in.
constexpr char kPlanBase = 'A';

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

bool is_used(Role role, Test test) {
    const bool is_pattern = test == Test::kGlob || test == Test::kLike;
    if (is_time(role)) return !is_pattern;
    return is_name(role) && (is_pattern || test == Test::kEqual);
}

// Of the rows, how many the test is thought to leave.
double share_left(Role role, Test test) {
    if (is_time(role)) return test == Test::kEqual ? 1e-6 : 0.1;
    return test == Test::kEqual ? 0.1 : 0.3;
}

int refuse(sqlite3_vtab* base, const char* why) {
    sqlite3_free(base->zErrMsg);
    base->zErrMsg = sqlite3_mprintf("%s", why);
    return SQLITE_ERROR;
}

int connect(sqlite3* database, void* registered, int, const char* const*, sqlite3_vtab** made, char**) {
    const auto& from = *static_cast<const Registered*>(registered);
    std::string columns;
    for (const Column& column : from.table->columns) {
        columns += (columns.empty() ? "" : ",") + std::string(column.name) + " " + column.type;
        if (column.is_hidden) columns += " HIDDEN";
    }
    const int code = sqlite3_declare_vtab(database, ("CREATE TABLE x(" + columns + ")").c_str());
    if (code != SQLITE_OK) return code;
    sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
    *made = new (std::nothrow) OpenTable(*from.table, *from.shared);
    return *made == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int disconnect(sqlite3_vtab* base) {
    delete static_cast<OpenTable*>(base);
    return SQLITE_OK;
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

// What a question looks at, as idxNum.
enum Looks : int { kAtNothing = 1, kAtTextsOfLanes = 2, kAtOneOfEach = 4 };

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

int choose(sqlite3_vtab* base, sqlite3_index_info* info) {
    auto& open = *static_cast<OpenTable*>(base);
    std::string plan;
    double rows = open.table.rows(open.shared.captures);
    unsigned roles = 0;
    bool may_come = false;  // what lacks here is known in another order of tables
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto& constraint = info->aConstraint[i];
        const auto test = test_of(constraint.op);
        if (constraint.iColumn < 0 || !test) continue;
        const Column& column = open.table.columns[static_cast<std::size_t>(constraint.iColumn)];
        if (!is_used(column.role, *test)) continue;
        if (constraint.usable == 0) {
            may_come = may_come || column.is_hidden;
            continue;
        }
        if (*test == Test::kEqual && is_name(column.role) && std::strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)
            continue;
        // All values of an IN at once: one scan, in order, instead of one for each.
        const bool is_list =
            *test == Test::kEqual && is_name(column.role) && !column.is_hidden && sqlite3_vtab_in(info, i, 1) != 0;
        plan += static_cast<char>(kPlanBase + static_cast<char>(column.role));
        plan += static_cast<char>(kPlanBase + static_cast<char>(is_list ? Test::kOneOf : *test));
        info->aConstraintUsage[i].argvIndex = static_cast<int>(plan.size() / 2);
        // What hidden columns are given is no condition on rows.
        info->aConstraintUsage[i].omit = column.is_hidden ? 1 : 0;
        rows *= share_left(column.role, *test);
        roles |= 1U << static_cast<unsigned>(column.role);
    }
    if (lacks_names(open.table, roles)) {
        if (may_come) return SQLITE_CONSTRAINT;
        return refuse(base, "pairs wants two channels: FROM pairs('A', 'B')");
    }
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

int open_cursor(sqlite3_vtab*, sqlite3_vtab_cursor** made) {
    *made = new (std::nothrow) Cursor;
    return *made == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int close_cursor(sqlite3_vtab_cursor* base) {
    delete static_cast<Cursor*>(base);
    return SQLITE_OK;
}

int next_row(Cursor& cursor) {
    const auto& open = *static_cast<OpenTable*>(cursor.pVtab);
    cursor.at_end = !cursor.scan->next();
    ++cursor.row;
    return cursor.at_end && !open.shared.go_on() ? SQLITE_INTERRUPT : SQLITE_OK;
}

std::string text_of(sqlite3_value* value) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    if (text == nullptr) throw std::bad_alloc();
    return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

void add_name(Role role, Test test, sqlite3_value* value, Request& request) {
    if (sqlite3_value_type(value) != SQLITE_BLOB) request.names.push_back({role, test, text_of(value)});
}

int add_list(Role role, sqlite3_value* list, Request& request) {
    NameTest test{role, Test::kOneOf, ""};
    sqlite3_value* value = nullptr;
    int code = sqlite3_vtab_in_first(list, &value);
    for (; code == SQLITE_OK; code = sqlite3_vtab_in_next(list, &value)) {
        const int type = sqlite3_value_type(value);
        if (type != SQLITE_NULL && type != SQLITE_BLOB) test.texts.push_back(text_of(value));
    }
    request.names.push_back(std::move(test));
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

void add_bound(Role role, Test test, sqlite3_value* value, Request& request) {
    switch (sqlite3_value_numeric_type(value)) {
        case SQLITE_INTEGER:
            request.bounds.push_back({role, test, static_cast<long double>(sqlite3_value_int64(value))});
            break;
        case SQLITE_FLOAT:
            request.bounds.push_back({role, test, static_cast<long double>(sqlite3_value_double(value))});
            break;
        default: break;  // texts stand above all numbers: left to SQLite
    }
}

// A condition of the plan; false: no row fulfils it.
bool add_condition(Role role, Test test, sqlite3_value* value, Request& request) {
    if (test == Test::kOneOf) {
        if (add_list(role, value, request) != SQLITE_OK) throw std::bad_alloc();
        return true;
    }
    if (sqlite3_value_type(value) == SQLITE_NULL) return false;  // nothing compares with null
    is_time(role) ? add_bound(role, test, value, request) : add_name(role, test, value, request);
    return true;
}

int start_scan(sqlite3_vtab_cursor* base, int looks, const char* plan, int count, sqlite3_value** values) {
    auto& cursor = *static_cast<Cursor*>(base);
    const auto& open = *static_cast<OpenTable*>(base->pVtab);
    cursor.scan.reset();
    cursor.at_end = true;
    cursor.row = 0;
    try {
        cursor.request = {};
        cursor.request.counts_only = (looks & kAtNothing) != 0;
        cursor.request.texts_of_lanes_only = (looks & kAtTextsOfLanes) != 0;
        cursor.request.one_of_each = (looks & kAtOneOfEach) != 0;
        for (int i = 0; i < count; ++i) {
            const auto role = static_cast<Role>(plan[2 * i] - kPlanBase);
            const auto test = static_cast<Test>(plan[2 * i + 1] - kPlanBase);
            if (!add_condition(role, test, values[i], cursor.request)) return SQLITE_OK;
        }
        for (const char* term = plan + 2 * count; *term != 0; term += 2) {
            const auto role = static_cast<Role>(term[0] - kPlanBase);
            if (is_name(role)) cursor.request.grouped.push_back({role, term[1] != kPlanBase});
        }
        if (open.shared.on_scan && !open.shared.on_scan(open.table, cursor.request))
            return refuse(base->pVtab, "it asks for other times than those it was made ready for");
        cursor.scan = open.table.scan(open.shared.captures, cursor.request, open.shared.go_on);
        if (const char* why = cursor.scan->problem()) return refuse(base->pVtab, why);
        return next_row(cursor);
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    }
}

int step_scan(sqlite3_vtab_cursor* base) {
    try {
        return next_row(*static_cast<Cursor*>(base));
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    }
}

int is_at_end(sqlite3_vtab_cursor* base) {
    return static_cast<Cursor*>(base)->at_end ? 1 : 0;
}

int put_column(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
    Cell cell(context);
    try {
        static_cast<Cursor*>(base)->scan->put(static_cast<std::size_t>(column), cell);
        return SQLITE_OK;
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    }
}

int put_rowid(sqlite3_vtab_cursor* base, sqlite3_int64* row) {
    *row = static_cast<Cursor*>(base)->row;
    return SQLITE_OK;
}

// Without xCreate the tables are there by their names alone; without xUpdate nothing can be written.
const sqlite3_module& read_only_module() {
    static const sqlite3_module kModule = [] {
        sqlite3_module module{};
        module.xConnect = connect;
        module.xBestIndex = choose;
        module.xDisconnect = disconnect;
        module.xOpen = open_cursor;
        module.xClose = close_cursor;
        module.xFilter = start_scan;
        module.xNext = step_scan;
        module.xEof = is_at_end;
        module.xColumn = put_column;
        module.xRowid = put_rowid;
        return module;
    }();
    return kModule;
}

}  // namespace

int add_tables(sqlite3* database, const Shared& shared) {
    for (const Table& table : tables()) {
        auto registered = std::make_unique<Registered>(Registered{&table, &shared});
        const int code = sqlite3_create_module_v2(database, table.name, &read_only_module(), registered.release(),
                                                  [](void* one) { delete static_cast<Registered*>(one); });
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}

std::string schema_of(const Table& table) {
    std::string columns;
    for (const Column& column : table.columns) {
        if (column.is_hidden) continue;
        columns += (columns.empty() ? "" : ", ") + std::string(column.name);
        if (*column.type != 0) columns += " " + std::string(column.type);
    }
    return "-- " + std::string(table.what) + "\nCREATE TABLE " + table.name + "(" + columns + ");\n";
}

}  // namespace sla::sql
