// DeltaTracker: for rows handed over in table order, the time since the row before (any channel of the table) and since the
// row before of the same channel. Loss rows are rows: a delta never reaches back across a loss unseen.
//
// `error_ps` bounds both deltas of the row: it is the greater of their errors (proto/time/README.md has the formula; between
// rows of two threads the skew of their cores is in it). Owner: the session's thread. O(1) a row.
#pragma once

#include "viewer/store/session.h"

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
    // For a table that begins at the tick `from`: rows before it do not count.
    explicit DeltaTracker(const time::ClockMap& clock, std::uint64_t from = 0) : clock_(clock), from_(from) {}

    Deltas next(const store::Place& place);

    // The same for one row alone, given the row before it in the table (or none).
    static Deltas at(const time::ClockMap& clock, const store::Place& place, const std::optional<store::Place>& before);

private:
    // The error grows with the distance in steps of a picosecond: between two distances of one error it is that error.
    struct Step {
        std::uint64_t from = 1;
        std::uint64_t to = 0;
        std::int64_t error_ps = 0;
    };
    std::int64_t error_of(std::uint64_t from_tick, std::uint64_t to_tick, time::Stamps stamps);

    time::ClockMap clock_;
    std::uint64_t from_;
    bool has_last_ = false;
    std::uint64_t last_tick_ = 0;
    std::uint32_t last_thread_ = 0;
    std::array<Step, 2> steps_;  // by time::Stamps
};

}  // namespace sla::analysis
