// Asking: the SQL engine over a document's capture, in a job: over a view of its session, or over the file while that is still
// being read. It can be stopped at any time. Owner: the window's thread.
#pragma once

#include "proto/base/result.h"
#include "viewer/sql/engine.h"
#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/source/data_source.h"

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

    // Instead of one that is under way. What the work writes to belongs to it alone until the end, or is let go of by cancel().
    void begin(DataSource& source, Work work);
    // Once a frame. The end, once: with the error, if there was one.
    std::optional<Result<void>> poll();
    void cancel();
    [[nodiscard]] bool is_busy() const { return outcome_ != nullptr; }
    // "asking…"; empty: nothing is under way.
    [[nodiscard]] std::string words() const;

private:
    std::shared_ptr<std::string> outcome_;  // of the job: what was wrong; null: there is none
    JobRunner::Job job_;
};

}  // namespace sla::workspace
