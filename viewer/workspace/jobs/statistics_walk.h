// Statistics of a lane whose rows are here: counted in steps of a frame's budget; what is made of very many widths then is a
// job's. Owner: the session's thread; goes before the session.
#pragma once

#include "viewer/analysis/intervals/interval_steps.h"
#include "viewer/workspace/jobs/background_statistics.h"

#include <chrono>
#include <cstdint>
#include <memory>

namespace sla::workspace {

class StatisticsWalk {
public:
    StatisticsWalk(const store::Session& session, const store::Lane& lane, timeline::TickRange range,
                   const StatisticsOptions& options);

    // Goes on for so long. Null: not all is counted yet; else it stays.
    const Counted* step(std::chrono::microseconds budget);
    [[nodiscard]] const analysis::Overhead& overhead() const { return state_->intervals.overhead; }

private:
    // Outlives the walk while the job makes numbers of it.
    struct State {
        analysis::Intervals intervals;
        Counted counted;
    };
    void make_numbers();

    const store::Session& session_;
    const StatisticsOptions options_;
    const std::uint64_t events_;
    std::shared_ptr<State> state_ = std::make_shared<State>();
    std::unique_ptr<analysis::IntervalSteps> steps_;  // null: all were looked at
    bool is_made_ = false;
    JobRunner::Job job_;
};

}  // namespace sla::workspace
