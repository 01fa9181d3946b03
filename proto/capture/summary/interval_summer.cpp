#include "proto/capture/summary/interval_summer.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sla::capture {

void IntervalSummer::add(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    while (begin < end) {
        const void* const gap = std::memchr(batch.codes.data() + begin, SLA_CODE_GAP, end - begin);
        const std::size_t stop =
            gap == nullptr ? end : static_cast<std::size_t>(static_cast<const std::uint8_t*>(gap) - batch.codes.data());
        if (begin < stop) add_events(batch.ticks.data() + begin, batch.ticks.data() + stop);
        if (gap != nullptr) add_row(batch.ticks[stop], true);
        begin = stop + 1;
    }
}

void IntervalSummer::add_row(std::uint64_t tick, bool is_gap) {
    if (is_gap) {
        (sums_.events == 0 ? sums_.gap_before : sums_.gap_after) = true;
    } else {
        add_events(&tick, &tick + 1);
    }
}

void IntervalSummer::add(const IntervalSums& rows, const SingleBins& singles) {
    const std::uint64_t before = sums_.last_tick;
    if (join(rows.first_tick, rows.last_tick, rows.events)) widths_.add(rows.first_tick - before);
    widths_.add(rows.widths, singles.widths);
    spans_.add(rows.spans, singles.spans);
}

void IntervalSummer::add_pairs(const std::uint64_t* ticks, std::size_t pairs, const PairBlock& block,
                               const std::uint16_t (&bins)[kBlockBins]) {
    const std::uint64_t before = sums_.last_tick;
    const std::size_t last = 2 * pairs - 1;
    if (join(ticks[0], ticks[last], 2 * pairs)) widths_.add(ticks[0] - before);
    widths_.add(block.between, ticks[last] - ticks[0], bins, last);
    std::uint16_t of_spans[kBlockPairs];
    for (std::size_t pair = 0; pair < pairs; ++pair) of_spans[pair] = bins[2 * pair];
    spans_.add(block.spans, block.sum, of_spans, pairs);
}

bool IntervalSummer::join(std::uint64_t first, std::uint64_t last, std::uint64_t events) {
    const std::uint64_t before = std::exchange(sums_.last_tick, last);
    const bool is_first = sums_.events == 0;
    if (is_first) sums_.first_tick = first;
    sums_.events += events;
    const bool is_lossy = std::exchange(sums_.gap_after, false);
    if (is_lossy) {
        ++sums_.lossy;
        is_known_ = is_known_ && first >= before;
    }
    return !is_first && !is_lossy;
}

std::uint64_t IntervalSummer::add_events(const std::uint64_t* begin, const std::uint64_t* end) {
    const std::uint64_t before = sums_.last_tick;
    if (join(*begin, *(end - 1), static_cast<std::uint64_t>(end - begin))) return widths_.add_since(before, begin, end);
    if (end - begin == 1) return 0;
    const std::uint64_t first = *(begin + 1) - *begin;
    const std::uint64_t longest = widths_.add_since(*begin, begin + 1, end);
    return first >> 63 == 0 ? std::max(first, longest) : longest;
}

void IntervalSummer::take_sums(IntervalSums& out) {
    std::swap(sums_.widths, out.widths);
    std::swap(sums_.spans, out.spans);
    out = std::exchange(sums_, {});
}

bool IntervalSummer::take(IntervalSums& out, BinCounter& counter) {
    take_sums(out);
    const bool widths = widths_.take(out.widths, counter);
    const bool spans = spans_.take(out.spans, counter);
    return std::exchange(is_known_, true) && widths && spans;
}

bool IntervalSummer::take(IntervalSums& out, SingleBins& singles, BinCounter& counter) {
    take_sums(out);
    const bool widths = widths_.take(out.widths, singles.widths, counter);
    const bool spans = spans_.take(out.spans, singles.spans, counter);
    return std::exchange(is_known_, true) && widths && spans;
}

}  // namespace sla::capture
