#include "viewer/sql/tables/virtual_table.h"

#include "viewer/sql/tables/table_plan.h"

#include <sqlite3.h>

#include <new>
#include <utility>

namespace sla::sql {

namespace {

struct Registered {
    const Table* table;
    const Shared* shared;
};

struct Cursor : sqlite3_vtab_cursor {
    Cursor() : sqlite3_vtab_cursor{} {}
    Request request;
    std::unique_ptr<Scan> scan;  // goes before the request it looks at
    bool at_end = true;
};

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
    try {
        *row = static_cast<sqlite3_int64>(static_cast<Cursor*>(base)->scan->number());
        return SQLITE_OK;
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    }
}

// Without xCreate the tables are there by their names alone; without xUpdate nothing can be written.
const sqlite3_module& read_only_module() {
    static const sqlite3_module kModule = [] {
        sqlite3_module module{};
        module.xConnect = connect;
        module.xBestIndex = choose_plan;
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
