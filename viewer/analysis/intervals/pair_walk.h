// The walk over two lanes that finds their pairs, and can rest anywhere: for who takes them a few at a time.
#pragma once

#include "viewer/analysis/intervals/interval_walks.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sla::analysis {

// Walks one lane's starts and gaps, the level remembered from before the range.
class StartsWalk {
public:
    StartsWalk(const store::Lane& lane, const Selection& range) : lane_(lane), at_(indices_of(lane, range)) {
        if (lane.has_levels() && at_.first > 0) high_ = lane.level_at(lane.tick(at_.first - 1)) == store::Level::kHigh;
        skip();
    }
    [[nodiscard]] bool over() const { return at_.first >= at_.last; }
    [[nodiscard]] const store::Event& event() const { return event_; }
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

    const store::Lane& lane_;
    IndexRange at_;
    store::Event event_;
    bool high_ = false;
};

// From each start of `a` to the first start of `b` at or after it.
class PairWalk {
public:
    PairWalk(const store::Lane& a, const store::Lane& b, const Selection& range)
        : a_(a), b_(b), until_(range.until), begins_(a, range), ends_(b, range) {}

    // Over so many starts and gaps more. False: there are none left.
    template <typename Visit>
    bool go_on(std::uint64_t starts, Visit visit) {
        for (; starts > 0; --starts) {
            const bool take_begin = ends_.over() || (!begins_.over() && begins_.event().tick <= ends_.event().tick);
            if (begins_.over() && ends_.over()) break;
            if (take_begin && !is_one_lane()) {
                begin(visit);
            } else if (ends_.over()) {
                break;
            } else {
                end(visit);
            }
        }
        if (starts > 0) finish(visit);
        return starts == 0;
    }

private:
    // What has begun and waits for its end.
    struct Pending {
        bool open = false;
        bool lossy = false;
        std::uint64_t tick = 0;
        std::uint32_t thread = 0;
    };

    [[nodiscard]] bool is_one_lane() const { return &a_ == &b_; }
    template <typename Visit>
    void begin(Visit& visit) {
        const store::Event& event = begins_.event();
        if (begins_.is_gap()) {
            pending_.lossy = true;
        } else {
            give_up(event.tick, visit);
            pending_ = {true, false, event.tick, event.thread};
        }
        begins_.step();
    }
    template <typename Visit>
    void end(Visit& visit) {
        const store::Event& event = ends_.event();
        if (ends_.is_gap()) {
            pending_.lossy = true;
        } else {
            if (pending_.open) {
                visit(Interval{pending_.tick, event.tick, pending_.thread == event.thread,
                               pending_.lossy ? IntervalState::kLossy : IntervalState::kWhole});
                pending_ = {};
            }
            if (is_one_lane()) pending_ = {true, false, event.tick, event.thread};
        }
        ends_.step();
    }
    template <typename Visit>
    void give_up(std::uint64_t tick, Visit& visit) {
        if (!pending_.open) return;
        visit(Interval{pending_.tick, std::max(tick, pending_.tick), true,
                       pending_.lossy ? IntervalState::kLossy : IntervalState::kUnfinished});
        pending_ = {};
    }
    template <typename Visit>
    void finish(Visit& visit) {
        if (!is_one_lane()) give_up(std::min(std::max(a_.last_tick(), b_.last_tick()), until_), visit);
    }

    const store::Lane& a_;
    const store::Lane& b_;
    const std::uint64_t until_;
    StartsWalk begins_;
    StartsWalk ends_;
    Pending pending_;
};

}  // namespace sla::analysis
