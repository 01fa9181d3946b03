// Page: what is known of the rows of a lane that one chunk of a file holds, without reading them. PageColumns: many pages in
// order, column by column: a large capture has millions, and most lanes have no levels, no spans, no values or no losses.
//
// Memory: 40 bytes a page; 16 more where there are values, 16 of levels, 20 of spans, 16 of losses.
#pragma once

#include "proto/base/columns.h"
#include "viewer/store/rows/row_types.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sla::store {

struct Page {
    std::uint64_t first = 0;  // index of its first row
    std::uint64_t rows = 0;
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    std::uint64_t gaps = 0;
    std::uint64_t lost = 0;
    std::uint64_t longest_pause = 0;
    std::uint64_t high_ticks = 0;  // between its first and its last tick
    std::uint64_t busy_ticks = 0;
    std::uint64_t begins = 0;
    ValueRange values;
    std::uint32_t deepest = 0;  // most spans open anywhere in it
    std::uint8_t kinds = 0;
    Level level_before = Level::kUnknown;
    Level level_after = Level::kUnknown;
    std::uint32_t chunk = 0;  // where the source finds it
    // Set by PageTable::add():
    std::uint64_t first_span = 0;   // id
    std::uint64_t high_before = 0;  // ticks high before first_tick

    [[nodiscard]] std::uint64_t end() const { return first + rows; }
    // `next` follows right behind: one page of both.
    void absorb(const Page& next);
};

class PageColumns {
public:
    // So many will come: columns that are used take their memory once.
    void reserve(std::size_t pages);
    // It must follow right behind the last one, in rows and in spans.
    void push_back(const Page& page);

    [[nodiscard]] bool empty() const { return ends_.empty(); }
    [[nodiscard]] std::size_t size() const { return ends_.size(); }
    // Only the fields that are looked at are read: who asks for one of them pays for one.
    [[nodiscard, gnu::always_inline]] Page operator[](std::size_t at) const {
        Page page;
        page.first = at == 0 ? 0 : ends_[at - 1];
        page.rows = ends_[at] - page.first;
        page.first_tick = first_ticks_[at];
        page.last_tick = last_ticks_[at];
        page.gaps = gaps_[at];
        page.lost = lost_[at];
        page.longest_pause = longest_pauses_[at];
        page.high_ticks = high_ticks_[at];
        page.busy_ticks = busy_ticks_[at];
        page.first_span = at == 0 ? 0 : span_ends_[at - 1];
        page.begins = span_ends_[at] - page.first_span;
        page.values = values(at);
        page.deepest = deepest_[at];
        page.kinds = states_[at].kinds;
        page.level_before = states_[at].level_before;
        page.level_after = states_[at].level_after;
        page.chunk = chunks_[at];
        page.high_before = high_before_[at];
        return page;
    }
    [[nodiscard]] Page front() const { return (*this)[0]; }
    [[nodiscard]] Page back() const { return (*this)[size() - 1]; }
    [[nodiscard]] ValueRange values(std::size_t at) const { return {min_[at], max_[at], states_[at].has_value}; }
    [[nodiscard]] RowIterator<PageColumns, Page> begin() const { return {*this, 0}; }
    [[nodiscard]] RowIterator<PageColumns, Page> end() const { return {*this, size()}; }

    // The first page whose rows end behind that row, whose spans end behind that id, whose last tick is at or behind the
    // tick, whose first tick is behind it, whose chunk is that one or a later; size() when none. O(log).
    [[nodiscard]] std::size_t first_with_row(std::uint64_t index) const;
    [[nodiscard]] std::size_t first_with_span(std::uint64_t id) const;
    [[nodiscard]] std::size_t first_until(std::uint64_t tick) const;
    [[nodiscard]] std::size_t first_behind(std::uint64_t tick) const;
    [[nodiscard]] std::size_t first_in_chunk(std::uint32_t chunk) const;

    [[nodiscard]] std::uint64_t memory_bytes() const;

private:
    struct State {
        std::uint8_t kinds = 0;
        Level level_before = Level::kUnknown;
        Level level_after = Level::kUnknown;
        bool has_value = false;
    };

    std::vector<std::uint64_t> ends_;  // rows
    std::vector<std::uint64_t> first_ticks_;
    std::vector<std::uint64_t> last_ticks_;
    std::vector<std::uint64_t> longest_pauses_;
    std::vector<std::uint32_t> chunks_;
    std::vector<State> states_;
    SparseColumn<double> min_;
    SparseColumn<double> max_;
    SparseColumn<std::uint64_t> high_ticks_;
    SparseColumn<std::uint64_t> high_before_;
    SparseColumn<std::uint64_t> busy_ticks_;
    SparseColumn<std::uint64_t> span_ends_;  // ids
    SparseColumn<std::uint32_t> deepest_;
    SparseColumn<std::uint64_t> gaps_;
    SparseColumn<std::uint64_t> lost_;
    std::size_t expected_ = 0;
};

}  // namespace sla::store
