#include "viewer/analysis/intervals/statistics_follower.h"

#include "proto/wire/glob.h"
#include "viewer/analysis/intervals/growing_walks.h"
#include "viewer/analysis/intervals/level_walk.h"
#include "viewer/analysis/intervals/loss_reach.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace sla::analysis {

namespace {

struct GrowingLane {
    const FollowedLane* of;
    ChannelWalk channel;
    GrowingSpanWalk spans;
    Intervals of_channel;
    Intervals of_spans;
    std::uint64_t lost = 0;
    LevelWalk levels;
    std::vector<Intervals> of_levels;  // by LevelTime, once there was a level
};

// Starts of A that wait for lanes of B, and the other way round; each pair of both. Those of A that had no end before a lane of B
// came are the pair's.
struct GrowingPair {
    const FollowedLane* a = nullptr;
    const FollowedLane* b = nullptr;
    GrowingPairWalk walk;
    Intervals found;
};

// One way to part "A:B", of which a name may hold a colon itself.
struct GrowingPairs {
    std::string begins;
    std::string ends;
    std::deque<GrowingPair> waiting;
    std::deque<GrowingPair> awaited;
    std::deque<GrowingPair> both;
};

void add_lane(GrowingPairs& pairs, const FollowedLane& lane) {
    const bool begins = wire::glob_match(pairs.begins, lane.channel);
    const bool ends = wire::glob_match(pairs.ends, lane.channel);
    const auto join = [&](const GrowingPair& a, const GrowingPair& b) {
        pairs.both.push_back({a.a, b.b, GrowingPairWalk::joined(a.walk, b.walk), a.found});
    };
    if (ends) {
        const GrowingPair one{nullptr, &lane, GrowingPairWalk::of_ends(*lane.lane, lane.row), {}};
        for (const GrowingPair& waiting : pairs.waiting) {
            if (!waiting.a->is_over) join(waiting, one);
        }
        pairs.awaited.push_back(one);
    }
    if (!begins) return;
    pairs.waiting.push_back({&lane, nullptr, GrowingPairWalk::of_begins(*lane.lane, lane.row), {}});
    for (const GrowingPair& awaited : pairs.awaited) {
        if (awaited.b != &lane && !awaited.b->is_over) join(pairs.waiting.back(), awaited);
    }
    if (ends) pairs.both.push_back({&lane, &lane, GrowingPairWalk::of_one(*lane.lane, lane.row), {}});
}

bool is_here(const FollowedLane* lane) {
    return lane != nullptr && lane->lane != nullptr;
}

bool has_nothing(const Intervals& found) {
    return found.count() == 0 && found.lost_intervals == 0 && found.lost_events == 0 && found.unfinished == 0;
}

template <typename Do>
void each_pair(GrowingPairs& pairs, Do what) {
    for (auto* some : {&pairs.waiting, &pairs.awaited, &pairs.both}) {
        for (GrowingPair& one : *some) what(one);
    }
}

void move_pair(GrowingPair& one) {
    if (is_here(one.a)) one.walk.move_begins(*one.a->lane, one.a->row);
    if (is_here(one.b)) one.walk.move_ends(*one.b->lane, one.b->row);
}

}  // namespace

class StatisticsFollower::State {
public:
    explicit State(const StatisticsWanted& wanted) : wanted_(wanted) {
        for (const std::string& pair : wanted.pairs) {
            std::vector<GrowingPairs>& ways = pairs_.emplace_back();
            for (std::size_t at = pair.find(':'); at != std::string::npos; at = pair.find(':', at + 1))
                ways.push_back({pair.substr(0, at), pair.substr(at + 1), {}, {}, {}});
        }
    }

    void go_on(const FinalRows& rows) {
        followed_.take(rows);
        if (followed_.have_moved()) move();
        for (std::size_t i = followed_.first_new(); i < followed_.all().size(); ++i) add(followed_.all()[i], rows.session);
        for (GrowingLane& one : lanes_) {
            if (!is_here(one.of)) continue;
            one.lost += lost_among(*one.of->lane, one.of->row, one.of->end);
            one.channel.go_on(one.of->end, Collect{one.of_channel});
            one.spans.go_on(one.of->end, [&](const Interval& interval, bool) { one.of_spans.add(interval); });
            go_on_levels(one, rows.session);
        }
        each([&](GrowingPair& one) {
            if (is_here(one.a) && is_here(one.b))
                one.found.overhead = {overhead_ticks(rows.session, *one.a->lane, *one.b->lane), wanted_.subtract_overhead};
            one.walk.go_on(is_here(one.a) ? one.a->end : 0, is_here(one.b) ? one.b->end : 0, Collect{one.found});
        });
        followed_.pass();
    }

    std::vector<StatisticsRow> take_rows(const store::Session& session, bool is_last) {
        std::vector<StatisticsRow> rows = lane_rows(session, is_last);
        for (std::vector<GrowingPairs>& ways : pairs_) {
            bool is_known = false;
            for (GrowingPairs& way : ways) {
                if (is_known) {
                    for (GrowingPair& one : way.both) one.found = {};
                } else {
                    add_pair_rows(way, session, is_last, rows);
                }
                is_known = is_known || !way.both.empty();
            }
        }
        return rows;
    }

private:
    void add(const FollowedLane& lane, const store::Session& session) {
        for (std::vector<GrowingPairs>& ways : pairs_) {
            for (GrowingPairs& way : ways) add_lane(way, lane);
        }
        const bool is_wanted = wanted_.channels.empty() ? wanted_.pairs.empty() : lane.is_called_any_of(wanted_.channels);
        if (!is_wanted) return;
        lanes_.push_back({&lane,
                          growing_channel_walk(*lane.lane, lane.row),
                          GrowingSpanWalk(*lane.lane, lane.row),
                          {},
                          {},
                          0,
                          growing_level_walk(*lane.lane, lane.row),
                          {}});
        lanes_.back().of_channel = lanes_.back().of_spans = nothing_of(overhead_ticks(session, *lane.lane));
    }
    [[nodiscard]] Intervals nothing_of(std::uint64_t overhead) const {
        Intervals none;
        none.overhead = {overhead, wanted_.subtract_overhead};
        return none;
    }
    void go_on_levels(GrowingLane& one, const store::Session& session) const {
        if (one.of_levels.empty() && one.of->lane->has_levels())
            one.of_levels.assign(kLevelTimes, nothing_of(overhead_ticks(session, *one.of->lane)));
        one.levels.go_on(one.of->end, CollectLevels{one.of_levels});
    }
    template <typename Do>
    void each(Do what) {
        for (std::vector<GrowingPairs>& ways : pairs_) {
            for (GrowingPairs& way : ways) each_pair(way, what);
        }
    }
    void move() {
        for (GrowingLane& one : lanes_) {
            if (!is_here(one.of)) continue;
            one.channel.move_to(*one.of->lane, one.of->row);
            one.spans.move_to(*one.of->lane, one.of->row);
            one.levels.move_to(*one.of->lane, one.of->row);
        }
        each(move_pair);
    }
    std::vector<StatisticsRow> lane_rows(const store::Session& session, bool is_last);
    void add_pair_rows(GrowingPairs& pairs, const store::Session& session, bool is_last,
                       std::vector<StatisticsRow>& rows) const;

    StatisticsWanted wanted_;
    FollowedLanes followed_;
    std::deque<GrowingLane> lanes_;
    std::vector<std::vector<GrowingPairs>> pairs_;  // of each wanted one the ways to part it
};

std::vector<StatisticsRow> StatisticsFollower::State::lane_rows(const store::Session& session, bool is_last) {
    std::vector<LaneIntervals> found;
    for (GrowingLane& one : lanes_) {
        if (!is_here(one.of)) continue;
        if (is_last || one.of->is_over)
            one.spans.give_up(0, [&](const Interval& interval, bool) { one.of_spans.add(interval); });
        one.of_channel.lost_events = one.of_spans.lost_events = std::exchange(one.lost, 0);
        const std::uint64_t overhead = overhead_ticks(session, *one.of->lane);
        LaneIntervals of{one.of->lane, std::exchange(one.of_channel, nothing_of(overhead)),
                         std::exchange(one.of_spans, nothing_of(overhead)), std::exchange(one.of_levels, {})};
        const bool is_past = one.of->is_past() && has_nothing(of.of_channel) && has_nothing(of.of_spans);
        if (!is_past) found.push_back(std::move(of));
    }
    std::sort(found.begin(), found.end(),
              [](const LaneIntervals& a, const LaneIntervals& b) { return a.lane->channel().id < b.lane->channel().id; });
    return statistics_of(found, session, wanted_.cull);
}

void StatisticsFollower::State::add_pair_rows(GrowingPairs& pairs, const store::Session& session, bool is_last,
                                              std::vector<StatisticsRow>& rows) const {
    std::vector<const store::Lane*> ends;
    for (const GrowingPair& one : pairs.awaited) {
        if (is_here(one.b)) ends.push_back(one.b->lane);
    }
    const Partners partners(ends);
    for (GrowingPair& one : pairs.both) {
        if (is_last || one.b->is_over) one.walk.give_up(0, Collect{one.found});
        Intervals found = std::exchange(one.found, {});
        if (!is_here(one.a) || !is_here(one.b)) continue;
        if (!partners.are(*one.a->lane, *one.b->lane)) continue;
        if ((one.a->is_past() || one.b->is_past()) && has_nothing(found)) continue;
        const std::string& name = one.a->channel;
        rows.push_back(
            {name, name + ":" + one.b->channel, statistics_of(found, session, wanted_.cull), one.a->lane, one.b->lane});
    }
}

StatisticsFollower::StatisticsFollower(const StatisticsWanted& wanted) : state_(std::make_unique<State>(wanted)) {}
StatisticsFollower::~StatisticsFollower() = default;

void StatisticsFollower::go_on(const FinalRows& rows) {
    state_->go_on(rows);
}

std::vector<StatisticsRow> StatisticsFollower::take_rows(const store::Session& session) {
    return state_->take_rows(session, false);
}

std::vector<StatisticsRow> StatisticsFollower::take_last_rows(const store::Session& session) {
    return state_->take_rows(session, true);
}

}  // namespace sla::analysis
