// The pairs from one lane to another, held against a limit with three verdicts: found in steps of a frame's budget, or, where
// rows stay in the file, by a job. Owner: the session's thread; goes before the session.
#pragma once

#include "viewer/analysis/intervals/interval_steps.h"
#include "viewer/analysis/limits/limit.h"
#include "viewer/timeline/tick_range.h"
#include "viewer/workspace/jobs/background_answer.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

enum class PairVerdict : std::uint8_t { kNone, kPass, kFail, kCannotTell };

// Held against the bound as `sla check` does, the error counting. One without an end of its own has a verdict only when it
// lasted too long already.
PairVerdict pair_verdict(const analysis::Interval& pair, const analysis::Limit& limit, const time::ClockMap& clock);

struct FoundPairs {
    static constexpr std::uint64_t kMaxEvents = 2'000'000;  // of both lanes; more is asked to be narrowed down

    std::uint64_t events = 0;               // more than kMaxEvents: no pairs were looked for
    std::vector<analysis::Interval> pairs;  // by their ends
    std::array<std::size_t, 4> counts{};    // by verdict
};

// What stands behind "width pair" in a limit: "< 50us". Blank: there is no limit.
Result<std::optional<analysis::Limit>> parse_pair_limit(const std::string& text);

class PairFinder {
public:
    PairFinder(const store::Session& session, const store::Lane& from, const store::Lane& to, timeline::TickRange range,
               const std::optional<analysis::Limit>& limit);
    PairFinder(const PairFinder&) = delete;
    PairFinder& operator=(const PairFinder&) = delete;

    // At most so many rows of `from`. False: there are none left.
    bool go_on(std::uint64_t rows) { return steps_ != nullptr && steps_->step(rows); }
    // All, once none is left.
    std::shared_ptr<const FoundPairs> take() { return std::move(found_); }
    // Goes on for so long. Null: not all are found yet; else all, once.
    std::shared_ptr<const FoundPairs> step(std::chrono::microseconds budget);

private:
    void add(const analysis::Interval& pair);

    const time::ClockMap clock_;
    const std::optional<analysis::Limit> limit_;
    std::shared_ptr<FoundPairs> found_ = std::make_shared<FoundPairs>();
    std::unique_ptr<analysis::IntervalSteps> steps_;  // null: there are too many events
};

struct PairQuestion {
    ChannelId from;
    ChannelId to;
    timeline::TickRange range;
    std::string limit;  // as parse_pair_limit takes it; a wrong one is none
    bool operator==(const PairQuestion&) const = default;
};

class BackgroundPairs : public BackgroundAnswer<PairQuestion, std::shared_ptr<const FoundPairs>> {
public:
    BackgroundPairs();
};

}  // namespace sla::workspace
