#include "viewer/analysis/filter/hit_search.h"

#include "proto/common/trigger/engine.h"
#include "viewer/analysis/known_extents.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace sla::analysis {

namespace {

constexpr std::uint64_t kStepRows = 65536;

// One lane on its way into the engine; numbered as they come, because ids of a file may be anything.
struct Feed {
    const store::Lane* lane;
    std::uint64_t next = 0;
    wire::EventBatch rows = {};
};

void copy_rows(Feed& feed, std::uint64_t end) {
    feed.rows.clear();
    for (; feed.next < end; ++feed.next) {
        const store::Event event = (*feed.lane)[feed.next];
        feed.rows.add(event.tick, event.code, event.value, event.thread);
        if (event.code != SLA_CODE_GAP) continue;
        const store::Gap* gap = feed.lane->gap_at(feed.next);
        wire::Extra extra;
        extra.position = static_cast<std::uint32_t>(feed.rows.size() - 1);
        extra.until_tick = gap != nullptr && gap->has_end() ? gap->until_tick : 0;
        feed.rows.extras.push_back(extra);
    }
}

// How far every lane can be fed with at most a step's rows each.
std::uint64_t step_end(const std::vector<Feed>& feeds, std::uint64_t end) {
    for (const Feed& feed : feeds) {
        if (feed.next + kStepRows < feed.lane->size()) end = std::min(end, feed.lane->tick(feed.next + kStepRows));
    }
    return end;
}

}  // namespace

struct HitSearch::State {
    State(const store::Session& of, const trigger::Trigger& trigger)
        : session(of), engine(trigger, of.clock().ticks_per_second(), [this](const trigger::Hit& hit) {
              hits.push_back({hit.tick, hit.certain, engine.level_text(hit.level)});
              return std::uint64_t{0};
          }) {
        add_lanes();
    }

    // Those that have come since; what they held before was not final, or nobody had it.
    void add_lanes() {
        if (known.size() == session.lanes().size()) return;
        for (const store::Lane* lane : session.lanes()) {
            if (!known.insert(lane).second) continue;
            const ChannelId id{static_cast<std::uint32_t>(known.size() - 1)};
            const trigger::TimeSource time = time_of(*lane);
            if (!engine.add_channel(id, lane->channel().name, time)) continue;
            const bool is_own = time != trigger::kMachineTime;
            feeds.push_back({lane, until == 0 || is_own ? 0 : lane->upper_bound(until)});
            feeds.back().rows.channel = id;
            any_own |= is_own;
        }
    }

    // Of a part that was cut out what stands before its begin only says what held there (from_begin).
    void recall(Feed& feed) {
        const std::uint64_t begin = session.origin().begin_tick;
        if (feed.next >= feed.lane->lower_bound(begin)) return;
        copy_rows(feed, feed.lane->lower_bound(begin));
        engine.recall(trigger::Rows::of(feed.rows));
    }

    // By the engine's names, of which 0 is the machine's.
    [[nodiscard]] trigger::TimeSource time_of(const store::Lane& lane) const {
        return has_own_time(session, lane) ? trigger::TimeSource{lane.channel().source.value + 1} : trigger::kMachineTime;
    }

    // How far all is known. Of a live session only what is final: later events may still come before others.
    [[nodiscard]] trigger::KnownTimes times() const {
        const bool live = !session.ended() && session.watermark() > 0;
        const std::uint64_t final_tick = live ? session.watermark() : std::max(session.last_tick(), session.watermark());
        if (!any_own) return final_tick;
        trigger::KnownTimes times;
        const KnownExtents extents(session, {});
        for (const Feed& feed : feeds) {
            const trigger::TimeSource time = time_of(*feed.lane);
            const std::uint64_t until_here = extents.of(*feed.lane).until;
            times.set(time, time == trigger::kMachineTime ? std::min(final_tick, until_here) : until_here);
        }
        return times;
    }

    const store::Session& session;
    std::vector<FoundHit> hits;
    std::unordered_set<const store::Lane*> known;
    std::vector<Feed> feeds;
    trigger::Engine engine;
    bool any_own = false;  // something that is looked at has a time that its source makes up
    std::uint64_t until = 0;
};

HitSearch::HitSearch(const store::Session& session, const trigger::Trigger& trigger)
    : state_(std::make_unique<State>(session, trigger)) {}

HitSearch::~HitSearch() = default;

bool HitSearch::step() {
    State& state = *state_;
    if (goes_in_circles()) return false;
    state.add_lanes();
    trigger::KnownTimes times = state.times();
    std::uint64_t end = times.by_machine();
    for (const trigger::KnownTimes::Own& own : times.own()) end = std::max(end, own.tick);
    if (end <= state.until) return false;
    state.until = step_end(state.feeds, end);
    std::vector<trigger::Rows> rows;
    for (Feed& feed : state.feeds) {
        state.recall(feed);
        copy_rows(feed, feed.lane->upper_bound(state.until));
        rows.push_back(trigger::Rows::of(feed.rows));
    }
    times.limit(state.until);
    state.engine.feed(rows, times);
    return state.until != end && !goes_in_circles();
}

bool HitSearch::goes_in_circles() const {
    return state_->engine.goes_in_circles();
}

const std::vector<FoundHit>& HitSearch::hits() const {
    return state_->hits;
}

std::vector<FoundHit> HitSearch::take_hits() {
    return std::exchange(state_->hits, {});
}

std::uint64_t HitSearch::looked_until() const {
    return state_->until;
}

}  // namespace sla::analysis
