#include "viewer/analysis/intervals.h"

#include "viewer/analysis/interval_walks.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

using store::Event;
using store::Lane;

namespace {

// Walks one lane's starts and gaps, the level remembered from before the range.
class Starts {
public:
    Starts(const Lane& lane, const Selection& range) : lane_(lane), at_(indices_of(lane, range)) {
        if (lane.has_levels() && at_.first > 0) high_ = lane.level_at(lane.tick(at_.first - 1)) == store::Level::kHigh;
        skip();
    }
    [[nodiscard]] bool over() const { return at_.first >= at_.last; }
    [[nodiscard]] const Event& event() const { return event_; }
    [[nodiscard]] bool is_gap() const { return event_.code == SLA_CODE_GAP; }
    void step() {
        ++at_.first;
        skip();
    }

private:
    void skip() {
        for (; !over(); ++at_.first) {
            event_ = lane_[at_.first];
            if (is_start()) return;
        }
    }
    bool is_start() {
        if (event_.code == SLA_CODE_LEVEL) {
            const bool was_high = std::exchange(high_, event_.value != 0);
            return high_ && !was_high;
        }
        if (event_.code == SLA_CODE_GAP) high_ = false;
        return event_.kind() != wire::Kind::kEnd;
    }

    const Lane& lane_;
    IndexRange at_;
    Event event_;
    bool high_ = false;
};

// What has begun and waits for its end.
struct Pending {
    bool open = false;
    bool lossy = false;
    std::uint64_t tick = 0;
    std::uint32_t thread = 0;
};

template <typename Visit>
void answer(Pending& pending, std::uint64_t tick, std::uint32_t thread, Visit& visit) {
    if (!pending.open) return;
    visit(Interval{pending.tick, tick, pending.thread == thread,
                   pending.lossy ? IntervalState::kLossy : IntervalState::kWhole});
    pending = {};
}

template <typename Visit>
void give_up(Pending& pending, std::uint64_t tick, Visit& visit) {
    if (!pending.open) return;
    visit(Interval{pending.tick, std::max(tick, pending.tick), true,
                   pending.lossy ? IntervalState::kLossy : IntervalState::kUnfinished});
    pending = {};
}

template <typename Visit>
void walk_pairs(const Lane& a, const Lane& b, const Selection& range, Visit visit) {
    Starts begins(a, range);
    Starts ends(b, range);
    Pending pending;
    while (!begins.over() || !ends.over()) {
        const bool take_begin = ends.over() || (!begins.over() && begins.event().tick <= ends.event().tick);
        if (take_begin && &a != &b) {
            if (begins.is_gap()) {
                pending.lossy = true;
            } else {
                give_up(pending, begins.event().tick, visit);
                pending = {true, false, begins.event().tick, begins.event().thread};
            }
            begins.step();
        } else {
            if (ends.over()) break;
            if (ends.is_gap()) {
                pending.lossy = true;
            } else {
                answer(pending, ends.event().tick, ends.event().thread, visit);
                if (&a == &b) pending = {true, false, ends.event().tick, ends.event().thread};
            }
            ends.step();
        }
    }
    if (&a != &b) give_up(pending, std::min(std::max(a.last_tick(), b.last_tick()), range.until), visit);
}

}  // namespace

void each_channel_interval(const Lane& lane, const Selection& range, const IntervalVisitor& visit) {
    ChannelWalk(lane, range).go_on(lane.size(), std::ref(visit));
}
void each_span(const Lane& lane, const Selection& range, const IntervalVisitor& visit) {
    SpanWalk(lane, range).go_on(store::kNever, std::ref(visit));
}
void each_pair_interval(const Lane& a, const Lane& b, const Selection& range, const IntervalVisitor& visit) {
    walk_pairs(a, b, range, std::ref(visit));
}

std::uint64_t overhead_ticks(const store::Session& session, const Lane& lane) {
    const store::Source* source = session.source_of(lane);
    return source != nullptr && source->section_ticks != 0 ? source->section_ticks : session.stamp_ticks();
}

Intervals channel_intervals(const Lane& lane, const Selection& range, const Overhead& overhead) {
    Intervals out;
    out.overhead = overhead;
    out.lost_events = lost_in(lane, range);
    ChannelWalk(lane, range).go_on(lane.size(), Collect{out});
    return out;
}

Intervals span_intervals(const Lane& lane, const Selection& range, const Overhead& overhead) {
    Intervals out;
    out.overhead = overhead;
    out.lost_events = lost_in(lane, range);
    SpanWalk(lane, range).go_on(store::kNever, Collect{out});
    return out;
}

Intervals pair_intervals(const Lane& a, const Lane& b, const Selection& range, const Overhead& overhead) {
    Intervals out;
    out.overhead = overhead;
    out.lost_events = lost_in(a, range) + (&a == &b ? 0 : lost_in(b, range));
    walk_pairs(a, b, range, Collect{out});
    return out;
}

}  // namespace sla::analysis
