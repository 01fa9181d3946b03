// LaneChanges: what all lanes of a session hold together, and which of them changed last. The lanes keep it up to date as they
// change, so that a frame asks in O(1), or goes over those that changed since it asked last: of tens of thousands of lanes a
// look at each takes milliseconds.
//
//   newest ─► lane 7 (41st change) ─► lane 2 (40th) ─► lane 9 (12th) ─► ...      each lane once, by its latest change
//
// Owner: the session's thread.
#pragma once

#include "viewer/store/rows/row_types.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sla::store {

class Lane;

// Of one lane, or of all together.
struct LaneTotals {
    std::uint64_t events = 0;  // without loss rows
    std::uint64_t gaps = 0;    // loss rows that are not forgotten
    std::uint64_t lost = 0;    // without what was only not kept
    std::uint64_t not_kept = 0;
    std::uint64_t uncounted = 0;       // loss rows that do not know how many
    std::uint64_t lost_in_rings = 0;   // of those lost: the program was faster than the agent,
    std::uint64_t lost_by_reader = 0;  // or this reader was too slow
    std::uint64_t lossy_lanes = 0;     // of which something was lost

    // What stood there before gives way to what is there now.
    void replace(const LaneTotals& before, const LaneTotals& now);
};

// A lane's place among the others.
struct LaneChange {
    const Lane* lane = nullptr;
    std::size_t place = 0;     // in Session::lanes()
    std::uint64_t number = 0;  // of its latest change; 0: it is of no session
    LaneChange* newer = nullptr;
    LaneChange* older = nullptr;
    LaneTotals counted;
    bool has_rows = false;
    std::uint32_t shape = 0;  // what decides how high it is drawn
};

class LaneChanges {
public:
    // The lane's latest change is now the newest of all.
    void note(LaneChange& lane, const LaneTotals& totals, std::uint32_t shape);
    // Of a lane that has its first row.
    void note_first_tick(std::uint64_t tick) {
        first_tick_ = std::min(first_tick_, tick);
        ++lanes_with_rows_;
    }
    void note_last_tick(std::uint64_t tick) { last_tick_ = std::max(last_tick_, tick); }
    // Something else that decides how lanes are listed.
    void note_shape() { ++shapes_; }

    [[nodiscard]] const LaneTotals& totals() const { return totals_; }
    // Of any row; kNever and 0 when there are none.
    [[nodiscard]] std::uint64_t first_tick() const { return first_tick_; }
    [[nodiscard]] std::uint64_t last_tick() const { return last_tick_; }
    [[nodiscard]] std::uint64_t lanes_with_rows() const { return lanes_with_rows_; }
    // Changes with lanes and sources, and when a lane has its first value or more spans side by side than ever.
    [[nodiscard]] std::uint64_t shapes() const { return shapes_; }
    // The number of the newest change.
    [[nodiscard]] std::uint64_t newest() const { return newest_number_; }
    // visit(const Lane&) of each lane that has changed since that one, the latest first.
    template <typename Visit>
    void visit_since(std::uint64_t number, Visit visit) const {
        for (const LaneChange* at = newest_; at != nullptr && at->number > number; at = at->older) visit(*at->lane);
    }

private:
    LaneTotals totals_;
    std::uint64_t first_tick_ = kNever;
    std::uint64_t last_tick_ = 0;
    std::uint64_t lanes_with_rows_ = 0;
    std::uint64_t shapes_ = 0;
    std::uint64_t newest_number_ = 0;
    LaneChange* newest_ = nullptr;
};

}  // namespace sla::store
