// What a lane answers. How it grows is in lane.cpp.
#include "proto/wire/formatter.h"
#include "viewer/store/lane.h"

#include <algorithm>

namespace sla::store {

namespace {

// The entry of a sparse table (a deque in order of index) for this event of a lane of `events`, or null. Entries are as rare
// as events without one are frequent, which bounds where it can be: nearly dense tables are found at once.
template <typename Table>
const typename Table::value_type* find_index(const Table& table, std::uint64_t index, std::uint64_t events) {
    const std::uint64_t without = events - table.size();
    const std::uint64_t first = index > without ? index - without : 0;
    const std::uint64_t last = std::min<std::uint64_t>(index + 1, table.size());
    if (first >= last) return nullptr;
    const auto end = table.begin() + static_cast<std::ptrdiff_t>(last);
    const auto at = std::lower_bound(table.begin() + static_cast<std::ptrdiff_t>(first), end, index,
                                     [](const auto& entry, std::uint64_t wanted) { return entry.index < wanted; });
    return at == end || at->index != index ? nullptr : &*at;
}

}  // namespace

Event Lane::operator[](std::uint64_t index) const {
    const Chunk& in = chunk(index);
    const std::size_t slot = index % kChunkEvents;
    return {in.ticks[slot], in.values[slot], in.threads[slot], in.codes[slot]};
}

std::span<const std::uint64_t> Lane::ticks_from(std::uint64_t index) const {
    if (index >= size_) return {};
    const std::size_t slot = index % kChunkEvents;
    const std::uint64_t left = std::min<std::uint64_t>(kChunkEvents - slot, size_ - index);
    return {chunk(index).ticks + slot, static_cast<std::size_t>(left)};
}

std::uint64_t Lane::lower_bound(std::uint64_t wanted, std::uint64_t from) const {
    if (from >= size_ || wanted > last_tick_) return size_;
    if (tick(from) >= wanted) return from;
    std::size_t at = from / kChunkEvents;
    if (at + 1 < chunk_first_.size() && chunk_first_[at + 1] < wanted) {
        const auto next =
            std::lower_bound(chunk_first_.begin() + static_cast<std::ptrdiff_t>(at) + 1, chunk_first_.end(), wanted);
        at = static_cast<std::size_t>(next - chunk_first_.begin()) - 1;
        from = at * kChunkEvents;
    }
    const auto run = ticks_from(from);
    std::size_t reach = 1;  // sweeps over pixels find the next one near the last
    while (reach < run.size() && run[reach] < wanted) reach *= 2;
    const auto begin = run.begin() + static_cast<std::ptrdiff_t>(reach / 2);
    const auto end = run.begin() + static_cast<std::ptrdiff_t>(std::min(reach + 1, run.size()));
    return from + static_cast<std::uint64_t>(std::lower_bound(begin, end, wanted) - run.begin());
}

Summary Lane::summarize(std::uint64_t from, std::uint64_t until) const {
    const std::uint64_t first = lower_bound(from);
    return summarize_indices(first, until <= from ? first : lower_bound(until, first));
}

Summary Lane::summarize_indices(std::uint64_t first, std::uint64_t last) const {
    Summary sum;
    sum.last = std::min(last, size_);
    sum.first = std::min(first, sum.last);
    const auto before = [](const Gap& gap, std::uint64_t wanted) { return gap.index < wanted; };
    if (!gaps_.empty()) {
        const auto begin = std::lower_bound(gaps_.begin(), gaps_.end(), sum.first, before);
        const auto end = std::lower_bound(begin, gaps_.end(), sum.last, before);
        sum.gaps = static_cast<std::uint64_t>(end - begin);
        const std::uint64_t lost_from = begin == gaps_.end() ? lost_ : begin->lost_before;
        sum.lost = (end == gaps_.end() ? lost_ : end->lost_before) - lost_from;
    }
    sum.events = sum.last - sum.first - sum.gaps;
    if (has_values_ || has_levels_) {
        const ValueRange range = range_of(sum.first, sum.last);
        sum.has_value = range.any;
        sum.min = range.min;
        sum.max = range.max;
    }
    return sum;
}

Lane::ValueRange Lane::range_of(std::uint64_t first, std::uint64_t last) const {
    ValueRange total;
    const auto scan = [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
            const Event event = (*this)[i];
            if (event.code == SLA_CODE_GAP || !wire::has_value(event.code)) continue;
            const double number = event.number();
            total.absorb({number, number, true});
        }
    };
    const std::uint64_t first_block = (first + kBlockEvents - 1) / kBlockEvents;
    const std::uint64_t last_block = last / kBlockEvents;
    if (first_block >= last_block) {
        scan(first, last);
        return total;
    }
    scan(first, first_block * kBlockEvents);
    total.absorb(ranges_.query(first_block, last_block));
    scan(last_block * kBlockEvents, last);
    return total;
}

std::pair<Level, std::uint64_t> Lane::level_and_high(std::uint64_t wanted) const {
    const std::uint64_t behind = upper_bound(wanted);
    if (!has_levels_ || behind == 0) return {Level::kUnknown, 0};
    const Block& block = blocks_[(behind - 1) / kBlockEvents];
    Level level = block.level_before;
    std::uint64_t high = block.high_before;
    std::uint64_t at = block.first_tick;
    for (std::uint64_t i = (behind - 1) / kBlockEvents * kBlockEvents; i < behind; ++i) {
        const Event event = (*this)[i];
        if (level == Level::kHigh) high += event.tick - at;
        at = event.tick;
        level = level_after(level, event.code, event.value);
    }
    if (level == Level::kHigh) high += wanted - at;
    return {level, high};
}

Level Lane::level_at(std::uint64_t tick) const {
    return level_and_high(tick).first;
}

LevelStretch Lane::level_over(std::uint64_t from, std::uint64_t until) const {
    const auto [level, high] = level_and_high(from);
    return {level, until <= from ? 0 : level_and_high(until).second - high};
}

const Gap* Lane::gap_at(std::uint64_t index) const {
    return find_index(gaps_, index, size_);
}

std::size_t Lane::first_gap_touching(std::uint64_t tick) const {
    const auto at = std::lower_bound(gap_reach_.begin(), gap_reach_.end(), tick);
    return static_cast<std::size_t>(at - gap_reach_.begin());
}

void Lane::append_text(std::uint64_t index, std::string& out) const {
    const std::uint8_t code = chunk(index).codes[index % kChunkEvents];
    if (code == SLA_CODE_GAP) {
        const Gap* gap = gap_at(index);
        if (gap != nullptr) out += wire::loss_cause_name(gap->cause);
        return;
    }
    if (const Text* text = texts_.empty() ? nullptr : find_index(texts_, index, size_); text != nullptr) {
        out += text->text;
        return;
    }
    if (channel_.format.empty()) return;
    const auto words = details(index);
    wire::format_details(channel_.format, words.data(), out);
}

std::string Lane::text(std::uint64_t index) const {
    std::string out;
    append_text(index, out);
    return out;
}

std::array<std::uint64_t, 2> Lane::details(std::uint64_t index) const {
    const Detail* detail = details_.empty() ? nullptr : find_index(details_, index, size_);
    return detail == nullptr ? std::array<std::uint64_t, 2>{0, 0} : detail->words;
}

}  // namespace sla::store
