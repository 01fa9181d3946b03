// MergedRows: a walk forward over many rows of many lanes in the table's order (tick, channel id, index), for exports. Rows
// are copied out of the lanes an interval of time at a time, each lane's in one go, and put in order by their ticks' digits:
// some 5 ns a row where MergedCursor, which moves between lanes at each row, waits for memory (tests/bench/export_bench).
//
//   lane 0  ── rows ──┤                    the interval ends before the first tick of which some lane may have
//   lane 1  ── rows ─┤    ─► sort ─► next()    more rows than were looked at
//   ...               end
//
// Owner: the session's thread; the lanes do not change meanwhile.
#pragma once

#include "viewer/store/lane.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sla::store {

class MergedRows {
public:
    struct Row {
        std::uint64_t tick = 0;
        std::uint64_t index = 0;  // in its lane
        std::uint64_t value = 0;
        std::uint32_t thread = 0;
        std::uint32_t lane : 24 = 0;  // place in lanes()
        std::uint32_t code : 8 = 0;
    };

    // From the first row with a tick >= `from` on; rows with a tick beyond `until` are not there. Lanes in order of channel
    // id (checked), fewer than 2^20.
    MergedRows(std::vector<const Lane*> lanes, std::uint64_t from, std::uint64_t until);

    // Only rows that count. Intervals that nobody reads are jumped over.
    struct Chosen {
        // The first of [from, until) of the n-th lane that may count as far as is known, or `until`; whether what holds it has
        // been looked through, or will be when it is read; else none that counts is before `tick`.
        struct Candidate {
            std::uint64_t row = 0;
            bool is_known = true;
            std::uint64_t tick = 0;
        };
        std::function<Candidate(std::size_t lane, std::uint64_t from, std::uint64_t until)> glance;
        // Looks through what holds that row, of all lanes: it is known from here on.
        std::function<void(std::size_t lane, std::uint64_t row)> look_through;
        // The first of [from, until) that counts, or `until`.
        std::function<std::uint64_t(std::size_t lane, std::uint64_t from, std::uint64_t until)> skip;
    };
    void choose(Chosen chosen) { chosen_ = std::move(chosen); }

    // Null at the end; else it stands until the next call.
    const Row* next() {
        while (given_ == count_) {
            if (!look_on()) return nullptr;
        }
        return next_ready();
    }
    // In turns, for who must not wait long: rows that are ready, null when there are no more; then look_on() makes the next
    // interval ready, of which it may be that no row counts. False: at the end.
    const Row* next_ready() {
        if (given_ == count_) return nullptr;
        // Rows of an interval lie lane by lane, and most are no longer in the first cache.
        if (given_ + kFetchedAhead < count_) __builtin_prefetch(&rows_[order_[given_ + kFetchedAhead] & kPlaceMask]);
        return &rows_[order_[given_++] & kPlaceMask];
    }
    bool look_on();
    [[nodiscard]] const std::vector<const Lane*>& lanes() const { return lanes_; }

private:
    static constexpr unsigned kPlaceBits = 20;
    static constexpr std::uint64_t kPlaceMask = (std::uint64_t{1} << kPlaceBits) - 1;
    static constexpr std::size_t kFetchedAhead = 16;  // rows
    // How far each lane is looked at; where the interval ends.
    struct Interval {
        bool any = false;
        std::uint64_t begin = kNever;
        std::uint64_t end = kNever;
        bool is_cut_short = false;  // for no more rows of some lane were looked at
    };

    // A lane of which nothing is known yet, and the tick from which on it may have rows that count.
    struct Unknown {
        std::size_t lane = 0;
        std::uint64_t tick = kNever;
    };

    Interval look(Unknown& first);
    // Rows [next_, next_ + count) of a lane, whose columns are these.
    void copy(std::size_t lane, const Columns& columns, std::uint64_t count);
    // Of a page that cannot be read one row, which has lost all of its events. False: these rows are of none.
    bool copy_unreadable(std::size_t lane, const Columns& columns, std::uint64_t count);
    // More rows of one tick than an interval holds: lane by lane they are in order.
    void fill_with_equal();
    Row* space_for(std::uint64_t rows);
    void put_in_order(std::uint64_t begin);
    void adapt(std::uint64_t looked_at, const Interval& interval);

    std::vector<const Lane*> lanes_;
    std::vector<std::uint64_t> next_;  // by lane
    std::vector<std::uint64_t> ends_;
    std::vector<Columns> columns_;   // by lane: those looked at
    std::vector<bool> are_unknown_;  // by lane
    std::optional<Chosen> chosen_;
    std::uint64_t ahead_ = 64;  // how many rows of a lane are looked at
    bool equal_ = false;
    std::uint64_t equal_tick_ = 0;
    std::size_t equal_lane_ = 0;

    std::vector<Row> rows_;  // lane after lane; those below count_ stand
    std::size_t count_ = 0;
    // In the table's order: the tick since the interval's begin, and the place in rows_ in the lowest bits. Those below
    // count_ stand, as in rows_.
    std::vector<std::uint64_t> order_;
    std::vector<std::uint64_t> scratch_;
    std::size_t given_ = 0;
};

}  // namespace sla::store
