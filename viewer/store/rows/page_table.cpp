#include "viewer/store/rows/page_table.h"

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
    const Page last = pages_.empty() ? Page() : pages_.back();  // once: of many pages this is what adding them costs
    SLA_CHECK(page.rows > 0 && page.last_tick >= page.first_tick && page.first_tick >= last.last_tick);
    page.first = last.end();
    page.first_span = spans_;
    const bool was_high = last.level_after == Level::kHigh;
    page.high_before = last.high_before + last.high_ticks + (was_high ? page.first_tick - last.last_tick : 0);
    spans_ += page.begins;
    kinds_ |= page.kinds;
    pages_.push_back(page);
    add_coarse(page);
}

LevelState PageTable::level_at_end() const {
    if (pages_.empty()) return {};
    const Page last = pages_.back();
    return {last.level_after, last.high_before + last.high_ticks};
}

// Of the pages and what coarser ones of them there are (level 0: the pages themselves), the last begun ones too.
std::size_t PageTable::pages_at(std::size_t level) const {
    std::size_t together = 1;
    for (std::size_t i = 0; i < level; ++i) together *= kTogether;
    return (pages_.size() + together - 1) / together;
}

// Each level is there as soon as the one below has more than kTogether.
void PageTable::add_coarse(Page page) {
    for (Coarse& level : coarse_) {
        if (level.held == 0) {
            level.begun = page;
        } else {
            level.begun.absorb(page);
        }
        if (++level.held < kTogether) break;
        level.held = 0;
        level.whole.push_back(level.begun);
        page = level.begun;
    }
    const std::size_t top = pages_at(coarse_.size());
    if (top <= kTogether) return;
    const PageColumns& below = coarse_.empty() ? pages_ : coarse_.back().whole;
    Coarse level;
    level.whole.reserve(expected_ * top / pages_.size() / kTogether);
    Page first = below.front();
    for (std::size_t i = 1; i < kTogether; ++i) first.absorb(below[i]);
    level.whole.push_back(first);
    if (below.size() > kTogether) {
        level.begun = below.back();
        level.held = 1;
    }
    coarse_.push_back(std::move(level));
}

// What does not make a whole page of that level yet: of the level below, of the one below it, and so on.
Page PageTable::begun(std::size_t coarse) const {
    Page sum;
    for (std::size_t level = coarse + 1; level-- > 0;) {
        if (coarse_[level].held == 0) continue;
        if (sum.rows == 0) {
            sum = coarse_[level].begun;
        } else {
            sum.absorb(coarse_[level].begun);
        }
    }
    return sum;
}

PageRange PageTable::pages_between(std::uint64_t from, std::uint64_t until, std::size_t most) const {
    const std::size_t begin = pages_.first_until(from);
    const std::size_t end = std::max(begin, pages_.first_behind(until));
    if (end - begin <= most || coarse_.empty()) return {pages_, begin, end, {}};
    for (std::size_t i = 0;; ++i) {
        const PageColumns& whole = coarse_[i].whole;
        const Page behind = begun(i);
        std::size_t first = whole.first_until(from);
        if (first == whole.size() && behind.rows > 0 && behind.last_tick < from) ++first;
        std::size_t last = std::max(first, whole.first_behind(until));
        if (last == whole.size() && behind.rows > 0 && behind.first_tick <= until) ++last;
        if (last - first <= most || i + 1 == coarse_.size()) return {whole, first, last, behind};
    }
}

std::optional<Page> PageTable::page_in_chunk(std::uint32_t chunk) const {
    const std::size_t at = pages_.first_in_chunk(chunk);
    if (at == pages_.size() || pages_[at].chunk != chunk) return std::nullopt;
    return pages_[at];
}

ValueRange PageTable::values(std::size_t begin, std::size_t end) const {
    ValueRange sum;
    end = std::min(end, pages_.size());
    while (begin < end) {
        const PageColumns* level = &pages_;
        std::size_t at = begin;
        std::size_t together = 1;
        for (const Coarse& coarser : coarse_) {
            const bool fits = at % kTogether == 0 && begin + together * kTogether <= end;
            if (!fits || at / kTogether >= coarser.whole.size()) break;
            level = &coarser.whole;
            at /= kTogether;
            together *= kTogether;
        }
        sum.absorb(level->values(at));
        begin += together;
    }
    return sum;
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

PageTable PageTable::merged(std::size_t first_pages) const {
    PageTable merged;
    Page first = pages_.front();
    for (std::size_t at = 1; at < first_pages; ++at) first.absorb(pages_[at]);
    first.chunk = pages_[first_pages - 1].chunk;
    merged.add(first);
    for (std::size_t at = first_pages; at < pages_.size(); ++at) merged.add(pages_[at]);
    for (const NumberedSpan& one : crossing_) {
        if (one.span.end_index >= first.end()) merged.add_open(one);
    }
    merged.add_extras(has_numbers_, has_texts_, loose_ends_, span_rows_);
    return merged;
}

void PageTable::add_extras(bool has_numbers, bool has_texts, std::uint64_t loose_ends, std::uint32_t span_rows) {
    has_numbers_ = has_numbers_ || has_numbers;
    has_texts_ = has_texts_ || has_texts;
    loose_ends_ += loose_ends;
    span_rows_ = std::max(span_rows_, static_cast<std::uint16_t>(span_rows));
}

std::uint64_t PageTable::memory_bytes() const {
    std::uint64_t bytes = pages_.memory_bytes() +
                          crossing_.capacity() * (sizeof(NumberedSpan) + (sizeof(SpanReach) + sizeof(EndIndex)) * 8 / 7);
    for (const Coarse& level : coarse_) bytes += sizeof(Coarse) + level.whole.memory_bytes();
    return bytes;
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
