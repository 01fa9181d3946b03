// All lanes (or some) as one table in the order (tick, channel id, index). Nothing is stored: a row's place is computed from
// the lanes' own order, so it costs no memory, and live growth needs no upkeep.
//
//   MergedIndex   row number <-> place, O(lanes * log events), and a page a lane where rows stay in a file; rows at or below
//                 the session's final tick only
//   MergedCursor  a walk in either direction, O(log lanes) a step, cheaper in runs of one lane; merged_rows.h walks
//                 faster over very many
//
// Owner: the session's thread. Both hold pointers to lanes, which live as long as the session; neither survives it.
// The number of rows grows; a row's number never changes as long as the agent keeps its promise about the watermark.
#pragma once

#include "viewer/store/lane.h"
#include "viewer/store/page_steps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sla::store {

class Session;

// One row of the merged table.
struct RowRef {
    const Lane* lane = nullptr;
    std::uint64_t index = 0;
    std::uint64_t tick = 0;
};

class MergedCursor {
public:
    // At the first row. Rows with a tick beyond `until` are not there.
    explicit MergedCursor(std::vector<const Lane*> lanes, std::uint64_t until = kNever);

    // Before the first row whose tick >= tick.
    void seek(std::uint64_t tick);
    // Before the row at `place` (of one of the lanes).
    void seek(const RowRef& place);
    // The row after the cursor, which then stands behind it; nothing at the end.
    std::optional<RowRef> next();
    // The row before the cursor, which then stands before it; nothing at the beginning.
    std::optional<RowRef> previous();
    // Number of the row that next() would give.
    [[nodiscard]] std::uint64_t row() const;

    // Later rows may have become final.
    void extend(std::uint64_t until);

private:
    enum class Direction { kNone, kForward, kBackward };
    // A lane's next row, turned round (all bits) when walking backward, so that the least comes first either way.
    struct Head {
        std::uint64_t tick = kNever;
        std::uint64_t order = kNever;  // position in lanes_, which is in order of channel id; kNever: the lane is at its end
    };
    static bool first(const Head& a, const Head& b) {
        return static_cast<int>(a.tick < b.tick) |
               (static_cast<int>(a.tick == b.tick) & static_cast<int>(a.order < b.order));
    }
    void prepare(Direction direction);
    [[nodiscard]] Head head_of(std::size_t order);
    // The best of the subtree; the others take their places in it.
    Head play(std::size_t node);
    // The lane of the best has moved on.
    void replay(std::size_t order);

    std::vector<const Lane*> lanes_;
    std::vector<std::uint64_t> next_;  // per lane: its first event behind the cursor
    std::vector<std::uint64_t> ends_;  // per lane: size up to `until_`
    // A loser tree: losers_[n] lost the match at node n, whose children are 2n and 2n+1; the leaves are the lanes' heads.
    // One comparison a level, without a branch: some 10 ns a step for 64 lanes (tests/bench/export_bench).
    std::vector<Head> losers_;
    Head best_;
    std::uint64_t until_ = kNever;
    Direction direction_ = Direction::kNone;
};

class MergedIndex {
public:
    // Every lane of the session, also those that come later.
    explicit MergedIndex(const Session& session);
    // Only these channels.
    MergedIndex(const Session& session, std::vector<ChannelId> channels);

    // Looks at what is final now; call once a frame (or after ingest). rows() and all answers stand until the next call.
    // O(lanes that changed since the last call).
    void refresh();

    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    // Changes when numbers of rows that were there did, which an agent that keeps its promise never does.
    [[nodiscard]] std::uint64_t order_revision() const { return order_revision_; }
    // Rows [row, row + count), as far as they are there. Of the newest without a look at every lane's rows.
    [[nodiscard]] std::vector<RowRef> rows_from(std::uint64_t row, std::uint64_t count) const;
    [[nodiscard]] const std::vector<const Lane*>& lanes() const { return lanes_; }
    // Row numbers from 0. Nothing at or beyond rows().
    [[nodiscard]] std::optional<RowRef> place(std::uint64_t row) const;
    // Number of the first row whose tick >= tick; rows() when none.
    [[nodiscard]] std::uint64_t row_at(std::uint64_t tick) const;
    // The row number of an event of a lane.
    [[nodiscard]] std::uint64_t row_of(const Lane& lane, std::uint64_t index) const;
    // A cursor that stands before `row`.
    [[nodiscard]] MergedCursor cursor(std::uint64_t row) const;
    // The same before row_at(tick), which need not be looked for.
    [[nodiscard]] MergedCursor cursor_at(std::uint64_t tick) const;
    // Rows [row, row + count) and the one before can be had without waiting for a file; false: they are being fetched.
    [[nodiscard]] bool is_here(std::uint64_t row, std::uint64_t count) const;
    // row_at() and row_of() can answer for that tick without waiting.
    [[nodiscard]] bool is_tick_here(std::uint64_t tick) const;

private:
    // Ticks [low, high) that hold the row, as narrow as can be said without reading pages.
    struct Window {
        std::uint64_t low;
        std::uint64_t high;
    };
    // All lanes anew; one of them.
    void count_all();
    void count(std::size_t place, std::uint64_t until_before);
    // The lanes that hold the last so many rows, in order of channel id, and others.
    [[nodiscard]] std::vector<std::size_t> lanes_of_last(std::uint64_t rows) const;
    [[nodiscard]] bool is_near_end(std::uint64_t row) const { return rows_ - std::min(rows_, row) <= kNearEnd; }

    [[nodiscard]] Window window_of(std::uint64_t row) const;
    [[nodiscard]] Window bisected_window(std::uint64_t row) const;  // where some lanes have rows that are in no page

    const Session* session_;
    std::vector<ChannelId> wanted_;
    bool all_ = true;
    static constexpr std::uint64_t kNearEnd = 256;  // rows

    std::vector<const Lane*> lanes_;
    std::vector<std::uint64_t> counts_;      // by lane: its rows up to until_
    std::vector<std::uint64_t> last_ticks_;  // of the last of those
    std::vector<std::uint64_t> next_ticks_;  // of the first row beyond until_; kNever: there is none
    std::vector<std::size_t> with_more_;     // that have such a row
    mutable PageSteps steps_;                // made when somebody asks for a row that is not near the end
    std::uint64_t seen_changes_ = 0;         // of the session
    std::uint64_t order_revision_ = 0;
    std::uint64_t until_ = 0;
    std::uint64_t rows_ = 0;
};

}  // namespace sla::store
