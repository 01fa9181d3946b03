#include "viewer/workspace/jobs/pair_finder.h"

#include "viewer/analysis/limits/interval_check.h"
#include "viewer/store/session.h"

namespace sla::workspace {

namespace {

constexpr std::uint64_t kStartsPerStep = 1024;  // some ten microseconds

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

PairFinder::PairFinder(const store::Session& session, const store::Lane& from, const store::Lane& to,
                       timeline::TickRange range, const std::optional<analysis::Limit>& limit)
    : clock_(session.clock_between(from, to)), limit_(limit) {
    const auto events_in = [&](const store::Lane& lane) {
        return lane.upper_bound(range.last) - lane.lower_bound(range.first);
    };
    const std::uint64_t begins = events_in(from);
    found_->events = begins + events_in(to);
    if (found_->events > FoundPairs::kMaxEvents) return;
    // Each event begins one pair at most: growing would copy all of them in one frame.
    found_->pairs.reserve(begins);
    analysis::Selection where;
    where.from = range.first;
    where.until = range.last + 1;
    steps_ = analysis::pair_steps(from, to, where, [this](const analysis::Interval& pair) { add(pair); });
}

void PairFinder::add(const analysis::Interval& pair) {
    found_->pairs.push_back(pair);
    const auto verdict = limit_ ? pair_verdict(pair, *limit_, clock_) : PairVerdict::kNone;
    ++found_->counts[static_cast<std::size_t>(verdict)];
}

std::shared_ptr<const FoundPairs> PairFinder::step(std::chrono::microseconds budget) {
    const auto until = std::chrono::steady_clock::now() + budget;
    while (go_on(kStartsPerStep)) {
        if (std::chrono::steady_clock::now() >= until) return nullptr;
    }
    return take();
}

namespace {

std::optional<std::shared_ptr<const FoundPairs>> find(const store::Session& session, const PairQuestion& question,
                                                      const JobRunner::Control& control) {
    const store::Lane* const from = session.lane(question.from);
    const store::Lane* const to = session.lane(question.to);
    if (from == nullptr || to == nullptr) return std::nullopt;
    const auto limit = parse_pair_limit(question.limit);
    PairFinder finder(session, *from, *to, question.range, limit ? *limit : std::nullopt);
    while (finder.go_on(kStartsPerStep)) {
        if (control.is_cancelled()) return std::nullopt;
    }
    return finder.take();
}

}  // namespace

BackgroundPairs::BackgroundPairs() : BackgroundAnswer("finding pairs", find) {}

}  // namespace sla::workspace
