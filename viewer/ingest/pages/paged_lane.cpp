#include "viewer/ingest/pages/paged_lane.h"

#include "proto/base/heap_pages.h"

#include <sla/ring_abi.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

namespace sla::ingest {

namespace {

using capture::LaneSummary;

// More do not fit in a chunk of 16 MiB, a byte or more each.
constexpr std::uint64_t kMaxPageRows = std::uint64_t{1} << 24;

store::Level level_from(capture::Level level) {
    switch (level) {
        case capture::Level::kLow: return store::Level::kLow;
        case capture::Level::kHigh: return store::Level::kHigh;
        case capture::Level::kUnknown: break;
    }
    return store::Level::kUnknown;
}

store::Page page_from(const LaneSummary& in, std::uint32_t chunk) {
    store::Page page;
    page.rows = in.rows;
    page.first_tick = in.first_tick;
    page.last_tick = in.last_tick;
    page.gaps = in.gap_rows;
    page.lost = in.lost;
    page.longest_pause = in.longest_pause;
    page.high_ticks = in.high_ticks;
    page.busy_ticks = in.busy_ticks;
    page.begins = in.begins;
    page.values = {in.min, in.max, in.has_value};
    page.deepest = in.deepest;
    page.kinds = in.kinds;
    page.level_before = level_from(in.level_before);
    page.level_after = level_from(in.level_after);
    page.chunk = chunk;
    return page;
}

// Ordinals of the stream to indices of the lane: the same but for where they begin, since nothing is missing between.
class Places {
public:
    Places(std::uint64_t first_ordinal, const store::PageTable& pages) : first_(first_ordinal), pages_(pages) {}

    [[nodiscard]] bool is_before(std::uint64_t ordinal) const { return ordinal < first_; }
    // False: no row of the lane.
    [[nodiscard]] bool index_of(std::uint64_t ordinal, std::uint64_t& index) const {
        index = ordinal - first_;
        return ordinal >= first_ && index < pages_.rows();
    }
    [[nodiscard]] bool is_in_page(std::uint64_t index, std::uint64_t tick) const {
        const store::Page& page = pages_.pages()[pages_.page_of(index)];
        return tick >= page.first_tick && tick <= page.last_tick;
    }
    // The row is in the page that the span's number belongs to.
    [[nodiscard]] bool is_span(std::uint64_t id, std::uint64_t index, std::uint64_t tick) const {
        if (id >= pages_.spans()) return false;
        const store::Page& page = pages_.pages()[pages_.page_of(index)];
        return id >= page.first_span && id - page.first_span < page.begins && is_in_page(index, tick);
    }

private:
    std::uint64_t first_;
    const store::PageTable& pages_;
};

Error unlike(const char* what) {
    return unavailable(std::string("its index ") + what);
}

// Gives how many spans are open where a page begins, at most.
Result<std::uint32_t> add_pages(const capture::CaptureIndex::Lane& lane, store::PageTable& pages) {
    std::uint32_t most_open = 0;
    std::uint64_t next_ordinal = lane.summaries.front().first_index;
    const bool begins_within_spans = lane.summaries.front().depth_before > 0;
    LaneSummary sum;
    pages.reserve(lane.summaries.size());
    spread_huge_pages();
    auto chunk = lane.chunk_numbers.begin();
    std::uint64_t newest = pages.last_tick();
    for (const LaneSummary& one : lane.summaries) {
        if (one.opaque) return unlike("has batches that cannot be read");
        if (one.first_index != next_ordinal) return unlike("has rows missing between chunks");
        if (one.first_tick < newest || one.last_tick > SLA_TICK_MASK) return unlike("has ticks that go back");
        if (one.rows > kMaxPageRows || one.gap_rows > one.rows || one.begins > one.rows)
            return unlike("has impossible counts");
        const std::uint64_t length = one.last_tick - one.first_tick;
        if (std::max({one.high_ticks, one.busy_ticks, one.longest_pause}) > length) return unlike("has impossible times");
        next_ordinal += one.rows;
        newest = one.last_tick;
        most_open = std::max(most_open, one.depth_before);
        pages.add(page_from(one, *chunk++));
        sum.absorb(one);
    }
    if (begins_within_spans && sum.span_rows > 1) return unlike("begins within spans that began before it, beside others");
    pages.add_extras(sum.has_number, sum.has_text, sum.loose_ends, sum.span_rows);
    return most_open;
}

Result<void> add_gaps(const capture::CaptureIndex::Lane& lane, const store::PageTable& pages, const Places& places,
                      store::GapTable& gaps) {
    for (const capture::GapRow& row : lane.gaps) {
        store::Gap gap;
        const bool is_row = places.index_of(row.index, gap.index);
        const store::Gap* const before = gaps.all().empty() ? nullptr : &gaps.all().back();
        const bool follows = before == nullptr || (gap.index > before->index && row.tick >= before->tick);
        if (!is_row || !follows || !places.is_in_page(gap.index, row.tick)) return unlike("tells losses that cannot be");
        gap.tick = row.tick;
        gap.until_tick =
            std::clamp<std::uint64_t>(row.until_tick, row.tick, std::max<std::uint64_t>(row.tick, SLA_TICK_MASK));
        gap.lost = row.lost;
        gap.cause = row.cause;
        gaps.add(gap);
    }
    std::uint64_t promised = 0;
    for (const store::Page& page : pages.pages()) promised += page.gaps;
    return promised == gaps.all().size() ? Result<void>() : unlike("does not tell every loss");
}

// How many spans are open where each page begins, by the spans that the index tells: it keeps the outermost of a thread only.
class ToldDepths {
public:
    // `most`: that are open where any page begins.
    ToldDepths(const capture::CaptureIndex::Lane& lane, const store::PageTable& pages, std::uint32_t most)
        : lane_(lane), pages_(pages) {
        if (most > capture::kRememberedSpans) changes_.resize(lane.summaries.size() + 1);
    }
    // Nothing for `begin_index`: before the first page. kNever for `end_index`: it stays open.
    void add(std::optional<std::uint64_t> begin_index, std::uint64_t end_index) {
        if (changes_.empty()) return;
        ++changes_[begin_index ? pages_.page_of(*begin_index) + 1 : 0];
        --changes_[end_index == store::kNever ? changes_.size() - 1 : pages_.page_of(end_index) + 1];
    }
    [[nodiscard]] bool are_all() const {
        if (changes_.empty()) return true;
        std::int64_t depth = 0;
        auto change = changes_.begin();
        for (const LaneSummary& one : lane_.summaries) {
            depth += *change++;
            if (depth < one.depth_before) return false;
        }
        return true;
    }

private:
    const capture::CaptureIndex::Lane& lane_;
    const store::PageTable& pages_;
    std::vector<std::int64_t> changes_;  // by page; empty: nowhere are there more than it keeps
};

Result<void> add_spans(const capture::CaptureIndex::Lane& lane, const std::vector<capture::OpenSpan>& open,
                       const Places& places, std::uint32_t most_open, store::PageTable& pages) {
    std::unordered_set<std::uint64_t> known;
    std::uint64_t loose_ends = 0;
    ToldDepths told(lane, pages, most_open);
    const auto add = [&](const capture::OpenSpan& span, std::uint64_t end_tick, std::uint64_t end_index,
                         store::SpanState state) {
        store::NumberedSpan out;
        out.id = span.id;
        out.span.end_index = store::kNever;
        if (state != store::SpanState::kOpen && !places.index_of(end_index, out.span.end_index)) return false;
        if (places.is_before(span.begin_index)) {  // in a piece that is gone: its end found none
            loose_ends += state == store::SpanState::kClosed ? 1 : 0;
            told.add(std::nullopt, out.span.end_index);
            return true;
        }
        if (!places.index_of(span.begin_index, out.span.begin_index) || !known.insert(span.id).second) return false;
        if (!places.is_span(span.id, out.span.begin_index, span.begin_tick)) return false;
        out.span.begin_tick = span.begin_tick;
        out.span.thread = span.thread;
        out.span.depth = span.depth;
        out.span.row = span.row;
        out.span.state = state;
        out.span.end_tick = end_tick;
        told.add(out.span.begin_index, out.span.end_index);
        pages.add_crossing(out);
        return true;
    };
    for (const capture::CrossedSpan& one : lane.crossed) {
        const auto state = one.cut ? store::SpanState::kCut : store::SpanState::kClosed;
        if (!add(one.span, one.end_tick, one.end_index, state)) return unlike("tells spans that cannot be");
    }
    for (const capture::OpenSpan& one : open) {
        if (known.contains(one.id)) continue;  // ended in the last page
        if (!add(one, store::kNever, store::kNever, store::SpanState::kOpen))
            return unlike("tells open spans that cannot be");
    }
    if (!told.are_all()) return unlike("does not tell every open span");
    pages.add_extras(false, false, loose_ends, 0);
    pages.settle();
    return {};
}

}  // namespace

Result<void> make_pages(const capture::CaptureIndex::Lane& lane, const std::vector<capture::OpenSpan>& open,
                        store::PageTable& pages, store::GapTable& gaps) {
    const Result<std::uint32_t> most_open = add_pages(lane, pages);
    if (!most_open) return most_open.error();
    const Places places(lane.summaries.front().first_index, pages);
    if (Result<void> added = add_gaps(lane, pages, places, gaps); !added) return added;
    return add_spans(lane, open, places, *most_open, pages);
}

}  // namespace sla::ingest
