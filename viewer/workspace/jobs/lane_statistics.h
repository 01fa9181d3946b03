// Statistics of every lane over one range: lane after lane, each in steps of a frame's budget, or by a job of its own where
// rows stay in the file.
//
//   step() ─► lane 0: StatisticsWalk │ BackgroundStatistics ─► lane 1 ─► … ─► all counted; again when rows or the range changed
//
// A pass counts its range to the end though the view moves on, so that numbers come while the newest is followed; another
// range that has nothing in common with it, and other options, begin anew. Owner: the session's thread; goes before it.
#pragma once

#include "viewer/workspace/jobs/statistics_walk.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sla::workspace {

class LaneStatistics {
public:
    struct Row {
        const store::Lane* lane = nullptr;
        std::optional<Counted> counted;  // nothing: not yet
        timeline::TickRange range;       // that was counted
    };
    struct Question {
        const store::Session* session = nullptr;
        const std::vector<const store::Lane*>* lanes = nullptr;
        timeline::TickRange range;
        StatisticsOptions options;
        std::function<DataSource::Loader()> make_loader;  // for lanes whose rows are not here; an empty one: not yet
    };

    // Goes on for so long; called once a frame while the numbers are looked at.
    void step(const Question& question, std::chrono::microseconds budget);
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    // Not all lanes are counted.
    [[nodiscard]] bool is_counting() const { return next_ < rows_.size(); }
    [[nodiscard]] std::size_t counted() const { return next_; }
    // Changes with the numbers.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

private:
    [[nodiscard]] bool is_other(const Question& question) const;
    void begin(const Question& question);
    // Whether the next lane was counted.
    bool count_next(const Question& question, std::chrono::microseconds budget);
    [[nodiscard]] const Counted* count_far(const Question& question, const store::Lane& lane);

    std::vector<Row> rows_;
    std::size_t next_ = 0;  // of rows_: those before it are counted
    timeline::TickRange range_;
    StatisticsOptions options_;
    std::uint64_t session_revision_ = 0;  // when the pass began
    int rest_ = 0;                        // frames until another pass over the same place, whose rows have grown
    std::unique_ptr<StatisticsWalk> walk_;
    BackgroundStatistics background_;
    std::uint64_t revision_ = 0;
};

}  // namespace sla::workspace
