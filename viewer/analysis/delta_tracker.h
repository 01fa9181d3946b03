// DeltaTracker: for rows handed over in table order, the time since the row before (any channel of the table) and since the
// row before of the same channel. Loss rows are rows: a delta never reaches back across a loss unseen. Nor does it over the begin of
// a part that was cut out: rows before that say what held then, and have none themselves.
//
// `error_ps` bounds both deltas of the row: it is the greater of their errors (proto/time/README.md has the formula; between
// rows of two threads the skew of their cores is in it). Owner: the session's thread. O(1) a row.
#pragma once

#include "viewer/store/session.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace sla::analysis {

struct Deltas {
    std::optional<std::int64_t> any_ps;
    std::optional<std::int64_t> channel_ps;
    std::optional<std::int64_t> error_ps;  // there when any delta is
};

class DeltaTracker {
public:
    explicit DeltaTracker(const store::Session& session)
        : clock_(session.clock()), begin_tick_(session.origin().begin_tick) {}
    // The same clock, known better.
    void set_clock(const time::ClockMap& clock) {
        clock_ = clock;
        steps_ = {};
    }

    // Whoever walks the rows keeps each lane's last stamp. Hot.
    struct Stamp {
        std::uint64_t tick = 0;
        std::uint32_t thread = 0;
        bool known = false;
        const time::HostErrors* host = nullptr;  // of the lane, once and for all: Session::errors_of
    };
    struct TickDeltas {
        std::uint64_t any = 0;  // ticks; nothing when the error below is absent
        std::uint64_t channel = 0;
        bool has_any = false;
        bool has_channel = false;
        std::int64_t error_ps = 0;  // means something when there is a delta
    };
    TickDeltas next(Stamp& last_of_lane, std::uint64_t tick, std::uint32_t thread) {
        if (tick < begin_tick_) return {};
        if (last_of_lane.host != nullptr || last_host_ != nullptr) return next_of_hosts(last_of_lane, tick, thread);
        TickDeltas deltas;
        deltas.has_any = has_last_;
        deltas.has_channel = last_of_lane.known;
        const time::Stamps any = stamps_of(thread, last_thread_);
        const time::Stamps channel = stamps_of(thread, last_of_lane.thread);
        if (last_of_lane.known) {
            deltas.channel = tick - last_of_lane.tick;
            deltas.error_ps = error_of(last_of_lane.tick, tick, channel);
        }
        if (has_last_) {
            deltas.any = tick - last_tick_;
            // The longer time has the greater error, unless only the shorter one lies between two threads.
            const bool is_less = last_of_lane.known && last_of_lane.tick <= last_tick_ && channel >= any;
            if (!is_less) deltas.error_ps = std::max(deltas.error_ps, error_of(last_tick_, tick, any));
        }
        last_of_lane = {tick, thread, true, nullptr};
        has_last_ = true;
        last_tick_ = tick;
        last_thread_ = thread;
        return deltas;
    }

    // The same for one row alone, given the rows before it in the table, of any lane and of its own (or none).
    static Deltas at(const store::Session& session, const store::RowRef& place, const std::optional<store::RowRef>& before,
                     const std::optional<store::RowRef>& before_in_lane);

private:
    // Where stamps of several hosts are on one axis.
    TickDeltas next_of_hosts(Stamp& last_of_lane, std::uint64_t tick, std::uint32_t thread);
    static time::Stamps stamps_of(std::uint32_t one_thread, std::uint32_t other_thread) {
        return one_thread == other_thread ? time::Stamps::kOneThread : time::Stamps::kTwoThreads;
    }
    // The error grows with the distance in steps of a picosecond: between two distances of one error it is that error.
    // Where the clock has breaks a step stays empty.
    struct Step {
        std::uint64_t from = 1;
        std::uint64_t to = 0;
        std::int64_t error_ps = 0;
    };
    std::int64_t error_of(std::uint64_t from_tick, std::uint64_t to_tick, time::Stamps stamps) {
        const std::uint64_t distance = to_tick - from_tick;
        const Step& step = steps_[static_cast<std::size_t>(stamps)];
        if (distance >= step.from && distance <= step.to) return step.error_ps;
        return find_error(from_tick, to_tick, stamps);
    }
    std::int64_t find_error(std::uint64_t from_tick, std::uint64_t to_tick, time::Stamps stamps);

    time::ClockMap clock_;
    std::uint64_t begin_tick_;
    bool has_last_ = false;
    std::uint64_t last_tick_ = 0;
    std::uint32_t last_thread_ = 0;
    const time::HostErrors* last_host_ = nullptr;
    std::array<Step, 2> steps_;  // by time::Stamps
};

}  // namespace sla::analysis
