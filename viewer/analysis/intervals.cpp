#include "viewer/analysis/intervals.h"

#include <optional>
#include <utility>

namespace sla::analysis {

using store::Event;
using store::Lane;

namespace {

struct IndexRange {
    std::uint64_t first;
    std::uint64_t last;
};

IndexRange indices_of(const Lane& lane, const Selection& range) {
    const std::uint64_t first = lane.lower_bound(range.from);
    return {first, range.until == store::kNever ? lane.size() : lane.lower_bound(range.until, first)};
}

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
};

void answer(Pending& pending, std::uint64_t tick, Intervals& out) {
    if (!pending.open) return;
    if (pending.lossy) {
        ++out.lost_intervals;
    } else {
        out.widths.push_back(tick - pending.tick);
    }
    pending = {};
}

}  // namespace

Intervals channel_intervals(const Lane& lane, const Selection& range) {
    Intervals out;
    const auto [first, last] = indices_of(lane, range);
    out.lost_events = lane.summarize_indices(first, last).lost;
    out.widths.reserve(last > first ? last - first : 0);
    Pending pending;
    for (std::uint64_t i = first; i < last; ++i) {
        const Event event = lane[i];
        if (event.code == SLA_CODE_GAP) {
            pending.lossy = true;
            continue;
        }
        answer(pending, event.tick, out);
        pending = {true, false, event.tick};
    }
    return out;
}

Intervals span_intervals(const Lane& lane, const Selection& range) {
    Intervals out;
    const auto [first, last] = indices_of(lane, range);
    out.lost_events = lane.summarize_indices(first, last).lost;
    const auto& spans = lane.spans();
    for (std::size_t id = spans.lower_bound(range.from); id < spans.size() && spans[id].begin_tick < range.until; ++id) {
        const store::Span& span = spans[id];
        if (span.state == store::SpanState::kCut) {
            ++out.lost_intervals;
        } else if (span.state == store::SpanState::kOpen || !range.holds(span.end_tick)) {
            ++out.culled;
        } else {
            out.widths.push_back(span.end_tick - span.begin_tick);
        }
    }
    return out;
}

Intervals pair_intervals(const Lane& a, const Lane& b, const Selection& range) {
    Intervals out;
    for (const Lane* lane : {&a, &b}) {
        const auto [first, last] = indices_of(*lane, range);
        out.lost_events += lane->summarize_indices(first, last).lost;
        if (&a == &b) break;
    }
    Starts begins(a, range);
    Starts ends(b, range);
    Pending pending;
    while (!begins.over() || !ends.over()) {
        const bool take_begin = ends.over() || (!begins.over() && begins.event().tick <= ends.event().tick);
        if (take_begin && &a != &b) {
            if (begins.is_gap()) {
                pending.lossy = true;
            } else {
                if (pending.open) ++(pending.lossy ? out.lost_intervals : out.culled);
                pending = {true, false, begins.event().tick};
            }
            begins.step();
        } else {
            if (ends.over()) break;
            if (ends.is_gap()) {
                pending.lossy = true;
            } else {
                answer(pending, ends.event().tick, out);
                if (&a == &b) pending = {true, false, ends.event().tick};
            }
            ends.step();
        }
    }
    if (pending.open && &a != &b) ++(pending.lossy ? out.lost_intervals : out.culled);
    return out;
}

}  // namespace sla::analysis
