// SqlQuestion: a question in SQL over a document's capture, answered beside the frames (asking.h). Bounded: so many rows and
// bytes of an answer, and of SQLite's memory. The answer before stays until the next one is there. Owner: the window's thread.
#pragma once

#include "viewer/workspace/sql/asking.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

struct SqlCell {
    std::string text;
    bool is_number = false;
};

struct SqlAnswer {
    static constexpr std::size_t kMaxRows = 100'000;
    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

    std::string question;
    std::vector<std::string> columns;
    std::vector<SqlCell> cells;  // row by row
    std::string problem;         // why there is none, or not all of it; empty: all is well
    bool is_cut = false;         // there are more rows than are kept
    double seconds = 0;

    [[nodiscard]] std::size_t rows() const { return columns.empty() ? 0 : cells.size() / columns.size(); }
    [[nodiscard]] const SqlCell& cell(std::size_t row, std::size_t column) const {
        return cells[row * columns.size() + column];
    }
    // Where a row happened: its column `tick`, else `begin_tick`; nothing when it has none.
    [[nodiscard]] std::optional<std::uint64_t> tick(std::size_t row) const;
};

class SqlQuestion {
public:
    // Instead of one that is under way.
    void ask(DataSource& source, const std::string& question);
    // Once a frame.
    void poll();
    void cancel();
    [[nodiscard]] bool is_busy() const { return asking_.is_busy(); }
    // The newest.
    [[nodiscard]] const SqlAnswer& answer() const { return answer_; }
    // "12 rows in 0.03 s"; empty: nothing was asked.
    [[nodiscard]] std::string words() const;

private:
    std::shared_ptr<SqlAnswer> result_;  // the job's while it runs; null: there is none
    SqlAnswer answer_;
    Asking asking_;  // last: it lets go of the job before what that writes to goes
};

}  // namespace sla::workspace
