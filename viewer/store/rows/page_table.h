// PageTable: what is known of those rows of a lane that stay in a file: its pages, one a chunk of the file, each with sums
// over its rows, and all spans that lie in more than one page.
//
//   rows    0 ──── page 0 ────┬──── page 1 ────┬── page 2 ──┬ rows()
//   spans        ├───────────crossing──────────┤  ├──┤ of a page: known when the page is read
//
// Filled in order. Of a file, once, then only read: any number of threads may. Of a stream, page by page; its owner's thread
// alone may then look at it. Memory: 50 to 140 bytes a page, by what its rows are; 100 a crossing span.
#pragma once

#include "viewer/store/rows/page_columns.h"
#include "viewer/store/rows/row_types.h"
#include "viewer/store/rows/run.h"
#include "viewer/store/rows/segment_forest.h"
#include "viewer/store/rows/span_table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sla {
struct IntervalSums;
}

namespace sla::store {

class Session;

// What a page says of these rows (not none), but for losses and `high_before`. O(log).
Page page_of(const Run& run);

// Some of a lane's pages, or of coarser ones. Valid until the next add() to their table.
class PageRange {
public:
    PageRange(const PageColumns& whole, std::size_t begin, std::size_t end, const Page& behind)
        : whole_(&whole), begin_(begin), end_(end), behind_(behind) {}

    [[nodiscard]] std::size_t size() const { return end_ - begin_; }
    [[nodiscard]] Page operator[](std::size_t at) const {
        return begin_ + at < whole_->size() ? (*whole_)[begin_ + at] : behind_;
    }
    [[nodiscard]] RowIterator<PageRange, Page> begin() const { return {*this, 0}; }
    [[nodiscard]] RowIterator<PageRange, Page> end() const { return {*this, size()}; }

private:
    const PageColumns* whole_;
    std::size_t begin_;
    std::size_t end_;
    Page behind_;  // of a coarser level: what does not make a whole one yet
};

class PageTable {
public:
    // So many pages will be added: columns take their memory once.
    void reserve(std::size_t pages) { pages_.reserve(expected_ = pages); }
    // `page.first` and what follows `chunk` are set here. In order of time, never empty.
    void add(Page page);
    // Any order; then settle() once.
    void add_crossing(const NumberedSpan& span) { crossing_.push_back(span); }
    void settle();
    // Of a table that grows: spans of the newest page that are open at its end, in order of id; and how such a span ended.
    void add_open(const NumberedSpan& span);
    void close(std::uint64_t id, const Span& ended);
    // Of the rows added so far and of these.
    void add_extras(bool has_numbers, bool has_texts, std::uint64_t loose_ends, std::uint32_t span_rows);

    [[nodiscard]] const PageColumns& pages() const { return pages_; }
    [[nodiscard]] std::uint64_t rows() const { return pages_.empty() ? 0 : pages_.back().end(); }
    [[nodiscard]] std::uint64_t last_tick() const { return pages_.empty() ? 0 : pages_.back().last_tick; }
    [[nodiscard]] std::uint64_t spans() const { return spans_; }
    [[nodiscard]] std::uint8_t kinds() const { return kinds_; }
    [[nodiscard]] bool has_numbers() const { return has_numbers_; }
    [[nodiscard]] bool has_texts() const { return has_texts_; }
    [[nodiscard]] std::uint64_t loose_ends() const { return loose_ends_; }
    [[nodiscard]] std::uint16_t span_rows() const { return span_rows_; }
    // Level and ticks high at the end of the last page.
    [[nodiscard]] LevelState level_at_end() const;
    [[nodiscard]] std::uint64_t memory_bytes() const;
    // The same rows with so many pages, the first, as one; without the spans that ended in them. O(the others).
    [[nodiscard]] PageTable merged(std::size_t first_pages) const;

    // The page of a row; of a span's begin.
    [[nodiscard]] std::size_t page_of(std::uint64_t index) const { return pages_.first_with_row(index); }
    [[nodiscard]] std::size_t page_of_span(std::uint64_t id) const { return pages_.first_with_span(id); }
    // The first page whose last_tick >= tick; pages().size() when none.
    [[nodiscard]] std::size_t page_at(std::uint64_t tick) const { return pages_.first_until(tick); }
    [[nodiscard]] std::optional<Page> page_in_chunk(std::uint32_t chunk) const;
    // The pages that touch [from, until], or neighbours of them taken together so that they are at most so many.
    [[nodiscard]] PageRange pages_between(std::uint64_t from, std::uint64_t until, std::size_t most) const;
    // Values of whole pages [begin, end). O(log).
    [[nodiscard]] ValueRange values(std::size_t begin, std::size_t end) const;

    // In order of id.
    [[nodiscard]] const std::vector<NumberedSpan>& crossing() const { return crossing_; }
    // Null when the span lies within one page.
    [[nodiscard]] const Span* crossing_span(std::uint64_t id) const;
    // The crossing spans that begin before the page and end in it or later.
    [[nodiscard]] std::vector<NumberedSpan> open_before(std::size_t page) const;
    // visit(const NumberedSpan&) -> bool for every crossing span that touches [from, until) and is at least that wide.
    template <typename Visit>
    void visit_crossing(std::uint64_t from, std::uint64_t until, std::uint64_t min_ticks, Visit visit) const {
        const auto end =
            std::lower_bound(crossing_.begin(), crossing_.end(), until,
                             [](const NumberedSpan& one, std::uint64_t tick) { return one.span.begin_tick < tick; });
        reach_.visit_where(
            0, static_cast<std::size_t>(end - crossing_.begin()),
            [=](const SpanReach& reach) { return reach.end >= from && reach.width >= min_ticks; },
            [&](std::size_t at) { return visit(crossing_[at]); });
    }

private:
    static constexpr std::size_t kTogether = 4;
    // Each kTogether pages of the level below are one of it.
    struct Coarse {
        PageColumns whole;
        Page begun;            // of those of the level below that do not make one yet,
        std::size_t held = 0;  // so many
    };
    void add_coarse(Page page);
    [[nodiscard]] Page begun(std::size_t coarse) const;
    [[nodiscard]] std::size_t pages_at(std::size_t level) const;
    void index_crossing(const Span& span);
    struct EndIndex {
        std::uint64_t end = 0;
        void absorb(const EndIndex& other) { end = std::max(end, other.end); }
    };
    PageColumns pages_;
    std::vector<Coarse> coarse_;
    std::size_t expected_ = 0;
    std::vector<NumberedSpan> crossing_;
    SegmentForest<SpanReach> reach_;
    SegmentForest<EndIndex> end_index_;
    std::uint64_t spans_ = 0;
    std::uint64_t loose_ends_ = 0;
    std::uint16_t span_rows_ = 0;
    std::uint8_t kinds_ = 0;
    bool has_numbers_ = false;
    bool has_texts_ = false;
};

// Where pages come from. The store knows no files; whoever fills a session with pages brings one of these.
class PageSource {
public:
    virtual ~PageSource() = default;
    // The rows of a page of the channel's table; waits for them. Rows that cannot be read are loss rows.
    virtual std::shared_ptr<const Run> load(ChannelId channel, const PageTable& table, std::size_t page) = 0;
    // The same when they are here; else null, and they are fetched in the background. What was found stays at hand until
    // the source is asked what is new, once a frame.
    virtual std::shared_ptr<const Run> find(ChannelId channel, const PageTable& table, std::size_t page) = 0;
    // The rows are not looked at any more. Freeing a page takes as long as drawing some lanes: not here, when it can be
    // helped.
    virtual void let_go(std::shared_ptr<const Run> page) = 0;
    // How often load() had to wait for the file. Frames never do.
    [[nodiscard]] virtual std::uint64_t waits() const = 0;
    // Sums over the intervals of each page in one of its chunks, without its rows. False: the source has none, and the rows
    // must be read. Any thread; waits for the file, a fiftieth of what load() does.
    using VisitIntervals = std::function<void(ChannelId, const IntervalSums&)>;
    virtual bool visit_intervals(std::uint32_t /*chunk*/, const VisitIntervals& /*visit*/) { return false; }
    // The rows of those channels' pages (rising) in one of its chunks, some thousand at a time and in order, each lane's from
    // `first` on: a tenth of what load() does, for who wants to find few among many. Columns last as long as the call. False:
    // not all can be read so, and what was visited does not count. Any thread; waits for the file.
    using VisitRows = std::function<void(ChannelId, std::uint64_t first, const Columns&)>;
    virtual bool visit_rows(std::uint32_t /*chunk*/, const std::vector<ChannelId>& /*channels*/,
                            const VisitRows& /*visit*/) {
        return false;
    }
    // That the rows of the channel's page in one of its chunks cannot be read, as far as is known. kCheck: the chunk's bytes
    // are held against their checksum first, once: a tenth of what load() does; not of chunks that come from elsewhere.
    // What is found so the session notes, as what load() comes to.
    enum class Look { kKnown, kCheck };
    virtual bool is_unreadable(ChannelId /*channel*/, std::uint32_t /*chunk*/, Look /*look*/) { return false; }
    // Makes one of the same pages for another thread's session, which keeps so many bytes of them at hand: on any thread, also
    // when this one is gone. Empty: they are in memory for good.
    using Another = std::function<std::shared_ptr<PageSource>(Session& reader, std::size_t cache_bytes)>;
    [[nodiscard]] virtual Another another() const { return {}; }
    // A hint: of the pages in this chunk only those of these channels (rising) will be asked for, so that the others need
    // not be made ready; none: of all, as it was. Who asks for another one gets it all the same.
    virtual void narrow(std::uint32_t /*chunk*/, std::vector<ChannelId> /*channels*/) {}
};

}  // namespace sla::store
