// EventWalk: the events of a selection in merged order, as every export walks over them: only rows that are final, only
// those the filter lets through, with progress and a way to stop.
//
// A filter runs over each lane before the lanes are merged. Owner: the session's thread. While `progress` is asked the
// session may grow: nothing of its columns is held then, and rows that came since are not walked over.
#pragma once

#include "viewer/analysis/filter/lane_filter.h"
#include "viewer/analysis/filter/page_hits.h"
#include "viewer/analysis/selection.h"
#include "viewer/store/merged.h"
#include "viewer/store/merged_rows.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace sla::analysis {

// Called now and then with the rows looked at and the rows there are; false stops.
using Progress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

// The selection's last tick that is final; nothing when no tick is meant.
std::optional<std::uint64_t> last_final_tick(const store::Session& session, const Selection& selection);
// Rows of the selection before the filter.
std::uint64_t count_rows(const store::Session& session, const Selection& selection);

class EventWalk {
public:
    // The selection's filter and `progress` outlive it.
    EventWalk(const store::Session& session, const Selection& selection, const Progress& progress);
    EventWalk(const store::Session& session, const Selection& selection, Progress&& progress) = delete;

    EventWalk(const EventWalk&) = delete;
    EventWalk& operator=(const EventWalk&) = delete;

    // Nothing at the end, and when progress said stop.
    std::optional<store::RowRef> next() {
        row_ = next_row();
        return place();
    }
    // The same for who writes very many; it stands until the next call. Null at the end.
    const store::MergedRows::Row* next_row() {
        if (!open_) return nullptr;
        if (!filters_.empty()) return next_filtered_row();
        if (++given_ % kRowsPerLook == 0 && !look(given_)) return nullptr;
        return rows_.next();
    }
    // In turns, for a window: what is ready, nothing when that is all; then look_on() makes some thousand rows more ready,
    // of which it may be that none counts. False: at the end.
    std::optional<store::RowRef> next_ready() {
        row_ = rows_.next_ready();
        given_ += row_ != nullptr ? 1 : 0;
        return place();
    }
    bool look_on() { return open_ && rows_.look_on(); }
    // Of all rows, how many were looked at: 0 to 1.
    [[nodiscard]] double progress() const;

    [[nodiscard]] const std::vector<const store::Lane*>& lanes() const { return rows_.lanes(); }
    // Of the place given last: the place of its lane in lanes(), and what stands there.
    [[nodiscard]] std::size_t lane() const { return row_->lane; }
    [[nodiscard]] store::Event event() const {
        return {row_->tick, row_->value, row_->thread, static_cast<std::uint8_t>(row_->code)};
    }
    [[nodiscard]] bool stopped() const { return stopped_; }

private:
    static constexpr std::uint64_t kRowsPerLook = 1 << 14;
    [[nodiscard]] std::optional<store::RowRef> place() const {
        if (row_ == nullptr) return std::nullopt;
        return store::RowRef{rows_.lanes()[row_->lane], row_->index, row_->tick};
    }
    bool look(std::uint64_t rows);
    const store::MergedRows::Row* next_filtered_row();
    // For a filtered walk: from lane to lane, and never far without a look.
    store::MergedRows::Chosen::Candidate glance(std::size_t lane, std::uint64_t from, std::uint64_t until);
    void look_through(std::size_t lane, std::uint64_t row);
    std::uint64_t skip(std::size_t lane, std::uint64_t from, std::uint64_t until);

    const Progress& progress_;
    store::MergedRows rows_;
    const store::MergedRows::Row* row_ = nullptr;
    std::uint64_t all_;
    std::vector<LaneFilter> filters_;  // one a lane; none: every row counts
    std::optional<PageHits> hits_;     // what the filters know of pages
    std::uint64_t given_ = 0;
    std::uint64_t skipped_ = 0;
    std::uint64_t looked_at_ = 0;
    bool open_;
    bool stopped_ = false;
};

}  // namespace sla::analysis
