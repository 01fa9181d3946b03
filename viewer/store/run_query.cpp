// What a run answers. How it grows is in run.cpp.
#include "viewer/store/run.h"

#include <algorithm>

namespace sla::store {

namespace {

// The entry of a sparse table (a deque in order of index) for this row of a run, or null. Entries are as rare as rows
// without one are frequent, which bounds where it can be: nearly dense tables are found at once.
template <typename Table>
const typename Table::value_type* find_index(const Table& table, std::uint64_t index, std::uint64_t base,
                                             std::uint64_t rows) {
    const std::uint64_t offset = index - base;
    const std::uint64_t without = rows - std::min<std::uint64_t>(rows, table.size());
    const std::uint64_t first = offset > without ? offset - without : 0;
    const std::uint64_t last = std::min<std::uint64_t>(offset + 1, table.size());
    if (first >= last) return nullptr;
    const auto end = table.begin() + static_cast<std::ptrdiff_t>(last);
    const auto at = std::lower_bound(table.begin() + static_cast<std::ptrdiff_t>(first), end, index,
                                     [](const auto& entry, std::uint64_t wanted) { return entry.index < wanted; });
    return at == end || at->index != index ? nullptr : &*at;
}

}  // namespace

std::span<const std::uint64_t> Run::ticks_from(std::uint64_t index) const {
    const std::uint64_t offset = index - base_;
    if (offset >= size_) return {};
    const std::size_t slot = offset % kChunkEvents;
    const std::uint64_t left = std::min<std::uint64_t>(kChunkEvents - slot, size_ - offset);
    return {chunk(offset).ticks.get() + slot, static_cast<std::size_t>(left)};
}

Columns Run::columns_from(std::uint64_t index) const {
    const std::size_t rows = ticks_from(index).size();
    if (rows == 0) return {};
    const Chunk& in = chunk(index - base_);
    const std::size_t slot = (index - base_) % kChunkEvents;
    return {rows, in.ticks.get() + slot, in.values.get() + slot, in.threads.get() + slot, in.codes.get() + slot};
}

std::uint64_t Run::lower_bound(std::uint64_t wanted, std::uint64_t from) const {
    if (from >= end_index() || wanted > last_tick_) return end_index();
    if (tick(from) >= wanted) return from;
    std::size_t at = (from - base_) / kChunkEvents;
    if (at + 1 < chunk_first_.size() && chunk_first_[at + 1] < wanted) {
        const auto next =
            std::lower_bound(chunk_first_.begin() + static_cast<std::ptrdiff_t>(at) + 1, chunk_first_.end(), wanted);
        at = static_cast<std::size_t>(next - chunk_first_.begin()) - 1;
        from = base_ + at * kChunkEvents;
    }
    const auto run = ticks_from(from);
    std::size_t reach = 1;  // sweeps over pixels find the next one near the last
    while (reach < run.size() && run[reach] < wanted) reach *= 2;
    const auto begin = run.begin() + static_cast<std::ptrdiff_t>(reach / 2);
    const auto end = run.begin() + static_cast<std::ptrdiff_t>(std::min(reach + 1, run.size()));
    return from + static_cast<std::uint64_t>(std::lower_bound(begin, end, wanted) - run.begin());
}

ValueRange Run::range_of(std::uint64_t first, std::uint64_t last) const {
    ValueRange total;
    if (!has_values_ && (kinds_ & kind_bit(wire::Kind::kLevel)) == 0) return total;
    const auto scan = [&](std::uint64_t begin, std::uint64_t end) {
        while (begin < end) {
            const Columns rows = columns_from(begin);
            const std::size_t count = std::min<std::uint64_t>(rows.rows, end - begin);
            for (std::size_t i = 0; i < count; ++i) {
                if (rows.codes[i] == SLA_CODE_GAP || !wire::has_value(rows.codes[i])) continue;
                const double number = Event{0, rows.values[i], 0, rows.codes[i]}.number();
                if (number == number) total.absorb({number, number, true});
            }
            begin += count;
        }
    };
    const std::uint64_t first_block = (first - base_ + kBlockEvents - 1) / kBlockEvents;
    const std::uint64_t last_block = (last - base_) / kBlockEvents;
    if (first_block >= last_block) {
        scan(first, last);
        return total;
    }
    scan(first, base_ + first_block * kBlockEvents);
    total.absorb(ranges_.query(first_block, last_block));
    scan(base_ + last_block * kBlockEvents, last);
    return total;
}

LevelState Run::level_at(std::uint64_t wanted) const {
    if (empty() || wanted < tick(base_)) return {first_level_, 0};
    return level_behind(wanted == kNever ? end_index() : lower_bound(wanted + 1, base_), wanted);
}

LevelState Run::level_behind(std::uint64_t behind, std::uint64_t wanted) const {
    const std::uint64_t number = (behind - 1 - base_) / kBlockEvents;
    const Block& block = blocks_[number];
    LevelState state{block.level_before, block.high_before};
    std::uint64_t at = block.first_tick;
    const std::uint64_t first = base_ + number * kBlockEvents;
    const Columns rows = columns_from(first);  // a block lies in one chunk
    for (std::size_t i = 0; i < behind - first; ++i) {
        if (state.level == Level::kHigh) state.high += rows.ticks[i] - at;
        at = rows.ticks[i];
        state.level = level_after(state.level, rows.codes[i], rows.values[i]);
    }
    if (state.level == Level::kHigh) state.high += wanted - at;
    return state;
}

const std::string* Run::text(std::uint64_t index) const {
    const Text* text = texts_.empty() ? nullptr : find_index(texts_, index, base_, size_);
    return text == nullptr ? nullptr : &text->text;
}

std::array<std::uint64_t, 2> Run::details(std::uint64_t index) const {
    const Detail* detail = details_.empty() ? nullptr : find_index(details_, index, base_, size_);
    return detail == nullptr ? std::array<std::uint64_t, 2>{0, 0} : detail->words;
}

void Run::copy_to(wire::EventBatch& batch, std::uint64_t first, std::size_t rows) const {
    batch.clear();
    batch.first_index = first;
    for (std::uint64_t at = first; at < first + rows;) {
        const Columns from = columns_from(at);
        const std::size_t count = std::min<std::size_t>(from.rows, static_cast<std::size_t>(first + rows - at));
        batch.ticks.insert(batch.ticks.end(), from.ticks, from.ticks + count);
        batch.values.insert(batch.values.end(), from.values, from.values + count);
        batch.threads.insert(batch.threads.end(), from.threads, from.threads + count);
        batch.codes.insert(batch.codes.end(), from.codes, from.codes + count);
        at += count;
    }
    const auto by_index = [](const auto& entry, std::uint64_t index) { return entry.index < index; };
    auto detail = std::lower_bound(details_.begin(), details_.end(), first, by_index);
    auto text = std::lower_bound(texts_.begin(), texts_.end(), first, by_index);
    for (;;) {
        const std::uint64_t next_detail = detail == details_.end() ? kNever : detail->index;
        const std::uint64_t next_text = text == texts_.end() ? kNever : text->index;
        const std::uint64_t index = std::min(next_detail, next_text);
        if (index >= first + rows) return;
        wire::Extra& extra = batch.extras.emplace_back();
        extra.position = static_cast<std::uint32_t>(index - first);
        if (next_detail == index) {
            extra.detail[0] = detail->words[0];
            extra.detail[1] = detail->words[1];
            ++detail;
        }
        if (next_text == index) extra.text = (text++)->text;
    }
}

}  // namespace sla::store
