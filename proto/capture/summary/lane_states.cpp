// What LaneSummarizer makes of begins and ends, levels and losses.
#include "proto/base/how_many.h"
#include "proto/capture/summary/lane_summarizer.h"
#include "proto/capture/summary/value_range.h"
#include "proto/capture/summary/width_block.h"

#include <algorithm>
#include <array>

namespace sla::capture {

void LaneSummarizer::add_states(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
        row = add_pairs(batch, row, end);
        if (row >= end) return;
        add_state(state_row(batch, row));
    }
}

std::size_t LaneSummarizer::add_pairs(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    const std::uint64_t* const ticks = batch.ticks.data();
    std::uint64_t last = cell_.last_tick;
    std::uint64_t longest = cell_.longest_pause;
    std::uint64_t inside = 0;                         // ticks within the spans
    std::array<std::uint64_t, 2 * kBlockPairs> sums;  // the same behind each span, as ticks whose intervals are the widths
    std::size_t spans = 0;
    std::uint64_t before = 0;
    std::size_t row = begin;
    for (; row + 1 < end && is_pair(batch, row) && ticks[row] >= last; row += 2) {
        if (!open_.pass_of(batch.threads[row])) break;
        const std::uint64_t width = ticks[row + 1] - ticks[row];
        longest = std::max({longest, ticks[row] - last, width});
        last = ticks[row + 1];
        sums[spans++] = inside += width;
        if (spans < sums.size()) continue;
        intervals_.add_spans(before, sums.data(), sums.data() + spans);
        before = inside;
        spans = 0;
    }
    if (row == begin) return row;
    if (spans > 0) intervals_.add_spans(before, sums.data(), sums.data() + spans);
    cell_.longest_pause = longest;
    add_passed((row - begin) / 2, last, inside);
    const ValueRange values = range_of_pairs(batch, begin, row);
    cell_.has_number = cell_.has_number || !values.empty();
    widen(values);
    return row;
}

void LaneSummarizer::add_passed(std::size_t pairs, std::uint64_t last, std::uint64_t inside) {
    const std::uint32_t depth = open_.depth() + 1;
    if (level_ == Level::kHigh) cell_.high_ticks += last - cell_.last_tick;
    cell_.busy_ticks += depth > 1 ? last - cell_.last_tick : inside;
    cell_.last_tick = last;
    cell_.kinds |= kinds_bit(wire::Kind::kBegin) | kinds_bit(wire::Kind::kEnd);
    cell_.begins += pairs;
    cell_.deepest = std::max(cell_.deepest, depth);
    if (depth > cell_.span_rows) cell_.span_rows = std::max(cell_.span_rows, open_.rows_with_one_more());
}

// An end at the front and a begin at the back stand for themselves, as what does not fit into a block.
void LaneSummarizer::add_turns(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    if (wire::kind_of(batch.codes[begin]) == wire::Kind::kEnd) {
        intervals_.add_row(batch.ticks[begin], false);
        add_state(state_row(batch, begin++));
    }
    while (begin < end) {
        const std::size_t stop = std::min(end, begin + 2 * kBlockPairs);
        const std::size_t pairs = (stop - begin) / 2;
        if (pairs > 0 && add_pair_block(batch, begin, pairs)) {
            begin += 2 * pairs;
        } else {
            intervals_.add(batch, begin, stop);
            add_states(batch, begin, stop);
            begin = stop;
        }
    }
}

bool LaneSummarizer::add_pair_block(const wire::EventBatch& batch, std::size_t begin, std::size_t pairs) {
    const std::uint64_t* const ticks = batch.ticks.data() + begin;
    PairBlock block;
    std::uint16_t bins[kBlockBins];
    if (ticks[0] < cell_.last_tick || !sum_pairs(ticks, pairs, block, bins)) return false;
    if (!open_.pass_of(batch.threads[begin], pairs)) return false;
    intervals_.add_pairs(ticks, pairs, block, bins);
    cell_.longest_pause = std::max<std::uint64_t>({cell_.longest_pause, ticks[0] - cell_.last_tick, block.between.most});
    add_passed(pairs, ticks[2 * pairs - 1], block.sum);
    const ValueRange values = range_of_turns(batch, begin, begin + 2 * pairs);
    cell_.has_number = cell_.has_number || !values.empty();
    widen(values);
    return true;
}

void LaneSummarizer::change_state(const StateRow& row) {
    switch (wire::kind_of(row.code)) {
        case wire::Kind::kBegin: open({channel_, row.tick, row.value, row.thread, row.code, 0, 0, 0, row.index}); return;
        case wire::Kind::kEnd: {
            OpenSpan closed;
            const OpenSpans::Ended ended = open_.end(row.thread, closed);
            if (ended == OpenSpans::Ended::kNone) ++cell_.loose_ends;
            if (ended == OpenSpans::Ended::kRemembered) add_ended(closed, row.tick, row.index, false);
            return;
        }
        case wire::Kind::kLevel: level_ = level_behind(row); return;
        case wire::Kind::kGap:
            ++cell_.gap_rows;
            add_up(cell_.lost, row.value);
            level_ = level_behind(row);
            add_gap(row);
            return;
        default: return;
    }
}

void LaneSummarizer::open(const OpenSpan& span) {
    if (!open_.begin(span)) intervals_.set_unknown();
    ++cell_.begins;
    cell_.deepest = std::max(cell_.deepest, open_.depth());
    if (open_.depth() > cell_.span_rows) cell_.span_rows = std::max(cell_.span_rows, open_.rows_taken());
}

void LaneSummarizer::add_gap(const StateRow& row) {
    gaps_.push_back({channel_, row.index, row.tick, row.until_tick, row.value, row.thread, row.cause});
    cut_.clear();
    open_.gap(row.thread, cut_);
    for (const OpenSpan& span : cut_) add_ended(span, row.tick, row.index, true);
}

void LaneSummarizer::add_ended(const OpenSpan& span, std::uint64_t tick, std::uint64_t index, bool cut) {
    if (!began_before(span.id, begun_before_))
        return cut ? intervals_.add_cut() : intervals_.add_span(span.begin_tick, tick);
    crossed_.push_back({span, std::max(tick, span.begin_tick), std::max(index, span.begin_index), cut});
}

}  // namespace sla::capture
