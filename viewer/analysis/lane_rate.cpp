#include "viewer/analysis/lane_rate.h"

#include "viewer/analysis/intervals/loss_reach.h"
#include "viewer/store/unreadable_pages.h"

#include <algorithm>

namespace sla::analysis {

namespace {

// The tick of its last row; of a page that cannot be read all are one (MergedRows), but for those that told of losses.
std::uint64_t end_of(const store::Lane& lane) {
    if (lane.pages() == nullptr || lane.size() != lane.pages()->rows()) return lane.last_tick();
    const std::optional<store::Gap> page =
        lane.unreadable_page(lane.pages()->pages().size() - 1, store::PageSource::Look::kKnown);
    if (!page) return lane.last_tick();
    return lane.gaps().empty() ? page->tick : std::max(page->tick, lane.gaps().back().tick);
}

}  // namespace

std::optional<KnownExtent> recorded_part(const store::Lane& lane, std::uint64_t begin) {
    if (lane.empty()) return std::nullopt;
    KnownExtent part{lane.first_tick(), end_of(lane)};
    std::uint64_t rows = 0;
    bool has_endless_loss = false;
    const auto pass = [&](const store::Gap& gap) {
        part.from = std::max(part.from, gap.until_tick);
        has_endless_loss = has_endless_loss || !gap.has_end();
    };
    for (auto gap = lane.gaps().begin();;) {
        if (const auto page = store::unreadable_page_with(lane, rows); page && page->first == rows) {
            part.from = std::max(part.from, page->last_tick);
            rows = page->end();
            for (; gap != lane.gaps().end() && gap->index < rows; ++gap) pass(*gap);
        } else if (gap != lane.gaps().end() && gap->index == rows) {
            pass(*gap++);
            ++rows;
        } else {
            break;
        }
    }
    if (rows == lane.size()) return std::nullopt;
    // Of a loss that does not say how long it lasted nothing is known but the events beside it.
    if (has_endless_loss) part.from = std::max(part.from, lane.tick(rows));
    std::uint64_t end = lane.size();
    for (auto last = lane.gaps().rbegin(); last != lane.gaps().rend() && last->index + 1 == end && !last->has_end(); ++last)
        --end;
    if (end < lane.size()) part.until = lane.tick(end - 1);
    part.from = std::min(part.from, part.until);  // a loss of before may last behind the last row
    if (begin > part.until) return std::nullopt;
    if (begin > part.from) part.from = lane.tick(lane.lower_bound(begin));
    return part;
}

std::uint64_t own_events(const store::Session& session, const store::Lane& lane) {
    const std::uint64_t begin = session.origin().begin_tick;
    return lane.empty() || begin <= lane.first_tick() ? lane.events() : lane.summarize(begin, store::kNever).events;
}

ReadableEvents readable_events(const store::Session& session, const store::Lane& lane, store::PageSource::Look look) {
    const std::uint64_t begin = session.origin().begin_tick;
    ReadableEvents all;
    std::uint64_t counted = 0;  // by own_events, which takes rows that cannot be read for events
    store::each_page_looked_at(lane, begin, store::kNever, look, [&](const store::Page& page, const auto& gap) {
        if (!gap) return true;
        ++all.unreadable_pages;
        all.unreadable += gap->lost;
        const std::uint64_t first =
            page.first_tick >= begin ? page.first : std::clamp(lane.lower_bound(begin), page.first, page.end());
        const auto [first_gap, end_gap] = gaps_among(lane, first, page.end());
        counted += page.end() - first - (end_gap - first_gap);
        return true;
    });
    all.events = own_events(session, lane) - counted;
    return all;
}

std::optional<double> rate_of(const store::Lane& lane, const Selection& range, std::uint64_t events,
                              double ticks_per_second) {
    const auto part = recorded_part(lane);
    if (!part || events == 0) return std::nullopt;
    const std::uint64_t from = std::max(part->from, range.from);
    const std::uint64_t until = std::min(part->until, range.until);
    if (until <= from) return std::nullopt;
    const std::uint64_t counted = range.from <= part->from ? events - 1 : events;
    return static_cast<double>(counted) * ticks_per_second / static_cast<double>(until - from);
}

}  // namespace sla::analysis
