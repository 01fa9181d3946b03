// Which rows the event table shows, and in which order. Without a filter it is the whole merged table, which is never
// listed; a filter, collapsed repeats or another order than time's list the rows they leave (at most Search::kMax). The
// whole of a long table is put in order on its walk, beside the frames (search_walk.h).
//
//   filter   ─► only rows that match                    (search.h)
//   collapse ─► of rows that repeat the one before in all but time the first stays, and counts the others
//   order    ─► by one column; of more than kMaxSorted rows the first SearchWalk::kMaxOrdered
//
// Owner: the window's thread.
#pragma once

#include "viewer/store/merged.h"
#include "viewer/workspace/search/search.h"
#include "viewer/workspace/table/column_order.h"
#include "viewer/workspace/table/row_order.h"
#include "viewer/workspace/table/table_columns.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sla::workspace {

class TableRows {
public:
    static constexpr std::size_t kMaxSorted = 200'000;
    static constexpr ColumnOrder kByTime{static_cast<std::size_t>(TableColumn::kTime), false};

    explicit TableRows(const store::Session& session);

    void set_filter(const std::string& text);
    [[nodiscard]] const std::string& filter() const { return filter_; }
    void set_collapsed(bool collapsed);
    [[nodiscard]] bool collapsed() const { return collapsed_; }
    // A head was clicked: by this column, then the other way round, then by time again.
    void turn_order(TableColumn column);
    void set_order(const ColumnOrder& order);
    [[nodiscard]] ColumnOrder order() const { return order_; }
    [[nodiscard]] bool by_time() const { return order_ == kByTime; }
    // Whether rows stand by time now: as wanted, or because they are not in another order yet.
    [[nodiscard]] bool is_in_time_order() const { return sorted_.empty() && !walks_in_order_; }

    // Once a frame; puts rows in order for at most so long.
    void step(std::chrono::microseconds budget);

    [[nodiscard]] bool listed() const { return search_.mode() != SearchMode::kNothing && !wrong(); }
    [[nodiscard]] bool busy() const { return search_.busy(); }
    // Search's.
    [[nodiscard]] bool is_abreast() const { return search_.is_abreast(); }
    [[nodiscard]] bool wrong() const { return search_.mode() == SearchMode::kWrong; }
    // Counts up when other rows are shown, or the same in another order.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    // How many match, what is wrong with the filter, or why there is no order; "" when there is nothing to say.
    [[nodiscard]] std::string words() const;

    [[nodiscard]] std::uint64_t size() const {
        if (!listed()) return index_.rows();
        return sorted_.empty() ? search_.hits().size() : sorted_.size();
    }
    [[nodiscard]] std::uint64_t all() const { return index_.rows(); }
    // Where no list is: rows [row, row + count), as far as they are there; changes when numbers of rows did.
    [[nodiscard]] std::vector<store::RowRef> rows_from(std::uint64_t row, std::uint64_t count) const {
        return index_.rows_from(row, count);
    }
    [[nodiscard]] std::uint64_t order_revision() const { return index_.order_revision(); }
    [[nodiscard]] std::optional<store::RowRef> place(std::uint64_t row) const;
    // How often the row repeats beyond the first time.
    [[nodiscard]] std::uint64_t repeats(std::uint64_t row) const;
    // The row before it in time among those shown, of any lane and of its own: what its Δ are counted from.
    [[nodiscard]] std::optional<store::RowRef> before(std::uint64_t row) const;
    [[nodiscard]] std::optional<store::RowRef> before_in_lane(std::uint64_t row) const;
    // The same where no list is.
    [[nodiscard]] static std::optional<store::RowRef> before_in_lane(const store::RowRef& place);
    // The first row at or behind a tick; in time order only.
    [[nodiscard]] std::uint64_t row_at(std::uint64_t tick) const;
    // size() when it is not among those shown: filtered out, counted by the one it repeats, or behind the first so many.
    [[nodiscard]] std::uint64_t row_of(const store::Lane& lane, std::uint64_t index) const;
    // These rows, and those that their differences are counted from, can be had without waiting for a file; false: they are
    // being fetched.
    [[nodiscard]] bool are_here(std::uint64_t row, std::uint64_t count) const;
    [[nodiscard]] bool is_tick_here(std::uint64_t tick) const { return listed() || index_.is_tick_here(tick); }
    // A walk from that row on, where no list is; the same from row_at(tick) on, which need not be looked for.
    [[nodiscard]] store::MergedCursor cursor(std::uint64_t row) const { return index_.cursor(row); }
    [[nodiscard]] store::MergedCursor cursor_at(std::uint64_t tick) const { return index_.cursor_at(tick); }

private:
    void list();
    // Of too many rows for a list: a walk over all keeps the first of them in the order that is wanted.
    [[nodiscard]] bool has_more_than_a_list() const;
    void unsort();
    // Looks at rows for so long, then, when all are known, puts them in order.
    void sort(std::chrono::microseconds budget);
    [[nodiscard]] RowToOrder row_to_order(std::size_t hit) const;
    [[nodiscard]] bool is_sorted() const { return ranked_ && ranked_->added() == search_.hits().size(); }
    [[nodiscard]] std::size_t hit_of(std::uint64_t row) const { return row < sorted_.size() ? sorted_[row] : row; }
    // Of hits that came since.
    void link_lanes();
    void unlink_lanes();
    [[nodiscard]] std::optional<store::RowRef> place_of_hit(std::size_t hit) const;

    store::MergedIndex index_;
    Search search_;
    std::string filter_;
    bool collapsed_ = false;
    ColumnOrder order_ = kByTime;
    bool walks_in_order_ = false;                       // the hits come in the order that is wanted
    std::vector<std::uint32_t> sorted_;                 // rows to hits; empty: in the order of the hits
    std::optional<OrderedRows<std::uint32_t>> ranked_;  // the hits looked at so far
    static constexpr std::uint32_t kNoHit = ~std::uint32_t{0};
    std::vector<std::uint32_t> before_in_lane_;  // by hit: the one before it of its lane
    std::unordered_map<const store::Lane*, std::uint32_t> last_of_lane_;
    std::uint64_t revision_ = 0;
};

}  // namespace sla::workspace
