#include "viewer/store/page_table.h"

#include <algorithm>
#include <utility>

namespace sla::store {

Page page_of(const Run& run) {
    Page page;
    page.first = run.first_index();
    page.first_span = run.spans().first_id();
    page.rows = run.size();
    page.first_tick = run.tick(run.first_index());
    page.last_tick = run.last_tick();
    page.longest_pause = run.longest_pause();
    const LevelState end = run.level_at_end();
    page.high_ticks = end.high;
    page.level_before = run.level_before();
    page.level_after = end.level;
    page.values = run.range_of(run.first_index(), run.end_index());
    page.kinds = run.kinds();
    page.begins = run.spans().size();
    page.busy_ticks = run.spans().busy_ticks(page.first_tick, page.last_tick);
    page.deepest = static_cast<std::uint32_t>(run.spans().deepest());
    return page;
}

void PageTable::add(Page page) {
    SLA_CHECK(page.rows > 0 && page.last_tick >= page.first_tick && page.first_tick >= last_tick());
    page.first = rows();
    page.first_span = spans_;
    if (!pages_.empty()) {
        const LevelState end = level_at_end();
        page.high_before = end.high + (end.level == Level::kHigh ? page.first_tick - last_tick() : 0);
    }
    spans_ += page.begins;
    kinds_ |= page.kinds;
    values_.append(page.values);
    last_ticks_.push_back(page.last_tick);
    pages_.push_back(page);
    add_coarse(page);
}

LevelState PageTable::level_at_end() const {
    if (pages_.empty()) return {};
    const Page& last = pages_.back();
    return {last.level_after, last.high_before + last.high_ticks};
}

void Page::absorb(const Page& next) {
    const std::uint64_t between = next.first_tick - last_tick;
    high_ticks += next.high_ticks + (level_after == Level::kHigh ? between : 0);
    busy_ticks += next.busy_ticks;
    longest_pause = std::max({longest_pause, next.longest_pause, between});
    rows += next.rows;
    gaps += next.gaps;
    lost += next.lost;
    begins += next.begins;
    values.absorb(next.values);
    deepest = std::max(deepest, next.deepest);
    kinds |= next.kinds;
    level_after = next.level_after;
    last_tick = next.last_tick;
}

// Each level is there as soon as the one below has more than kTogether.
void PageTable::add_coarse(const Page& page) {
    std::size_t pages = kTogether;  // in one of the level
    for (std::vector<Page>& level : coarse_) {
        if ((pages_.size() - 1) % pages == 0) {
            level.push_back(page);
        } else {
            level.back().absorb(page);
        }
        pages *= kTogether;
    }
    const std::vector<Page>& top = coarse_.empty() ? pages_ : coarse_.back();
    if (top.size() <= kTogether) return;
    std::vector<Page> level{top.front()};
    for (std::size_t i = 1; i < kTogether; ++i) level.back().absorb(top[i]);
    level.push_back(top.back());
    coarse_.push_back(std::move(level));
}

std::span<const Page> PageTable::pages_between(std::uint64_t from, std::uint64_t until, std::size_t most) const {
    const std::vector<Page>* level = &pages_;
    for (std::size_t coarser = 0;; ++coarser) {
        const auto begin = std::lower_bound(level->begin(), level->end(), from,
                                            [](const Page& page, std::uint64_t tick) { return page.last_tick < tick; });
        const auto end = std::upper_bound(begin, level->end(), until,
                                          [](std::uint64_t tick, const Page& page) { return tick < page.first_tick; });
        if (static_cast<std::size_t>(end - begin) <= most || coarser == coarse_.size()) return {begin, end};
        level = &coarse_[coarser];
    }
}

void PageTable::settle() {
    std::sort(crossing_.begin(), crossing_.end(), [](const NumberedSpan& a, const NumberedSpan& b) { return a.id < b.id; });
    for (const NumberedSpan& one : crossing_) index_crossing(one.span);
}

void PageTable::index_crossing(const Span& span) {
    reach_.append(reach_of(span));
    end_index_.append({span.end_index});
}

void PageTable::add_open(const NumberedSpan& span) {
    SLA_CHECK(crossing_.empty() || crossing_.back().id < span.id);
    crossing_.push_back(span);
    index_crossing(span.span);
}

void PageTable::close(std::uint64_t id, const Span& ended) {
    const auto at = std::lower_bound(crossing_.begin(), crossing_.end(), id,
                                     [](const NumberedSpan& one, std::uint64_t wanted) { return one.id < wanted; });
    SLA_CHECK(at != crossing_.end() && at->id == id);
    at->span = ended;
    const auto position = static_cast<std::size_t>(at - crossing_.begin());
    reach_.update(position, reach_of(ended));
    end_index_.update(position, {ended.end_index});
}

void PageTable::add_extras(bool has_numbers, bool has_texts, std::uint64_t loose_ends, std::uint32_t span_rows) {
    has_numbers_ = has_numbers_ || has_numbers;
    has_texts_ = has_texts_ || has_texts;
    loose_ends_ += loose_ends;
    span_rows_ = std::max(span_rows_, static_cast<std::uint16_t>(span_rows));
}

std::uint64_t PageTable::memory_bytes() const {
    return pages_.capacity() * (sizeof(Page) * 4 / 3 + sizeof(std::uint64_t) + sizeof(ValueRange) * 8 / 7) +
           crossing_.capacity() * (sizeof(NumberedSpan) + (sizeof(SpanReach) + sizeof(EndIndex)) * 8 / 7);
}

std::size_t PageTable::page_of(std::uint64_t index) const {
    const auto at = std::upper_bound(pages_.begin(), pages_.end(), index,
                                     [](std::uint64_t wanted, const Page& page) { return wanted < page.first; });
    return static_cast<std::size_t>(at - pages_.begin()) - 1;
}

std::size_t PageTable::page_of_span(std::uint64_t id) const {
    const auto at = std::upper_bound(pages_.begin(), pages_.end(), id,
                                     [](std::uint64_t wanted, const Page& page) { return wanted < page.first_span; });
    return static_cast<std::size_t>(at - pages_.begin()) - 1;
}

std::size_t PageTable::page_at(std::uint64_t tick) const {
    return static_cast<std::size_t>(std::lower_bound(last_ticks_.begin(), last_ticks_.end(), tick) - last_ticks_.begin());
}

const Span* PageTable::crossing_span(std::uint64_t id) const {
    const auto at = std::lower_bound(crossing_.begin(), crossing_.end(), id,
                                     [](const NumberedSpan& one, std::uint64_t wanted) { return one.id < wanted; });
    return at == crossing_.end() || at->id != id ? nullptr : &at->span;
}

std::vector<NumberedSpan> PageTable::open_before(std::size_t page) const {
    std::vector<NumberedSpan> open;
    const std::uint64_t first = pages_[page].first;
    const auto end =
        std::lower_bound(crossing_.begin(), crossing_.end(), first,
                         [](const NumberedSpan& one, std::uint64_t index) { return one.span.begin_index < index; });
    end_index_.visit_where(
        0, static_cast<std::size_t>(end - crossing_.begin()), [=](const EndIndex& node) { return node.end >= first; },
        [&](std::size_t at) {
            NumberedSpan one = crossing_[at];
            one.span.end_index = one.span.end_tick = kNever;
            one.span.state = SpanState::kOpen;
            open.push_back(one);
            return true;
        });
    return open;
}

}  // namespace sla::store
