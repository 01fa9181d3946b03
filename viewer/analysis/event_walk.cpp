#include "viewer/analysis/event_walk.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

std::optional<std::uint64_t> last_final_tick(const store::Session& session, const Selection& selection) {
    if (selection.until == 0) return std::nullopt;
    const std::uint64_t wanted = selection.until == store::kNever ? store::kNever : selection.until - 1;
    return std::min(session.final_tick(), wanted);
}

std::uint64_t count_rows(const store::Session& session, const Selection& selection) {
    const auto last = last_final_tick(session, selection);
    if (!last) return 0;
    std::uint64_t rows = 0;
    for (const store::Lane* lane : selection.lanes) {
        const std::uint64_t first = lane->lower_bound(selection.from);
        rows += std::max(first, lane->upper_bound(*last)) - first;
    }
    return rows;
}

EventWalk::EventWalk(const store::Session& session, const Selection& selection, const Progress& progress)
    : progress_(progress),
      rows_(selection.lanes, selection.from, last_final_tick(session, selection).value_or(0)),
      all_(count_rows(session, selection)),
      open_(last_final_tick(session, selection).has_value()) {
    if (!selection.filter) return;
    if (session.page_source() != nullptr) hits_.emplace(*session.page_source(), rows_.lanes());
    for (std::size_t i = 0; i < rows_.lanes().size(); ++i) {
        filters_.emplace_back(*selection.filter, session, *rows_.lanes()[i]);
        if (hits_) filters_.back().use(*hits_, i);
    }
    store::MergedRows::Chosen chosen;
    chosen.glance = [this](std::size_t lane, std::uint64_t from, std::uint64_t until) { return glance(lane, from, until); };
    chosen.look_through = [this](std::size_t lane, std::uint64_t row) { look_through(lane, row); };
    chosen.skip = [this](std::size_t lane, std::uint64_t from, std::uint64_t until) { return skip(lane, from, until); };
    rows_.choose(std::move(chosen));
}

store::MergedRows::Chosen::Candidate EventWalk::glance(std::size_t lane, std::uint64_t from, std::uint64_t until) {
    if (!open_) return {until};
    const auto candidate = filters_[lane].next_possible(from, until);
    skipped_ += candidate.row - from;
    look_after_skipping();
    return candidate;
}

void EventWalk::look_through(std::size_t lane, std::uint64_t row) {
    const store::PageTable& pages = *rows_.lanes()[lane]->pages();
    hits_->look_through(pages.pages()[pages.page_of(row)].chunk,
                        [this](std::size_t other, const store::Page& page) { return filters_[other].columns_for(page); });
}

void EventWalk::look_after_skipping() {
    if (skipped_ < looked_at_ + kRowsPerLook) return;
    looked_at_ = skipped_;
    look(std::min(skipped_, all_));
}

std::uint64_t EventWalk::skip(std::size_t lane, std::uint64_t from, std::uint64_t until) {
    while (open_ && from < until) {
        const std::uint64_t end = std::min(until, from + kRowsPerLook);
        const std::uint64_t found = filters_[lane].next(from, end);
        skipped_ += found - from + (found < end ? 1 : 0);
        look_after_skipping();
        if (found < end) return found;
        from = end;
    }
    return until;
}

double EventWalk::progress() const {
    const std::uint64_t rows = filters_.empty() ? given_ : skipped_;
    return all_ == 0 ? 1 : static_cast<double>(std::min(rows, all_)) / static_cast<double>(all_);
}

bool EventWalk::look(std::uint64_t rows) {
    if (!progress_ || progress_(rows, all_)) return true;
    stopped_ = true;
    open_ = false;
    return false;
}

}  // namespace sla::analysis
