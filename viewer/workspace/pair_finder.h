// The pairs from one lane to another, found in steps of a frame's budget and held against a limit with three verdicts.
// Owner: the session's thread; goes before the session.
#pragma once

#include "viewer/analysis/interval_steps.h"
#include "viewer/analysis/limit.h"
#include "viewer/timeline/tick_range.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sla::workspace {

enum class PairVerdict : std::uint8_t { kNone, kPass, kFail, kCannotTell };

// Held against the bound as `sla check` does, the error counting. One without an end of its own has a verdict only when it
// lasted too long already.
PairVerdict pair_verdict(const analysis::Interval& pair, const analysis::Limit& limit, const time::ClockMap& clock);

struct FoundPairs {
    std::vector<analysis::Interval> pairs;  // by their ends
    std::array<std::size_t, 4> counts{};    // by verdict
};

class PairFinder {
public:
    PairFinder(const store::Session& session, const store::Lane& from, const store::Lane& to, timeline::TickRange range,
               const std::optional<analysis::Limit>& limit);
    PairFinder(const PairFinder&) = delete;
    PairFinder& operator=(const PairFinder&) = delete;

    // Goes on for so long. Null: not all are found yet; else all, once.
    std::shared_ptr<const FoundPairs> step(std::chrono::microseconds budget);

private:
    void add(const analysis::Interval& pair);

    const store::Session& session_;
    const std::optional<analysis::Limit> limit_;
    std::shared_ptr<FoundPairs> found_ = std::make_shared<FoundPairs>();
    std::unique_ptr<analysis::IntervalSteps> steps_;
};

}  // namespace sla::workspace
