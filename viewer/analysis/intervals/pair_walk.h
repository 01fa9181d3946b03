// The walk over two lanes that finds their pairs, and can rest anywhere: for who takes them a few at a time, or as they come.
#pragma once

#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/intervals/loss_reach.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace sla::analysis {

// Walks one lane's starts and gaps, the level and the losses remembered from before the range.
class StartsWalk {
public:
    StartsWalk() = default;  // of a lane that is not there: it is over
    StartsWalk(const store::Lane& lane, const Selection& range) : StartsWalk(lane, range, indices_of(lane, range)) {}

    [[nodiscard]] bool over() const { return at_.first >= at_.last; }
    [[nodiscard]] const store::Event& event() const { return event_; }
    [[nodiscard]] bool is_gap() const { return event_.code == SLA_CODE_GAP; }
    // False: a level that may have been high before, had not events been lost.
    [[nodiscard]] bool is_sure() const { return is_sure_; }
    // A row that someone else walks over, of a walk that is over itself: true, it is a start or a gap, and event() and
    // is_sure() tell of it.
    bool look_at(std::uint64_t row, const store::Event& event) {
        at_ = {row, row};
        event_ = event;
        return stops_here();
    }
    // It is a gap that it looked at: it is behind it.
    void pass_gap() { step(); }
    // Of the gaps that it has stepped over.
    [[nodiscard]] bool losses_last_behind(std::uint64_t tick) const { return losses_.lasts_behind(tick); }
    void step() {
        if (is_gap()) {
            losses_.add(*lane_, at_.first, event_.thread);
            level_ = store::Level::kUnknown;
        }
        ++at_.first;
        skip();
    }

    // The lane has grown: its rows up to that one are walked over too.
    void extend(std::uint64_t last) {
        const bool was_over = over();
        at_.last = std::max(at_.last, last);
        if (was_over) skip();
    }
    // It is over, and goes on at that row of the same lane in another session.
    void move_to(const store::Lane& lane, std::uint64_t row) {
        lane_ = &lane;
        at_ = {row, row};
    }

private:
    StartsWalk(const store::Lane& lane, const Selection& range, IndexRange rows)
        : lane_(&lane), at_(rows), losses_(lane, rows.first, range.from) {
        level_ = level_before(lane, at_.first).value_or(store::Level::kLow);
        skip();
    }
    static store::Level level_of(const store::Event& event, const LossReach& losses) {
        if (losses.lasts_behind(event.tick)) return store::Level::kUnknown;
        return event.value != 0 ? store::Level::kHigh : store::Level::kLow;
    }
    void skip() {
        for (; !over(); ++at_.first) {
            event_ = (*lane_)[at_.first];
            if (stops_here()) return;
        }
    }
    bool stops_here() {
        losses_.pass(at_.first, event_.tick, event_.thread);
        is_sure_ = true;
        return event_.code == SLA_CODE_LEVEL ? rises() : event_.kind() != wire::Kind::kEnd;
    }
    bool rises() {
        const store::Level before = std::exchange(level_, level_of(event_, losses_));
        is_sure_ = before != store::Level::kUnknown;
        return event_.value != 0 && before != store::Level::kHigh;
    }

    const store::Lane* lane_ = nullptr;
    IndexRange at_{0, 0};
    LossReach losses_;
    store::Event event_;
    store::Level level_ = store::Level::kLow;
    bool is_sure_ = true;
};

// From each start of one walk to the first start of another at or after it: the one rule for pairs, whoever knows the rows.
class PairMerge {
public:
    // Of one lane with itself each start ends what the one before began, and `begins` is not walked over.
    PairMerge(StartsWalk begins, StartsWalk ends, bool is_one_lane)
        : begins_(std::move(begins)), ends_(std::move(ends)), is_one_lane_(is_one_lane) {}

    // Over so many starts and gaps more; how many of them there were not.
    template <typename Visit>
    std::uint64_t go_on(std::uint64_t starts, Visit& visit) {
        for (; starts > 0; --starts) {
            const bool take_begin = ends_.over() || (!begins_.over() && begins_.event().tick <= ends_.event().tick);
            if (begins_.over() && ends_.over()) break;
            if (take_begin && !is_one_lane_) {
                begin(visit);
            } else if (ends_.over()) {
                break;
            } else {
                end(visit);
            }
        }
        return starts;
    }

    // What has begun and waits for its end.
    struct Pending {
        bool open = false;
        bool lossy = false;
        std::uint64_t tick = 0;
        std::uint32_t thread = 0;
    };
    [[nodiscard]] const Pending& pending() const { return pending_; }
    // Waits no longer.
    template <typename Visit>
    void give_up(std::uint64_t tick, Visit& visit) {
        if (!pending_.open) return;
        visit(Interval{pending_.tick, std::max(tick, pending_.tick), true,
                       pending_.lossy ? IntervalState::kLossy : IntervalState::kUnfinished});
        pending_ = {};
    }

    void forget() { pending_ = {}; }

    [[nodiscard]] bool is_one_lane() const { return is_one_lane_; }
    [[nodiscard]] StartsWalk& begins() { return begins_; }
    [[nodiscard]] StartsWalk& ends() { return ends_; }
    [[nodiscard]] const StartsWalk& begins() const { return begins_; }
    [[nodiscard]] const StartsWalk& ends() const { return ends_; }
    // Waits from there on for starts of another lane.
    void set_ends(StartsWalk ends) { ends_ = std::move(ends); }

private:
    // Losses of either lane that are not over may hide its end, or a later start.
    void open(const StartsWalk& starts) {
        const store::Event& event = starts.event();
        const bool lossy = (!is_one_lane_ && begins_.losses_last_behind(event.tick)) ||
                           ends_.losses_last_behind(event.tick) || !starts.is_sure();
        pending_ = {true, lossy, event.tick, event.thread};
    }
    template <typename Visit>
    void begin(Visit& visit) {
        const store::Event& event = begins_.event();
        if (begins_.is_gap()) {
            pending_.lossy = true;
        } else {
            give_up(event.tick, visit);
            open(begins_);
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
                               pending_.lossy || !ends_.is_sure() ? IntervalState::kLossy : IntervalState::kWhole});
                pending_ = {};
            }
            if (is_one_lane_) open(ends_);
        }
        ends_.step();
    }

    StartsWalk begins_;
    StartsWalk ends_;
    bool is_one_lane_;
    Pending pending_;
};

// The pairs of two lanes as they are. The last start of `a` that waits does so at least until the later of the lanes' last
// events, and until `open_until` (within the range), when more than that event is known.
class PairWalk {
public:
    PairWalk(const store::Lane& a, const store::Lane& b, const Selection& range, std::uint64_t open_until = 0)
        : a_(a),
          b_(b),
          until_(range.until),
          open_until_(open_until),
          merge_(StartsWalk(a, range), StartsWalk(b, range), &a == &b) {}

    // Over so many starts and gaps more. False: there are none left.
    template <typename Visit>
    bool go_on(std::uint64_t starts, Visit visit) {
        const bool is_over = merge_.go_on(starts, visit) > 0;
        const std::uint64_t last = std::min(std::max(a_.last_tick(), b_.last_tick()), until_);
        if (is_over && !merge_.is_one_lane()) merge_.give_up(std::max(last, open_until_), visit);
        return !is_over;
    }

private:
    const store::Lane& a_;
    const store::Lane& b_;
    const std::uint64_t until_;
    const std::uint64_t open_until_;
    PairMerge merge_;
};

}  // namespace sla::analysis
