#include "viewer/workspace/pair_finder.h"

#include "viewer/analysis/interval_check.h"
#include "viewer/store/session.h"

namespace sla::workspace {

PairVerdict pair_verdict(const analysis::Interval& pair, const analysis::Limit& limit, const time::ClockMap& clock) {
    const auto verdict = analysis::verdict_of(pair, analysis::measured(clock, pair), limit);
    if (!verdict) return PairVerdict::kNone;
    switch (*verdict) {
        case analysis::Verdict::kPass: return PairVerdict::kPass;
        case analysis::Verdict::kFail: return PairVerdict::kFail;
        case analysis::Verdict::kCannotTell: break;
    }
    return PairVerdict::kCannotTell;
}

PairFinder::PairFinder(const store::Session& session, const store::Lane& from, const store::Lane& to,
                       timeline::TickRange range, const std::optional<analysis::Limit>& limit)
    : session_(session), limit_(limit) {
    analysis::Selection where;
    where.from = range.first;
    where.until = range.last + 1;
    // Each event begins one pair at most: growing would copy all of them in one frame.
    found_->pairs.reserve(from.upper_bound(range.last) - from.lower_bound(range.first));
    steps_ = analysis::pair_steps(from, to, where, [this](const analysis::Interval& pair) { add(pair); });
}

void PairFinder::add(const analysis::Interval& pair) {
    found_->pairs.push_back(pair);
    const auto verdict = limit_ ? pair_verdict(pair, *limit_, session_.clock()) : PairVerdict::kNone;
    ++found_->counts[static_cast<std::size_t>(verdict)];
}

std::shared_ptr<const FoundPairs> PairFinder::step(std::chrono::microseconds budget) {
    constexpr std::uint64_t kStartsPerStep = 1024;  // some ten microseconds
    const auto until = std::chrono::steady_clock::now() + budget;
    while (steps_->step(kStartsPerStep)) {
        if (std::chrono::steady_clock::now() >= until) return nullptr;
    }
    return std::move(found_);
}

}  // namespace sla::workspace
