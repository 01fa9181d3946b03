// Statistics of every lane over one range, counted beside the frames.
//
//   step() ─► job over a view: lane 0 ─► lane 1 ─► …, each number shown as it comes ─► all counted; again when rows or the
//                                                                                     range changed
//
// A pass counts its range to the end though the view moves on, so that numbers come while the newest is followed; another
// range that has nothing in common with it, and other options, begin anew. Owner: the window's thread.
#pragma once

#include "viewer/workspace/jobs/background_statistics.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sla::workspace {

class LaneStatistics {
public:
    struct Row {
        const store::Lane* lane = nullptr;
        std::optional<Counted> counted;  // nothing: not yet
        timeline::TickRange range;       // that was counted, as the lane knows it
    };
    struct Question {
        const store::Session* session = nullptr;
        const std::vector<const store::Lane*>* lanes = nullptr;
        const std::vector<const store::Lane*>* beside = nullptr;  // those of them that stand in other sessions
        timeline::TickRange range;
        StatisticsOptions options;
        std::vector<std::int64_t> offsets = {};  // a lane: it is drawn so many ticks later; empty: none is
    };

    // Once a frame while the numbers are looked at.
    void step(const Question& question);
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    // Not all lanes are counted.
    [[nodiscard]] bool is_counting() const { return pass_ != nullptr; }
    [[nodiscard]] std::size_t counted() const { return next_; }
    // Changes with the numbers.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

private:
    struct Pass;
    [[nodiscard]] bool is_other(const Question& question) const;
    void begin(const Question& question);
    void start(const Question& question);
    void take();

    std::vector<Row> rows_;
    std::size_t next_ = 0;  // of rows_: those before it are counted
    timeline::TickRange range_;
    std::vector<std::int64_t> offsets_;
    StatisticsOptions options_;
    std::uint64_t session_revision_ = 0;  // when the pass began
    int rest_ = 0;                        // frames until another pass over the same place, whose rows have grown
    std::shared_ptr<Pass> pass_;          // null: none is under way
    bool is_started_ = false;             // its job; one before it may have to end first
    JobRunner::Job job_;
    std::uint64_t revision_ = 0;
};

}  // namespace sla::workspace
