#include "viewer/workspace/jobs/pair_finder.h"

#include "viewer/analysis/intervals/interval_steps.h"
#include "viewer/analysis/limits/interval_check.h"
#include "viewer/store/session.h"

namespace sla::workspace {

namespace {

constexpr std::uint64_t kStartsPerStep = 16'384;  // between looks whether it is cancelled

}  // namespace

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

Result<std::optional<analysis::Limit>> parse_pair_limit(const std::string& text) {
    if (text.find_first_not_of(' ') == std::string::npos) return std::optional<analysis::Limit>();
    const auto limit = analysis::parse_limit("width pair " + text);
    if (!limit || !limit->is_time()) return Error{ErrorCode::kInvalidInput, "write the limit like  < 50us  or  >= 1.5ms"};
    return std::optional(*limit);
}

std::optional<std::shared_ptr<const FoundPairs>> find_pairs(const store::Session& session, const PairQuestion& question,
                                                            const JobRunner::Control& control) {
    const store::Lane* const from = session.lane(question.from);
    const store::Lane* const to = session.lane(question.to);
    if (from == nullptr || to == nullptr) return std::nullopt;
    const timeline::TickRange& range = question.range;
    const auto events_in = [&](const store::Lane& lane) {
        return lane.upper_bound(range.last) - lane.lower_bound(range.first);
    };
    auto found = std::make_shared<FoundPairs>();
    const std::uint64_t begins = events_in(*from);
    found->events = begins + events_in(*to);
    if (found->events > FoundPairs::kMaxEvents) return found;
    found->pairs.reserve(begins);  // each event begins one pair at most
    const auto parsed = parse_pair_limit(question.limit);
    const std::optional<analysis::Limit> limit = parsed ? *parsed : std::nullopt;
    const time::ClockMap clock = session.clock_between(*from, *to);
    analysis::Selection where;
    where.from = range.first;
    where.until = range.last + 1;
    const auto steps = analysis::pair_steps(*from, *to, where, [&](const analysis::Interval& pair) {
        found->pairs.push_back(pair);
        const auto verdict = limit ? pair_verdict(pair, *limit, clock) : PairVerdict::kNone;
        ++found->counts[static_cast<std::size_t>(verdict)];
    });
    while (steps->step(kStartsPerStep)) {
        if (control.is_cancelled()) return std::nullopt;
    }
    return found;
}

}  // namespace sla::workspace
