#include "viewer/sql/engine.h"

#include "viewer/sql/caret.h"
#include "viewer/sql/functions.h"
#include "viewer/sql/heap.h"
#include "viewer/sql/printf_function.h"
#include "viewer/sql/tables/virtual_table.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sla::sql {

namespace {

constexpr int kStepsPerLook = 4000;  // of SQLite's machine: some 100 us

// What a question may grow to; beyond it SQLite refuses it in words.
constexpr std::array<std::pair<int, int>, 6> kBounds = {{{SQLITE_LIMIT_LENGTH, 8 << 20},
                                                         {SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
                                                         {SQLITE_LIMIT_EXPR_DEPTH, 200},
                                                         {SQLITE_LIMIT_COMPOUND_SELECT, 100},
                                                         {SQLITE_LIMIT_ATTACHED, 0},
                                                         {SQLITE_LIMIT_TRIGGER_DEPTH, 1}}};

// A table is described to SQLite when it is first named, in statements that no question may use: done beforehand.
void connect_table(sqlite3* database, const std::string& name) {
    sqlite3_stmt* statement = nullptr;
    const std::string question = "SELECT 1 FROM " + name;
    sqlite3_prepare_v2(database, question.c_str(), -1, &statement, nullptr);
    sqlite3_finalize(statement);
}

TickRange joined(const TickRange& one, const TickRange& other) {
    if (one.empty() || other.empty()) return one.empty() ? other : one;
    return {std::min(one.first, other.first), std::max(one.last, other.last)};
}

std::string_view trimmed_tail(const char* tail, const char* end) {
    return {tail, static_cast<std::size_t>(end - tail)};
}

}  // namespace

struct Engine::Parts {
    ~Parts() { sqlite3_close_v2(database); }
    Shared shared;
    std::uint64_t memory_bytes = 0;
    sqlite3* database = nullptr;
};

Engine::Engine(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::open(const std::vector<Capture>& captures, EngineOptions options) {
    auto parts = std::make_unique<Parts>();
    Captures& named = parts->shared.captures;
    for (const Capture& capture : captures) named.emplace_back(capture, named.empty() ? 0 : named.back().rows_until());
    parts->shared.go_on = options.go_on ? std::move(options.go_on) : [] { return true; };
    std::unique_ptr<Engine> engine(new Engine(std::move(parts)));
    if (auto done = engine->configure(options.memory_bytes); !done.ok()) return done.error();
    return engine;
}

Result<void> Engine::configure(std::uint64_t memory_bytes) {
    parts_->memory_bytes = memory_bytes;
    bound_heap(memory_bytes);
    int code = sqlite3_open_v2(":memory:", &parts_->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
    sqlite3* database = parts_->database;
    if (code == SQLITE_OK) code = add_tables(database, parts_->shared);
    if (code == SQLITE_OK) code = add_functions(database);
    // Sorting stays in memory, so that no question writes to a disk.
    if (code == SQLITE_OK) code = sqlite3_exec(database, "PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return unavailable(std::string("cannot start SQLite: ") + sqlite3_errstr(code));
    for (const Table& table : tables()) connect_table(database, table.name);
    // SQLite's own that only read what the question gives them, or say what there is.
    for (const char* name : {"json_each", "json_tree"}) connect_table(database, name);
    for (const char* pragma : kOpenPragmas) connect_table(database, std::string("pragma_") + pragma);
    for (const auto& [bound, value] : kBounds) sqlite3_limit(database, bound, value);
    if (code = bound_printf(database); code != SQLITE_OK)
        return unavailable(std::string("cannot start SQLite: ") + sqlite3_errstr(code));
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    sqlite3_progress_handler(
        database, kStepsPerLook, [](void* shared) { return static_cast<Shared*>(shared)->go_on() ? 0 : 1; },
        &parts_->shared);
    permit_.guard(database);
    return {};
}

Result<sqlite3_stmt*> Engine::prepare(std::string_view question) {
    permit_.begin();
    if (question.find('\0') != std::string_view::npos) return invalid_input("the question holds a byte 0");
    sqlite3_stmt* statement = nullptr;
    const char* tail = nullptr;
    const int code =
        sqlite3_prepare_v2(parts_->database, question.data(), static_cast<int>(question.size()), &statement, &tail);
    if (code != SQLITE_OK) return error_of(code, question);
    if (statement == nullptr) return invalid_input("there is no question: ask as in 'SELECT count(*) FROM events'");
    sqlite3_stmt* second = nullptr;
    const std::string_view rest = trimmed_tail(tail, question.data() + question.size());
    const int rest_code = sqlite3_prepare_v2(parts_->database, rest.data(), static_cast<int>(rest.size()), &second, nullptr);
    const bool is_alone = rest_code == SQLITE_OK && second == nullptr;
    const bool is_bare = sqlite3_bind_parameter_count(statement) == 0;
    sqlite3_finalize(second);
    const bool is_question = sqlite3_stmt_readonly(statement) != 0 && sqlite3_column_count(statement) > 0;
    if (is_alone && is_bare && is_question) return statement;
    sqlite3_finalize(statement);
    if (!is_alone) return invalid_input("one question at a time: something follows behind the first ';'");
    if (!is_bare) return invalid_input("the question has a place for a value (?, :name): write the value itself");
    return permit_.refusal(question);
}

Result<void> Engine::ask(std::string_view question, Answer& answer) {
    const auto prepared = prepare(question);
    if (!prepared.ok()) return prepared.error();
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(*prepared, sqlite3_finalize);
    std::vector<std::string> columns;
    for (int i = 0; i < sqlite3_column_count(statement.get()); ++i) {
        const char* name = sqlite3_column_name(statement.get(), i);
        columns.emplace_back(name == nullptr ? "" : name);
    }
    if (auto begun = answer.begin(columns); !begun.ok()) return begun;
    const AnswerRow row(statement.get());
    for (;;) {
        const int code = sqlite3_step(statement.get());
        if (code == SQLITE_DONE) return {};
        if (code != SQLITE_ROW) return error_of(code, question);
        const auto more = answer.row(row);
        if (!more.ok()) return more.error();
        // A field that could not be made ready was handed over as an empty one.
        if (sqlite3_errcode(parts_->database) == SQLITE_NOMEM) return error_of(SQLITE_NOMEM, question);
        if (!*more) return {};
    }
}

// How many walks over tables its plan has.
Result<std::size_t> Engine::walks_of(std::string_view question) {
    class Opened final : public Answer {
    public:
        Result<void> begin(const std::vector<std::string>&) override { return {}; }
        Result<bool> row(const AnswerRow& row) override {
            walks += row.size() > 1 && row.bytes(1) == "VOpen" ? 1 : 0;
            return true;
        }
        std::size_t walks = 0;
    } opened;
    const auto asked = ask("EXPLAIN " + std::string(question), opened);
    return asked.ok() ? Result<std::size_t>(opened.walks) : asked.error();
}

Result<std::vector<TickRange>> Engine::ticks_needed(std::string_view question) {
    class Ignored final : public Answer {
    public:
        Result<void> begin(const std::vector<std::string>&) override { return {}; }
        Result<bool> row(const AnswerRow&) override { return true; }
    } ignored;
    const Captures& captures = parts_->shared.captures;
    std::vector<TickRange> ticks(captures.size(), TickRange{1, 0});
    bool is_known = true;
    parts_->shared.on_scan = [&](const Table& table, const Request& request) {
        is_known = is_known && std::string_view(table.name) == "events";
        for (std::size_t i = 0; i < ticks.size(); ++i) ticks[i] = joined(ticks[i], request.ticks(captures[i]));
        return true;
    };
    const auto asked = ask(question, ignored);
    parts_->shared.on_scan = nullptr;
    if (!asked.ok()) return asked.error();
    is_known = is_known && !permit_.looks_back() && tables_read() == std::set<std::string>{"events"};
    const auto walks = walks_of(question);
    if (!is_known || !walks.ok() || *walks != 1) ticks.assign(captures.size(), TickRange());
    return ticks;
}

void Engine::limit_to(std::vector<TickRange> ticks) {
    parts_->shared.on_scan = [this, ticks = std::move(ticks)](const Table&, const Request& request) {
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            const TickRange wanted = request.ticks(parts_->shared.captures[i]);
            const bool is_there = wanted.first >= ticks[i].first && wanted.last <= ticks[i].last;
            if (!wanted.empty() && !is_there) return false;
        }
        return true;
    };
}

Error Engine::error_of(int code, std::string_view question) const {
    const std::string said = sqlite3_errmsg(parts_->database);
    if (code == SQLITE_INTERRUPT) return unavailable("stopped; the answer is not whole");
    if (code == SQLITE_NOMEM) {
        return unavailable("the question needs more than " + std::to_string(parts_->memory_bytes >> 20) +
                           " MiB of memory: ask for a shorter range or fewer rows, or allow more (--memory)");
    }
    if (permit_.is_refused()) return permit_.refusal(question);
    if (said == "no query solution" && tables_read().contains("pairs"))
        return invalid_input("SQL: pairs wants two channels: FROM pairs('A', 'B')");
    if (said.starts_with("no such table")) {
        return invalid_input("SQL: " + said + "; there are " + table_names(", ") +
                             with_caret(question, sqlite3_error_offset(parts_->database)));
    }
    return invalid_input("SQL: " + said + with_caret(question, sqlite3_error_offset(parts_->database)));
}

bool is_whole_question(const std::string& text) {
    return sqlite3_complete(text.c_str()) != 0;
}

}  // namespace sla::sql
