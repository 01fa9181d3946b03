// SqlQuestion: a question in SQL over a document's capture, answered beside the frames by a job with a session of its own.
//
//   rows stay in a file     ─────────────────────► job: load, ask ─► answer
//   rows came from an agent ─► copied to a file, a turn a frame ─► job: load, ask ─► answer
//
// Bounded: so many rows and bytes of an answer, and of SQLite's memory. It can be stopped at any time; the answer before stays
// until the next one is there. Owner: the window's thread.
#pragma once

#include "viewer/workspace/jobs/export_job.h"
#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/source/data_source.h"

#include <chrono>
#include <cstdint>
#include <functional>
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
    static constexpr std::size_t kMostRows = 100'000;
    static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

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
    // Fills a session with the capture, in the job.
    using Load = std::function<Result<void>(store::Session&)>;

    SqlQuestion() = default;
    ~SqlQuestion() { cancel(); }
    SqlQuestion(const SqlQuestion&) = delete;
    SqlQuestion& operator=(const SqlQuestion&) = delete;

    // Instead of one that is under way. The source outlives the copying.
    void ask(DataSource& source, const std::string& question);
    // Once a frame.
    void step(std::chrono::milliseconds budget);
    void cancel();
    // The source goes: what is being copied from it cannot go on; what was copied can.
    void leave_source();
    [[nodiscard]] bool is_busy() const { return copy_ != nullptr || result_ != nullptr; }
    // The newest.
    [[nodiscard]] const SqlAnswer& answer() const { return answer_; }
    // "12 rows in 0.03 s", "copying what the agent sent, 40 %"; empty: nothing was asked.
    [[nodiscard]] std::string words() const;

private:
    struct CopiedFile;
    void copy(DataSource& source);
    void start(const Load& load);
    void refuse(const std::string& why);

    std::string question_;
    std::shared_ptr<CopiedFile> file_;  // of the copy; goes with the last who uses it
    std::unique_ptr<ExportJob> copy_;
    std::shared_ptr<SqlAnswer> result_;  // of the job; null: there is none
    JobRunner::Job job_;
    SqlAnswer answer_;
};

}  // namespace sla::workspace
