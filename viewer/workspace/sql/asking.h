// Asking: a document's capture brought to a session of its own, in a job, with the SQL engine over it.
//
//   rows stay in a file     ─────────────────────► job: load, work(engine)
//   rows came from an agent ─► copied to a file, a turn a frame ─► job: load, work(engine)
//
// It can be stopped at any time. Owner: the window's thread.
#pragma once

#include "viewer/sql/engine.h"
#include "viewer/workspace/jobs/export_job.h"
#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/source/data_source.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sla::workspace {

class Asking {
public:
    // In the job: with the engine, and the session it asks. What goes wrong is what the asking ends with.
    using Work = std::function<Result<void>(sql::Engine& engine, const store::Session& session)>;

    Asking() = default;
    ~Asking() { cancel(); }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

    // Instead of one that is under way. The source outlives the copying; what the work writes to belongs to it alone until the
    // end, or is let go of by cancel().
    void begin(DataSource& source, Work work);
    // Once a frame. The end, once: with the error, if there was one.
    std::optional<Result<void>> step(std::chrono::milliseconds budget);
    void cancel();
    // It reads rows of the source that the window still holds.
    [[nodiscard]] bool is_copying() const { return copy_ != nullptr; }
    [[nodiscard]] bool is_busy() const { return copy_ != nullptr || outcome_ != nullptr || refused_; }
    // "copying what the agent sent, 40 %", "asking…"; empty: nothing is under way.
    [[nodiscard]] std::string words() const;

private:
    using Load = std::function<Result<void>(store::Session&)>;
    struct CopiedFile;
    void copy(DataSource& source);
    void start(const Load& load);

    Work work_;
    std::shared_ptr<CopiedFile> file_;  // of the copy; goes with the last who uses it
    std::unique_ptr<ExportJob> copy_;
    std::shared_ptr<std::string> outcome_;  // of the job: what was wrong; null: there is none
    std::optional<Error> refused_;          // before there was a job
    JobRunner::Job job_;
};

}  // namespace sla::workspace
