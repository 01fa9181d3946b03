// LaneFilter: an EventFilter made ready for one lane: what its names decide is decided once, what its pages' sums decide is
// not read, and the rest runs down the columns (ColumnFilter), of pages in a file without making them ready (PageHits).
//
// Owner: the session's thread.
#pragma once

#include "viewer/analysis/filter/column_filter.h"
#include "viewer/analysis/filter/event_filter.h"
#include "viewer/analysis/filter/page_hits.h"
#include "viewer/store/merged_rows.h"

#include <cstdint>

namespace sla::analysis {

class LaneFilter {
public:
    // All outlive it.
    LaneFilter(const EventFilter& filter, const store::Session& session, const store::Lane& lane);
    // What `hits` knows of its n-th lane, which is this one, need not be read. Texts are in no column.
    void use(const PageHits& hits, std::size_t lane) {
        hits_ = columns_.needs_texts() ? nullptr : &hits;
        number_ = lane;
    }

    // The first row of [from, until) that matches; until when none does.
    [[nodiscard]] std::uint64_t next(std::uint64_t from, std::uint64_t until);
    // The first that may match as far as the lane's and its pages' sums show, and `hits`; reads no
    // rows: who asks for losses has each chunk held against its checksum.
    [[nodiscard]] store::MergedRows::Chosen::Candidate next_possible(std::uint64_t from, std::uint64_t until);
    // What the page's rows must be held against; null: its sums answer for all of them.
    [[nodiscard]] ColumnFilter* columns_for(const store::Page& page) {
        return answer_for(page) == Answer::kAskEach ? &columns_ : nullptr;
    }

private:
    enum class Answer : std::uint8_t { kNever, kAlways, kAskEach };
    // What can be said of part of the condition for every row of the lane, or of one page of it.
    [[nodiscard]] Answer fold(std::size_t node, const store::Page* page) const;
    [[nodiscard]] bool may_have(wire::Kind kind, const store::Page* page) const;
    [[nodiscard]] bool is_unreadable(const store::Page& page, store::PageSource::Look look) const;
    [[nodiscard]] Answer answer_for(const store::Page& page) const;
    // Of the page with that row, if it is in one.
    void look_at_page(std::uint64_t index);
    // What `hits` knows of it.
    [[nodiscard]] PageHits::Answer known() const;
    // The first of its rows known to match, from there on; its end when there is none.
    [[nodiscard]] std::uint64_t next_of(const std::vector<std::uint32_t>& rows, std::uint64_t from) const;
    [[nodiscard]] std::uint64_t next_of_columns(std::uint64_t from, std::uint64_t until);

    const EventFilter& filter_;
    const store::Session& session_;
    const store::Lane& lane_;
    const PageHits* hits_ = nullptr;
    std::size_t number_ = 0;
    Answer answer_;
    ColumnFilter columns_;
    // Of the rows [page_first_, page_end_), those looked at last.
    Answer page_answer_ = Answer::kAskEach;
    std::uint64_t page_first_ = 0;
    std::uint64_t page_end_ = 0;
    std::uint64_t page_tick_ = 0;  // its first
    std::uint32_t page_chunk_ = 0;
    bool is_far_ = false;  // in a page that is not in memory
    // Of the rows [block_first_, block_end_).
    ColumnFilter::Hits block_ = {};
    std::uint64_t block_first_ = 0;
    std::uint64_t block_end_ = 0;
};

}  // namespace sla::analysis
