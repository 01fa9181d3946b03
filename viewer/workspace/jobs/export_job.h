// An export beside the frames: a job over a view of the session, with the rows that were final when it began and the clock as
// it was then. Writes byte for byte what `sla export` writes of the same selection. Cancelled or dropped, it leaves no file.
// Owner: the window's thread.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/catalog/export.h"
#include "viewer/workspace/jobs/job_runner.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sla::workspace {

class ExportJob {
public:
    ExportJob(const store::Session& session, const analysis::Selection& selection, const formats::ExportOptions& options,
              std::string path);

    void cancel() { job_.cancel(); }
    [[nodiscard]] const std::string& path() const { return path_; }
    // Rows: written, and there are.
    [[nodiscard]] std::uint64_t done() const;
    [[nodiscard]] std::uint64_t all() const;
    // Null while it runs.
    [[nodiscard]] const Result<formats::ExportReport>* result() const;
    // The same, once it has ended, to the first who asks; of one that was cancelled nobody is told.
    [[nodiscard]] const Result<formats::ExportReport>* take_ending();
    // The file has all of the session's first so many events (gap rows aside); 0: it has only some, or a part of each, or is not
    // written.
    [[nodiscard]] std::uint64_t whole_until() const;

private:
    struct State;

    std::string path_;
    std::shared_ptr<State> state_;
    JobRunner::Job job_;
    bool is_ending_taken_ = false;
};

}  // namespace sla::workspace
