#include "viewer/store/rows/run_rows.h"

#include <algorithm>

namespace sla::store {

namespace {

// Of ticks that rise, the first that is >= wanted; their number when none is. `end_tick`: none is later. Sweeps over pixels
// find the next one near the last. What is far is guessed from where it would be if ticks came evenly, and looked for around
// there: rows that another core has just written cost a tenth of a microsecond for each place that is looked at.
std::size_t first_reaching(std::span<const std::uint64_t> ticks, std::uint64_t wanted, std::uint64_t end_tick) {
    constexpr std::size_t kNear = 32;
    if (ticks.empty() || ticks[0] >= wanted) return 0;
    std::size_t low = 0;  // that one is earlier than wanted
    std::size_t high = ticks.size();
    std::size_t step = 1;
    while (low + step < high && step < kNear && ticks[low + step] < wanted) {
        low += step;
        step *= 2;
    }
    if (low + step < high && ticks[low + step] >= wanted) high = low + step;
    if (high - low > kNear && end_tick > ticks[low] && wanted <= end_tick) {
        const double share = static_cast<double>(wanted - ticks[low]) / static_cast<double>(end_tick - ticks[low]);
        std::size_t guess = low + static_cast<std::size_t>(share * static_cast<double>(high - low));
        guess = std::clamp(guess, low + 1, high - 1);
        const bool is_before = ticks[guess] < wanted;
        (is_before ? low : high) = guess;
        for (step = kNear / 4; high - low > step; step *= 2) {
            const std::size_t next = is_before ? low + step : high - step;
            if ((ticks[next] < wanted) != is_before) {
                (is_before ? high : low) = next;
                break;
            }
            (is_before ? low : high) = next;
        }
    }
    const auto begin = ticks.begin() + static_cast<std::ptrdiff_t>(low);
    const auto end = ticks.begin() + static_cast<std::ptrdiff_t>(high);
    return static_cast<std::size_t>(std::lower_bound(begin, end, wanted) - ticks.begin());
}

}  // namespace

// Ticks and values first: all of them lie as their numbers want.
RunRows::Chunk::Chunk(std::size_t space)
    : rows(space),
      memory(std::make_shared_for_overwrite<std::byte[]>(space * kRowBytes)),
      ticks(reinterpret_cast<std::uint64_t*>(memory.get())),
      values(ticks + space),
      threads(reinterpret_cast<std::uint32_t*>(values + space)),
      codes(reinterpret_cast<std::uint8_t*>(threads + space)) {}

RunRows RunRows::shared() const {
    RunRows same(base_, 0);
    same.chunks_ = chunks_;
    same.chunk_first_ = chunk_first_;
    same.texts_ = texts_.shared();
    same.detail_bytes_ = detail_bytes_;
    same.size_ = size_;
    same.last_tick_ = last_tick_;
    return same;
}

std::size_t RunRows::rows_of_next_chunk() const {
    if (expected_ != 0) return static_cast<std::size_t>(std::min<std::uint64_t>(expected_ - size_, kChunkEvents));
    return size_ == 0 ? kFirstRows : kChunkEvents;
}

// What others share of it stays as it is.
void RunRows::grow(Chunk& full) {
    constexpr std::size_t kTimes = 2;
    Chunk bigger(std::min(full.rows * kTimes, kChunkEvents));
    std::copy_n(full.ticks, full.rows, bigger.ticks);
    std::copy_n(full.values, full.rows, bigger.values);
    std::copy_n(full.threads, full.rows, bigger.threads);
    std::copy_n(full.codes, full.rows, bigger.codes);
    for (std::size_t word = 0; word < full.details.size(); ++word) {
        if (full.details[word] == nullptr) continue;
        add_column(bigger, word);
        detail_bytes_ -= full.rows * sizeof(std::uint64_t);
        std::copy_n(full.details[word].get(), full.rows, bigger.details[word].get());
    }
    full = std::move(bigger);
}

// Of zeros.
void RunRows::add_column(Chunk& chunk, std::size_t word) {
    chunk.details[word] = std::make_shared<std::uint64_t[]>(chunk.rows);
    detail_bytes_ += chunk.rows * sizeof(std::uint64_t);
}

RunRows::Chunk& RunRows::open_chunk(std::uint64_t tick) {
    const std::size_t slot = size_ % kChunkEvents;
    if (slot == 0) {
        chunks_.emplace_back(rows_of_next_chunk());
        chunk_first_.push_back(tick);
    } else if (slot == chunks_.back().rows) {
        grow(chunks_.back());
    }
    return chunks_.back();
}

void RunRows::append(const wire::EventBatch& batch, std::size_t skip) {
    SLA_CHECK(expected_ == 0 || batch.size() - skip <= expected_ - size_);
    const std::uint64_t index = end_index() - skip;
    for (std::size_t i = skip; i < batch.size();) {
        Chunk& to = open_chunk(batch.ticks[i]);
        const std::size_t slot = size_ % kChunkEvents;
        const std::size_t rows = std::min(batch.size() - i, to.rows - slot);
        std::copy_n(batch.ticks.data() + i, rows, to.ticks + slot);
        std::copy_n(batch.values.data() + i, rows, to.values + slot);
        std::copy_n(batch.threads.data() + i, rows, to.threads + slot);
        std::copy_n(batch.codes.data() + i, rows, to.codes + slot);
        put_details(batch, i, rows, to, slot);
        last_tick_ = batch.ticks[i + rows - 1];
        size_ += rows;
        i += rows;
    }
    for (std::size_t text = batch.texts.from(skip); text < batch.texts.size(); ++text) {
        if (batch.codes[batch.texts.position(text)] == SLA_CODE_GAP) continue;
        texts_.add(index + batch.texts.position(text), batch.texts[text]);
    }
}

void RunRows::append(const Event& event) {
    SLA_CHECK(expected_ == 0 || size_ < expected_);
    const Chunk& to = open_chunk(event.tick);
    const std::size_t slot = size_ % kChunkEvents;
    to.ticks[slot] = event.tick;
    to.values[slot] = event.value;
    to.threads[slot] = event.thread;
    to.codes[slot] = event.code;
    last_tick_ = event.tick;
    ++size_;
}

// A loss row has none, whatever came.
void RunRows::put_details(const wire::EventBatch& batch, std::size_t first, std::size_t rows, Chunk& to, std::size_t slot) {
    for (std::size_t word = 0; word < to.details.size(); ++word) {
        const std::vector<std::uint64_t>& from = batch.details[word];
        const std::size_t end = std::min(from.size(), first + rows);
        if (first >= end) continue;
        if (to.details[word] == nullptr) add_column(to, word);
        std::uint64_t* const words = to.details[word].get() + slot;
        std::copy_n(from.data() + first, end - first, words);
        const std::uint8_t* const codes = to.codes + slot;
        const std::uint8_t* const codes_end = codes + (end - first);
        for (const auto* gap = codes; (gap = std::find(gap, codes_end, SLA_CODE_GAP)) != codes_end; ++gap)
            words[gap - codes] = 0;
    }
}

std::span<const std::uint64_t> RunRows::ticks_from(std::uint64_t index) const {
    const std::uint64_t offset = index - base_;
    if (offset >= size_) return {};
    const std::size_t slot = offset % kChunkEvents;
    const std::uint64_t left = std::min<std::uint64_t>(kChunkEvents - slot, size_ - offset);
    return {chunk(offset).ticks + slot, static_cast<std::size_t>(left)};
}

Columns RunRows::columns_from(std::uint64_t index) const {
    const std::size_t rows = ticks_from(index).size();
    if (rows == 0) return {};
    const Chunk& in = chunk(index - base_);
    const std::size_t slot = (index - base_) % kChunkEvents;
    return {rows, in.ticks + slot, in.values + slot, in.threads + slot, in.codes + slot};
}

std::uint64_t RunRows::lower_bound(std::uint64_t wanted, std::uint64_t from) const {
    if (from >= end_index() || wanted > last_tick_) return end_index();
    if (tick(from) >= wanted) return from;
    std::size_t at = (from - base_) / kChunkEvents;
    if (at + 1 < chunk_first_.size() && chunk_first_[at + 1] < wanted) {
        const auto next =
            std::lower_bound(chunk_first_.begin() + static_cast<std::ptrdiff_t>(at) + 1, chunk_first_.end(), wanted);
        at = static_cast<std::size_t>(next - chunk_first_.begin()) - 1;
        from = base_ + at * kChunkEvents;
    }
    const std::uint64_t end_tick = at + 1 < chunk_first_.size() ? chunk_first_[at + 1] : last_tick_;
    return from + first_reaching(ticks_from(from), wanted, end_tick);
}

void RunRows::copy_to(wire::EventBatch& batch, std::uint64_t first, std::size_t rows) const {
    batch.clear();
    batch.first_index = first;
    for (std::uint64_t at = first; at < first + rows;) {
        const Columns from = columns_from(at);
        const std::size_t count = std::min<std::size_t>(from.rows, static_cast<std::size_t>(first + rows - at));
        batch.ticks.insert(batch.ticks.end(), from.ticks, from.ticks + count);
        batch.values.insert(batch.values.end(), from.values, from.values + count);
        batch.threads.insert(batch.threads.end(), from.threads, from.threads + count);
        batch.codes.insert(batch.codes.end(), from.codes, from.codes + count);
        for (std::size_t word = 0; word < batch.details.size(); ++word) {
            const std::uint64_t* const words = chunk(at - base_).details[word].get();
            if (words == nullptr) continue;
            std::vector<std::uint64_t>& to = batch.details[word];
            to.resize(static_cast<std::size_t>(at - first));  // of rows before that have none
            to.insert(to.end(), words + (at - base_) % kChunkEvents, words + (at - base_) % kChunkEvents + count);
        }
        at += count;
    }
    const std::uint64_t end = first + rows;
    for (std::size_t at = texts_.from(first); at < texts_.size() && texts_[at].index < end; ++at)
        batch.texts.add(static_cast<std::size_t>(texts_[at].index - first), texts_[at].view());
}

std::uint64_t RunRows::memory_bytes() const {
    const std::uint64_t of_chunks = chunks_.size() == 1 ? chunks_.front().rows : chunks_.size() * kChunkEvents;
    const std::uint64_t rows = expected_ != 0 ? expected_ : of_chunks;
    return rows * kRowBytes + detail_bytes_ + texts_.memory_bytes();
}

}  // namespace sla::store
