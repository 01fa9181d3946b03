// Lane: all events of one channel. Old rows may be pages (PageTable): of a file, read when they are asked for and forgotten
// when there is no space, or still in memory; the rest is one run in memory that grows.
//
//   index   0 ─── page in a file ───┬─── page in memory ───┬──────── run ─────────► size()
//                   ◄── forget_page(), the oldest    ◄── seal()
//
// Events are in tick order; gaps are events too (code SLA_CODE_GAP, value = number lost). Indices count from 0 in this lane;
// ordinal = index the agent gave the lane's first event. Owner: the session's thread. Append-only: nothing ever changes but
// open spans, which close. Asking for a row of a page that is not here waits for the file, a millisecond or so; is_here()
// says before.
//
// view() is the lane as it is now, for another session's lane, which shows it on another thread: both have the same rows in
// memory. What may change of what they share is copied when it changes next.
#pragma once

#include "viewer/store/lane_changes.h"
#include "viewer/store/lane_spans.h"
#include "viewer/store/names.h"
#include "viewer/store/rows/gap_table.h"
#include "viewer/store/rows/page_table.h"
#include "viewer/store/rows/row_types.h"
#include "viewer/store/rows/run.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace sla::store {

struct LaneView {
    std::shared_ptr<const Channel> channel;
    std::shared_ptr<const PageTable> pages;  // null: there are none
    std::shared_ptr<const GapTable> gaps;
    RunStart start;  // of the rows behind the pages
    RunRows rows;
    bool begins_late = false;
};

class Lane {
public:
    static constexpr std::size_t kChunkEvents = Run::kChunkEvents;

    explicit Lane(Channel channel) : channel_(std::make_shared<const Channel>(std::move(channel))) {}
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    [[nodiscard]] const Channel& channel() const { return *channel_; }
    void describe(Channel channel) {
        channel_ = std::make_shared<const Channel>(std::move(channel));
        note_change();
    }
    // It is one of a session's lanes, which has `changes`; at that place in their list.
    void join(LaneChanges& changes, std::size_t place);
    void move_to(std::size_t place) { change_.place = place; }
    // In Session::lanes().
    [[nodiscard]] std::size_t place() const { return change_.place; }

    // Appends a batch that does not go backwards (checked), from its event `skip` on.
    void append(const wire::EventBatch& batch, std::size_t skip = 0);
    // Appends one loss row.
    void append_gap(std::uint64_t tick, std::uint64_t until_tick, std::uint64_t lost, std::uint32_t thread,
                    wire::LossCause cause);
    // Rows that stay in a file, and every loss row among them. Only of an empty lane. `source` outlives the lane.
    void set_pages(std::shared_ptr<const PageTable> pages, PageSource& source, GapTable gaps);
    // What is appended from here on goes on behind those pages; `open` are the spans that are open at their end.
    void go_on(std::vector<NumberedSpan> open);
    // The run that grows (not empty) becomes a page, which stays in memory until forget_page() leaves the oldest such to
    // `source`; `chunk` is its number there. Of lanes that grow from empty. O(log n), whatever its rows.
    std::shared_ptr<const Run> seal(PageSource& source, std::uint32_t chunk);
    void forget_page();
    // Loss rows of pages that were forgotten, for who never asks for anything before that tick again.
    void forget_gaps(std::uint64_t tick);
    // All pages that were forgotten become one, for who never asks for their rows again. O(pages in memory, and their spans).
    void merge_forgotten();
    // As it is now; the same until something changes. O(rows behind the pages / 4096).
    [[nodiscard]] std::shared_ptr<const LaneView> view() const;
    // Shows that: on a lane that is empty, or shows an earlier view of the same lane. Its pages come from `source`, which may
    // be null when there are none. Nothing can be appended.
    void show(std::shared_ptr<const LaneView> view, PageSource* source);
    [[nodiscard]] std::size_t pages_in_memory() const { return kept_.size(); }

    // There were rows before the first ones here.
    void set_begins_late() {
        begins_late_ = true;
        note_change();
    }
    [[nodiscard]] bool begins_late() const { return begins_late_; }

    [[nodiscard]] std::uint64_t size() const { return tail_.end_index(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] std::uint64_t events() const { return size() - gaps_->count(); }
    [[nodiscard]] Event operator[](std::uint64_t index) const { return run_of(index)[index]; }
    [[nodiscard]] std::uint64_t tick(std::uint64_t index) const { return run_of(index).tick(index); }
    [[nodiscard]] std::uint32_t thread(std::uint64_t index) const { return run_of(index).thread(index); }
    [[nodiscard]] std::uint64_t first_tick() const;
    [[nodiscard]] std::uint64_t last_tick() const { return tail_.empty() ? paged_until_ : tail_.last_tick(); }
    // A run of ticks that lie together in memory, from `index` on; empty at the end of the lane.
    [[nodiscard]] std::span<const std::uint64_t> ticks_from(std::uint64_t index) const {
        return index >= size() ? std::span<const std::uint64_t>() : run_of(index).ticks_from(index);
    }

    // The same of all columns; valid until another row of the lane is asked for.
    [[nodiscard]] Columns columns_from(std::uint64_t index) const {
        return index >= size() ? Columns() : run_of(index).columns_from(index);
    }

    // First index whose tick >= tick (upper_bound: > tick); size() when none. Starts looking at `from`.
    [[nodiscard]] std::uint64_t lower_bound(std::uint64_t tick, std::uint64_t from = 0) const;
    [[nodiscard]] std::uint64_t upper_bound(std::uint64_t tick) const {
        return tick == kNever ? size() : lower_bound(tick + 1);
    }

    // Rows with a tick below this one, at least and at most, without reading a page; exact where no page holds it.
    [[nodiscard]] std::uint64_t least_before(std::uint64_t tick) const;
    [[nodiscard]] std::uint64_t most_before(std::uint64_t tick) const;

    // No page holds that tick: how many rows lie before and at it is known without reading one.
    [[nodiscard]] bool are_rows_known_at(std::uint64_t tick) const;

    // Over [from, until) ticks; over [first, last) indices.
    [[nodiscard]] Summary summarize(std::uint64_t from, std::uint64_t until) const;
    [[nodiscard]] Summary summarize_indices(std::uint64_t first, std::uint64_t last) const;

    // Some event is of that kind; no other kind but gaps.
    [[nodiscard]] bool has(wire::Kind kind) const { return (kinds() & kind_bit(kind)) != 0; }
    [[nodiscard]] bool has_only(wire::Kind kind) const { return (kinds() & ~kind_bit(wire::Kind::kGap)) == kind_bit(kind); }
    [[nodiscard]] bool has_levels() const { return has(wire::Kind::kLevel); }
    // Some event carries a number (levels and gaps aside).
    [[nodiscard]] bool has_values() const { return tail_.has_values() || (pages_ != nullptr && pages_->has_numbers()); }
    [[nodiscard]] bool has_texts() const { return tail_.has_texts() || (pages_ != nullptr && pages_->has_texts()); }
    [[nodiscard]] Level level_at(std::uint64_t tick) const { return level_state(tick).level; }
    [[nodiscard]] LevelInterval level_over(std::uint64_t from, std::uint64_t until) const;
    // At a tick, after all rows before index `behind`, when all of them and no others are at or before it. Of a lane with
    // levels; sweeps know the index and save the search.
    [[nodiscard]] LevelState level_behind(std::uint64_t behind, std::uint64_t tick) const;
    // Rows [first, last) without loss rows.
    [[nodiscard]] std::uint64_t events_in(std::uint64_t first, std::uint64_t last) const {
        return last - first - gaps_->sum(first, last).gaps;
    }

    [[nodiscard]] const std::deque<Gap>& gaps() const { return gaps_->all(); }
    // Without what was only not kept.
    [[nodiscard]] std::uint64_t lost() const { return gaps_->lost(); }
    [[nodiscard]] std::uint64_t not_kept() const { return gaps_->not_kept(); }
    [[nodiscard]] std::uint64_t lost(wire::LossCause cause) const { return gaps_->lost(cause); }
    [[nodiscard]] std::uint64_t uncounted_losses() const { return gaps_->uncounted(); }
    // By gap rows in [from, until) ticks.
    [[nodiscard]] GapTable::Missing missing_between(std::uint64_t from, std::uint64_t until) const {
        return gaps_->missing_between(from, until);
    }
    [[nodiscard]] std::size_t end_of_gap_sort(std::size_t position) const { return gaps_->end_of_sort(position); }
    // Nothing when the event is no gap.
    [[nodiscard]] const Gap* gap_at(std::uint64_t index) const { return gaps_->at(index); }
    // A page whose rows cannot be read, as one loss of all its events at the first of them; nothing: they can be, or nobody
    // knows better. `events` of a lane has them, for they were there; no table of losses does.
    [[nodiscard]] std::optional<Gap> unreadable_page(std::size_t page, PageSource::Look look) const;
    // Up to where the losses of that loss row, at that tick, reach. A row that cannot be read is in no table of losses: it
    // stands for itself.
    [[nodiscard]] std::uint64_t loss_until(std::uint64_t index, std::uint64_t tick) const {
        const Gap* const gap = gap_at(index);
        return gap == nullptr ? tick : gap->until_tick;
    }
    // First gap whose until_tick could reach `tick`, as a position in gaps().
    [[nodiscard]] std::size_t first_gap_touching(std::uint64_t tick) const { return gaps_->first_touching(tick); }

    [[nodiscard]] LaneSpans spans() const { return LaneSpans(*this); }

    // Readable text of an event: its own, or made by the channel's formatter, or a gap's cause. Appends to `out`.
    void append_text(std::uint64_t index, std::string& out) const;
    [[nodiscard]] std::string text(std::uint64_t index) const;
    // Both zero when the event has none.
    [[nodiscard]] std::array<std::uint64_t, 2> details(std::uint64_t index) const { return run_of(index).details(index); }

    // Every row with a tick in [from, until], and the ones right before and behind, can be had without waiting. False: they
    // are being fetched, unless they are in more than `most_pages` pages of a file.
    [[nodiscard]] bool is_here(std::uint64_t from, std::uint64_t until, std::size_t most_pages = 8) const;

    // The same of one row; of the rows [first, last).
    [[nodiscard]] bool is_row_here(std::uint64_t index) const {
        return index >= tail_.first_index() || index - hot_first_ < hot_rows_ ||
               find_page(pages_->page_of(index)) != nullptr;
    }
    [[nodiscard]] bool are_rows_here(std::uint64_t first, std::uint64_t last) const;

    // The rows that grow; null when there are no pages.
    [[nodiscard]] const Run& tail() const { return tail_; }
    [[nodiscard]] const PageTable* pages() const { return pages_.get(); }
    // The page's rows; waits for them, or null when they are not here.
    [[nodiscard]] const Run& page_run(std::size_t page) const;
    [[nodiscard]] std::shared_ptr<const Run> find_page(std::size_t page) const;
    // The page asked for last is not held any longer: who walks over thousands of lanes would have one of each in memory.
    void let_go_page() const;
    // The page asked for last; null when none was.
    [[nodiscard]] const Run* hot_page() const { return hot_.get(); }

    // Of what is in memory, what the source of pages holds aside.
    [[nodiscard]] std::uint64_t memory_bytes() const;

private:
    // Behind whatever changes of it.
    void note_change();
    // Of most lanes: an empty one takes a kilobyte and a half.
    static const std::shared_ptr<GapTable>& no_gaps();
    // To change them: copies of those that a view has.
    GapTable& own_gaps();
    PageTable& own_pages();
    const Run& run_of(std::uint64_t index) const {
        if (index >= tail_.first_index()) return tail_;
        if (index - hot_first_ < hot_rows_) return *hot_;
        return page_run(pages_->page_of(index));
    }
    [[nodiscard]] std::uint8_t kinds() const {
        return static_cast<std::uint8_t>(tail_.kinds() | (pages_ == nullptr ? 0 : pages_->kinds()));
    }
    LevelState level_state(std::uint64_t tick) const;
    enum class Numbers : std::uint8_t { kAll, kFinite };
    ValueRange range_of(std::uint64_t first, std::uint64_t last, Numbers which) const;
    // Starts the run that grows anew, behind the last page.
    void begin_tail(std::vector<NumberedSpan> open);
    void find_ends_of_pages();
    void note_ended_spans();

    std::shared_ptr<const Channel> channel_;
    LaneChanges* changes_ = nullptr;  // the session's
    LaneChange change_;
    std::shared_ptr<GapTable> gaps_ = no_gaps();
    Run tail_;
    std::shared_ptr<const PageTable> pages_;       // null: there are none
    std::shared_ptr<PageTable> growing_;           // the same, of a lane whose pages were sealed or are gone on from
    std::deque<std::shared_ptr<const Run>> kept_;  // the newest pages
    std::uint64_t kept_bytes_ = 0;
    mutable std::shared_ptr<const LaneView> view_;  // made last, while it is what the lane is
    mutable bool are_gaps_shared_ = true;           // with a view, or with all lanes that have none
    mutable bool are_pages_shared_ = false;
    bool begins_late_ = false;
    PageSource* source_ = nullptr;
    std::uint64_t paged_until_ = 0;  // last tick of the pages
    std::uint64_t high_before_tail_ = 0;
    // The page asked for last: neighbouring rows are mostly asked for together.
    mutable std::shared_ptr<const Run> hot_;
    mutable std::uint64_t hot_first_ = 0;
    mutable std::uint64_t hot_rows_ = 0;
};

}  // namespace sla::store
