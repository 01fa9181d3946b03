#include "viewer/workspace/table/table_rows.h"

#include "viewer/timeline/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::workspace {

namespace {

constexpr std::size_t kKeysBetweenLooks = 256;  // at the clock

}  // namespace

TableRows::TableRows(const store::Session& session) : index_(session), search_(session, SearchOver::kEvents) {}

void TableRows::set_filter(const std::string& text) {
    if (text == filter_) return;
    filter_ = text;
    list();
}

void TableRows::set_collapsed(bool collapsed) {
    if (collapsed == collapsed_) return;
    collapsed_ = collapsed;
    list();
}

void TableRows::turn_order(TableColumn column) {
    const bool longest_first = column == TableColumn::kDeltaAny || column == TableColumn::kDeltaLane;
    set_order(turned(order_, static_cast<std::size_t>(column), longest_first).value_or(kByTime));
}

void TableRows::set_order(const ColumnOrder& order) {
    if (order == order_) return;
    const bool was_listed = listed() && !walks_in_order_;
    order_ = order;
    if (was_listed && (!by_time() || !filter_.empty() || collapsed_)) {
        unsort();
    } else {
        list();
    }
}

bool TableRows::has_more_than_a_list() const {
    return !by_time() && filter_.empty() && !collapsed_ && index_.rows() > kMaxSorted;
}

// Begins anew with what is wanted now.
void TableRows::list() {
    walks_in_order_ = has_more_than_a_list();
    search_.set(filter_, {.everything = collapsed_ || !by_time(),
                          .collapse = collapsed_,
                          .order = walks_in_order_ ? std::optional(order_) : std::nullopt});
    unlink_lanes();
    unsort();
}

void TableRows::unsort() {
    sorted_.clear();
    ranked_.reset();
    ++revision_;
}

void TableRows::step(std::chrono::microseconds budget) {
    index_.refresh();
    if (has_more_than_a_list() && !walks_in_order_) list();  // more rows have come than a list has space for
    if (search_.step()) ++revision_;
    if (walks_in_order_) return;
    link_lanes();
    if (!by_time() && listed() && !search_.busy() && !is_sorted()) sort(budget);
}

void TableRows::unlink_lanes() {
    before_in_lane_.clear();
    last_of_lane_.clear();
}

void TableRows::link_lanes() {
    const std::vector<Hit>& hits = search_.hits();
    if (before_in_lane_.size() > hits.size()) unlink_lanes();  // it began anew
    for (std::size_t at = before_in_lane_.size(); at < hits.size(); ++at) {
        const auto [last, is_first] = last_of_lane_.try_emplace(hits[at].lane, kNoHit);
        before_in_lane_.push_back(std::exchange(last->second, static_cast<std::uint32_t>(at)));
    }
}

std::optional<store::RowRef> TableRows::place_of_hit(std::size_t at) const {
    const std::vector<Hit>& hits = search_.hits();
    if (at >= hits.size()) return std::nullopt;
    return store::RowRef{hits[at].lane, hits[at].index, hits[at].tick};
}

RowToOrder TableRows::row_to_order(std::size_t at) const {
    RowToOrder row{*place_of_hit(at), at, std::nullopt, std::nullopt};  // hits are in order of time
    if (at > 0) row.before_tick = search_.hits()[at - 1].tick;
    if (const std::uint32_t own = before_in_lane_[at]; own != kNoHit) row.before_in_lane_tick = search_.hits()[own].tick;
    return row;
}

void TableRows::sort(std::chrono::microseconds budget) {
    const std::size_t hits = search_.hits().size();
    if (!ranked_) ranked_.emplace(hits > kMaxSorted ? SearchWalk::kMaxOrdered : kMaxSorted, RowBefore{order_.descending});
    const auto until = std::chrono::steady_clock::now() + budget;
    while (ranked_->added() < hits) {
        const auto at = static_cast<std::size_t>(ranked_->added());
        if (at % kKeysBetweenLooks == 0 && std::chrono::steady_clock::now() >= until) return;
        const Hit& next = search_.hits()[at];
        if (!next.lane->are_rows_here(next.index, next.index + 1)) return;  // on with it in the next frame
        ranked_->add(key_of(order_.column, row_to_order(at)), static_cast<std::uint32_t>(at));
    }
    sorted_ = ranked_->in_order();
    ++revision_;
}

std::string TableRows::words() const {
    if (wrong()) return search_.problem();
    if (!listed()) return {};
    if (walks_in_order_) {
        const std::string all = timeline::grouped(index_.rows());
        if (search_.busy()) return fmt::format("putting {} rows in order, {:.0f} %", all, 100 * search_.progress());
        return fmt::format("the first {} of {} rows in this order", timeline::grouped(size()), all);
    }
    std::string words = timeline::grouped(search_.hits().size()) + " rows";
    if (search_.busy()) words += fmt::format(" so far ({:.0f} % looked through)", 100 * search_.progress());
    if (search_.full()) words = "the first " + words;
    if (!by_time() && !search_.busy() && !is_sorted()) words += ", being put in order";
    if (is_sorted() && size() < search_.hits().size())
        words = fmt::format("the first {} of {} in this order", timeline::grouped(size()), words);
    return words;
}

std::optional<store::RowRef> TableRows::place(std::uint64_t row) const {
    return listed() ? place_of_hit(hit_of(row)) : index_.place(row);
}

std::uint64_t TableRows::repeats(std::uint64_t row) const {
    return listed() && row < size() ? search_.hits()[hit_of(row)].repeats : 0;
}

std::optional<store::RowRef> TableRows::before(std::uint64_t row) const {
    if (!listed()) return row == 0 ? std::nullopt : index_.place(row - 1);
    if (walks_in_order_) return row < size() ? search_.hits()[row].details->before.any : std::nullopt;
    const std::size_t at = row < size() ? hit_of(row) : 0;
    return at == 0 ? std::nullopt : place_of_hit(at - 1);
}

std::optional<store::RowRef> TableRows::before_in_lane(std::uint64_t row) const {
    if (walks_in_order_) {
        if (row >= size()) return std::nullopt;
        const Hit& hit = search_.hits()[row];
        const auto tick = hit.details->before.in_lane_tick;
        return tick ? std::optional(store::RowRef{hit.lane, hit.index - 1, *tick}) : std::nullopt;
    }
    if (listed()) {
        const std::size_t at = hit_of(row);
        return at < before_in_lane_.size() ? place_of_hit(before_in_lane_[at]) : std::nullopt;
    }
    const auto place = index_.place(row);
    return place ? before_in_lane(*place) : std::nullopt;
}

std::optional<store::RowRef> TableRows::before_in_lane(const store::RowRef& place) {
    if (place.index == 0) return std::nullopt;
    return store::RowRef{place.lane, place.index - 1, place.lane->tick(place.index - 1)};
}

bool TableRows::are_here(std::uint64_t row, std::uint64_t count) const {
    if (!listed()) return index_.is_here(row, count);
    bool all = true;
    for (const std::uint64_t end = std::min(row + count, size()); row < end; ++row) {
        for (const auto& one : {place(row), before(row), before_in_lane(row)}) {
            if (one) all = one->lane->are_rows_here(one->index, one->index + 1) && all;
        }
    }
    return all;
}

std::uint64_t TableRows::row_at(std::uint64_t tick) const {
    return listed() ? search_.next(tick).value_or(search_.hits().size()) : index_.row_at(tick);
}

std::uint64_t TableRows::row_of(const store::Lane& lane, std::uint64_t index) const {
    if (!listed()) return index_.row_of(lane, index);
    const std::vector<Hit>& hits = search_.hits();
    if (walks_in_order_) {
        const auto is_it = [&](const Hit& hit) { return hit.lane == &lane && hit.index == index; };
        return static_cast<std::uint64_t>(std::find_if(hits.begin(), hits.end(), is_it) - hits.begin());
    }
    const std::uint64_t tick = lane.tick(index);
    std::size_t found = search_.next(tick).value_or(hits.size());
    while (found < hits.size() && hits[found].tick == tick && !(hits[found].lane == &lane && hits[found].index == index))
        ++found;
    if (found == hits.size() || hits[found].tick != tick) return size();
    if (sorted_.empty()) return found;
    return static_cast<std::uint64_t>(std::find(sorted_.begin(), sorted_.end(), found) - sorted_.begin());
}

}  // namespace sla::workspace
