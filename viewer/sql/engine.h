// Engine: questions in SQL over captures. SQLite plans and computes; rows come from virtual tables over the sessions. A
// question only reads: nothing is written, attached or loaded, whatever it says. What it needs in memory is bounded, and it
// can be stopped at any time.
//
// Owner: the sessions' thread. The bound on memory is the process's: of several engines the one opened last sets it.
#pragma once

#include "proto/base/result.h"
#include "viewer/sql/capture.h"
#include "viewer/sql/permit.h"
#include "viewer/sql/request.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3_stmt;

namespace sla::sql {

// One row of an answer; stands until the next one.
class AnswerRow {
public:
    enum class Type : std::uint8_t { kNull, kInteger, kReal, kText, kBlob };

    explicit AnswerRow(sqlite3_stmt* statement) : statement_(statement) {}
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] Type type(std::size_t column) const;
    [[nodiscard]] std::int64_t integer(std::size_t column) const;
    [[nodiscard]] double real(std::size_t column) const;
    // Of texts and blobs, the bytes as they are.
    [[nodiscard]] std::string_view bytes(std::size_t column) const;

private:
    sqlite3_stmt* statement_;
};

// Who receives the answer.
class Answer {
public:
    virtual ~Answer() = default;
    virtual Result<void> begin(const std::vector<std::string>& columns) = 0;
    // False: no more is wanted.
    virtual Result<bool> row(const AnswerRow& row) = 0;
};

struct EngineOptions {
    std::uint64_t memory_bytes = std::uint64_t{512} << 20;
    std::function<bool()> go_on;  // asked some thousand times a second; false stops the question. May be empty
};

class Engine {
public:
    // The sessions outlive it and do not change.
    static Result<std::unique_ptr<Engine>> open(const std::vector<Capture>& captures, EngineOptions options = {});
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // One question. What is wrong with it is reported with the line and a caret below the place.
    Result<void> ask(std::string_view question, Answer& answer);
    // Of each capture the ticks (with some margin) of the rows that are all that a question can look at. Known before
    // there are any: sessions need not have more than their clocks. Everything, unless it is a single walk over
    // `events` and looks at no figure that reaches back to rows before.
    Result<std::vector<TickRange>> ticks_needed(std::string_view question);
    // Sessions have no other rows than these: a question that asks for more is refused.
    void limit_to(std::vector<TickRange> ticks);
    // Names of the tables that the last question looked into.
    [[nodiscard]] const std::set<std::string>& tables_read() const { return permit_.tables_read(); }

private:
    struct Parts;
    explicit Engine(std::unique_ptr<Parts> parts);
    Result<void> configure(std::uint64_t memory_bytes);
    Result<sqlite3_stmt*> prepare(std::string_view question);
    Result<std::size_t> walks_of(std::string_view question);
    [[nodiscard]] Error error_of(int code, std::string_view question) const;

    std::unique_ptr<Parts> parts_;
    Permit permit_;
};

// The tables and their columns, one or (name empty) all; kNotFound names those that are there.
Result<std::string> schema(std::string_view table = {});
std::string table_names(std::string_view between);
// It ends with a ';' that is in no text or comment.
bool is_whole_question(const std::string& text);

}  // namespace sla::sql
