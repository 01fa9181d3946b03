// Pages of a file whose rows cannot be read, of a lane or of a stretch of it. What no row says is lost all the same
// (analysis::readable_events counts it).
#pragma once

#include "viewer/store/lane.h"

#include <cstdint>
#include <optional>

namespace sla::store {

// take(const Page&, const std::optional<Gap>&) -> bool for every page with rows in [from, until) ticks, in order, the second
// nothing when it can be read, or nobody knows better; false stops.
template <typename Take>
void each_page_looked_at(const Lane& lane, std::uint64_t from, std::uint64_t until, PageSource::Look look, Take take) {
    if (lane.pages() == nullptr) return;
    const PageColumns& pages = lane.pages()->pages();
    for (std::size_t at = lane.pages()->page_at(from); at < pages.size(); ++at) {
        const Page page = pages[at];
        if (page.first_tick >= until || !take(page, lane.unreadable_page(at, look))) return;
    }
}

// The page that the row is in, when it is known that it cannot be read.
inline std::optional<Page> unreadable_page_with(const Lane& lane, std::uint64_t row) {
    if (lane.pages() == nullptr || row >= lane.pages()->rows()) return std::nullopt;
    const std::size_t at = lane.pages()->page_of(row);
    if (!lane.unreadable_page(at, PageSource::Look::kKnown)) return std::nullopt;
    return lane.pages()->pages()[at];
}

// What a loss row of a table says of its loss: that row of a page that cannot be read stands for all of it (MergedRows).
inline std::optional<Gap> loss_of_row(const Lane& lane, std::uint64_t index) {
    if (const Gap* const gap = lane.gap_at(index)) return *gap;
    if (lane.pages() == nullptr || index >= lane.pages()->rows()) return std::nullopt;
    return lane.unreadable_page(lane.pages()->page_of(index), PageSource::Look::kKnown);
}

// Some event that can be read is of that kind, as far as is known.
inline bool has_readable(const Lane& lane, wire::Kind kind) {
    if (lane.pages() == nullptr || lane.size() > lane.pages()->rows() || !lane.has(kind)) return lane.has(kind);
    bool found = false;
    each_page_looked_at(lane, 0, kNever, PageSource::Look::kKnown, [&](const Page& page, const std::optional<Gap>& gap) {
        found = !gap && (page.kinds & kind_bit(kind)) != 0;
        return !found;
    });
    return found;
}

}  // namespace sla::store
