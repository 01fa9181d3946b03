#include "viewer/analysis/limits/verdict.h"

#include "viewer/analysis/limits/doubts.h"
#include "viewer/analysis/limits/limit_judge.h"

#include <iterator>
#include <optional>
#include <utility>

namespace sla::analysis {

const char* verdict_name(Verdict verdict) {
    switch (verdict) {
        case Verdict::kPass: return "pass";
        case Verdict::kFail: return "fail";
        case Verdict::kCannotTell: break;
    }
    return "cannot tell";
}

std::vector<Finding> check_limits(const store::Session& session, const std::vector<Limit>& limits, const Selection& range,
                                  const CheckProgress& progress, Reading reading) {
    LimitJudge judge(session, range, progress, reading);
    std::vector<std::size_t> ends;
    for (const Limit& limit : limits) {
        if (const Result<void> added = judge.add(limit); !added) judge.add(about_nothing(limit, added.error().message));
        ends.push_back(judge.size());
    }
    std::vector<Finding> findings = std::move(judge).findings();
    const std::optional<Damaged> damaged = damaged_part(session, range);
    for (std::size_t limit = 0, at = 0; damaged && limit < limits.size(); ++limit) {
        for (; at < ends[limit]; ++at) doubt_damaged(findings[at], limits[limit], *damaged, session.clock());
    }
    return findings;
}

std::vector<std::vector<Finding>> check_each(const store::Session& session, const std::vector<Limit>& limits,
                                             const Selection& range, const CheckProgress& progress, Reading reading) {
    LimitJudge judge(session, range, progress, reading);
    std::vector<std::size_t> ends;
    for (const Limit& limit : limits) {
        static_cast<void>(judge.add(limit).ok());  // else there is no such channel, and none of its findings
        ends.push_back(judge.size());
    }
    std::vector<Finding> all = std::move(judge).findings();
    std::vector<std::vector<Finding>> each;
    auto begin = std::make_move_iterator(all.begin());
    for (const std::size_t end : ends) {
        const auto behind = std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(end));
        each.emplace_back(begin, behind);
        begin = behind;
    }
    return each;
}

std::vector<Finding> check_limit(const store::Session& session, const Limit& limit, const Selection& range) {
    return check_limits(session, {limit}, range);
}

}  // namespace sla::analysis
