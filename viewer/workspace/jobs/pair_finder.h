// The pairs from one lane to another, held against a limit with three verdicts, found beside the frames. Owner: the window's
// thread.
#pragma once

#include "proto/base/strong_id.h"
#include "viewer/analysis/intervals/intervals.h"
#include "viewer/analysis/limits/limit.h"
#include "viewer/timeline/tick_range.h"
#include "viewer/workspace/jobs/background_answer.h"

#include <algorithm>
#include <array>
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

struct PairQuestion {
    ChannelId from;
    ChannelId to;
    timeline::TickRange range;
    std::string limit;                                                // as parse_pair_limit takes it; a wrong one is none
    std::array<std::uint64_t, 2> rows{store::kNever, store::kNever};  // rows_until() the range's end, of each
    bool operator==(const PairQuestion&) const = default;
    [[nodiscard]] std::vector<ChannelId> channels() const { return {std::min(from, to), std::max(from, to)}; }
    [[nodiscard]] bool is_near(const PairQuestion& other) const {
        return from == other.from && to == other.to && limit == other.limit && timeline::have_common(range, other.range);
    }
};

// On any thread. Nothing: there are no such channels, or it was cancelled.
std::optional<std::shared_ptr<const FoundPairs>> find_pairs(const store::Session& session, const PairQuestion& question,
                                                            const JobRunner::Control& control);

class BackgroundPairs : public BackgroundAnswer<PairQuestion, std::shared_ptr<const FoundPairs>> {
public:
    BackgroundPairs() : BackgroundAnswer("finding pairs", find_pairs) {}
};

}  // namespace sla::workspace
