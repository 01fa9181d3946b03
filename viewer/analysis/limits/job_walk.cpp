#include "viewer/analysis/limits/job_walk.h"

#include "viewer/analysis/limits/share_check.h"

#include <type_traits>

namespace sla::analysis {

namespace {

template <typename Check>
Finding walk(const store::Session& session, const KnownExtents& extents, const LimitJob& job, const Selection& range) {
    Check check(job.clock(session), *job.limit, job.channel());
    const auto take = [&](const Interval& interval) { check.take(interval); };
    const Selection counted = from_begin(session, range);
    switch (job.limit->measure) {
        case Measure::kPair: each_pair_interval(*job.lane, *job.end, counted, take, extents.open_until(*job.end)); break;
        case Measure::kWidth:
            each_span(*job.lane, range, take, extents.open_until(*job.lane));
            if (job.lane->has_levels()) each_high(*job.lane, counted, take, extents.open_until(*job.lane));
            break;
        default:
            ChannelWalk gaps(*job.lane, counted);
            gaps.follow_threads();
            gaps.go_on(job.lane->size(), take);
            if constexpr (std::is_same_v<Check, IntervalCheck>) take_outer_gaps(gaps, job, range, extents, check);
    }
    if constexpr (std::is_same_v<Check, IntervalCheck>) return check.result();
    if constexpr (std::is_same_v<Check, ShareCheck>) {
        check.take_hidden(hidden_of(job, range, extents).most);
        Finding finding = check.result();
        note_silence(session, extents, job, range, finding);
        return finding;
    }
}

}  // namespace

Hidden hidden_of(const LimitJob& job, const Selection& range, const KnownExtents& extents) {
    if (job.limit->measure == Measure::kGap) return hidden_gaps(*job.lane, range);
    const store::Lane& end = job.end == nullptr ? *job.lane : *job.end;
    return hidden_by_losses(*job.lane, job.end, range, extents.maybe_open_until(end));
}

void take_outer_gaps(const ChannelWalk& gaps, const LimitJob& job, const Selection& range, const KnownExtents& extents,
                     IntervalCheck& check) {
    const SilentUntil until{extents.open_until(*job.lane), extents.maybe_open_until(*job.lane)};
    take_first_gap(gaps, check);
    take_last_gap(last_event_of(*job.lane, range), range.from, until, check);
}

void note_silence(const store::Session& session, const KnownExtents& extents, const LimitJob& job, const Selection& range,
                  Finding& finding) {
    if (job.limit->measure != Measure::kGap) return;
    note_last_gap(last_event_of(*job.lane, range), range.from, extents.open_until(*job.lane), job.clock(session), *job.limit,
                  finding);
}

Finding walk_rows_of(const store::Session& session, const KnownExtents& extents, const LimitJob& job,
                     const Selection& range) {
    return job.has_one_place() ? walk<IntervalCheck>(session, extents, job, range)
                               : walk<ShareCheck>(session, extents, job, range);
}

}  // namespace sla::analysis
