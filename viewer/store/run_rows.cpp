#include "viewer/store/run_rows.h"

#include <algorithm>

namespace sla::store {

namespace {

// The first entry of a sparse table, in order of index, from that index on; among [first, last).
template <typename Entry>
std::size_t first_from(const StableVector<Entry>& table, std::uint64_t index, std::size_t first, std::size_t last) {
    return table.partition_point(first, last, [index](const Entry& entry) { return entry.index < index; });
}

// The entry for this row of a run, or null. Entries are as rare as rows without one are frequent, which bounds where it can
// be: nearly dense tables are found at once.
template <typename Entry>
const Entry* find_index(const StableVector<Entry>& table, std::uint64_t index, std::uint64_t base, std::uint64_t rows) {
    const std::uint64_t offset = index - base;
    const std::uint64_t without = rows - std::min<std::uint64_t>(rows, table.size());
    const std::uint64_t first = offset > without ? offset - without : 0;
    const std::uint64_t last = std::min<std::uint64_t>(offset + 1, table.size());
    if (first >= last) return nullptr;
    const std::size_t at = first_from(table, index, first, last);
    return at == last || table[at].index != index ? nullptr : &table[at];
}

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
    same.details_ = details_.shared();
    same.texts_ = texts_.shared();
    same.text_bytes_ = text_bytes_;
    same.size_ = size_;
    same.last_tick_ = last_tick_;
    return same;
}

std::size_t RunRows::rows_of_next_chunk() const {
    if (expected_ != 0) return static_cast<std::size_t>(std::min<std::uint64_t>(expected_ - size_, kChunkEvents));
    return base_ == 0 && size_ == 0 ? kFirstRows : kChunkEvents;
}

// Full; what others share of it stays as it is.
RunRows::Chunk RunRows::grown(const Chunk& chunk) {
    constexpr std::size_t kTimes = 4;
    Chunk bigger(std::min(chunk.rows * kTimes, kChunkEvents));
    std::copy_n(chunk.ticks, chunk.rows, bigger.ticks);
    std::copy_n(chunk.values, chunk.rows, bigger.values);
    std::copy_n(chunk.threads, chunk.rows, bigger.threads);
    std::copy_n(chunk.codes, chunk.rows, bigger.codes);
    return bigger;
}

RunRows::Chunk& RunRows::open_chunk(std::uint64_t tick) {
    const std::size_t slot = size_ % kChunkEvents;
    if (slot == 0) {
        chunks_.emplace_back(rows_of_next_chunk());
        chunk_first_.push_back(tick);
    } else if (slot == chunks_.back().rows) {
        chunks_.back() = grown(chunks_.back());
    }
    return chunks_.back();
}

void RunRows::append(const wire::EventBatch& batch, std::size_t skip) {
    SLA_CHECK(expected_ == 0 || batch.size() - skip <= expected_ - size_);
    const std::uint64_t index = end_index() - skip;
    for (std::size_t i = skip; i < batch.size();) {
        const Chunk& to = open_chunk(batch.ticks[i]);
        const std::size_t slot = size_ % kChunkEvents;
        const std::size_t rows = std::min(batch.size() - i, to.rows - slot);
        std::copy_n(batch.ticks.data() + i, rows, to.ticks + slot);
        std::copy_n(batch.values.data() + i, rows, to.values + slot);
        std::copy_n(batch.threads.data() + i, rows, to.threads + slot);
        std::copy_n(batch.codes.data() + i, rows, to.codes + slot);
        last_tick_ = batch.ticks[i + rows - 1];
        size_ += rows;
        i += rows;
    }
    push_details(batch, skip, index);
    for (std::size_t text = batch.texts.from(skip); text < batch.texts.size(); ++text) {
        if (batch.codes[batch.texts.position(text)] == SLA_CODE_GAP) continue;
        texts_.push_back({index + batch.texts.position(text), std::string(batch.texts[text])});
        text_bytes_ += batch.texts[text].size();
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

// The batch's event 0 would have that index.
void RunRows::push_details(const wire::EventBatch& batch, std::size_t skip, std::uint64_t index) {
    const std::size_t end = std::max(batch.details[0].size(), batch.details[1].size());
    for (std::size_t i = skip; i < end; ++i) {
        const wire::Details words = batch.details_of(i);
        if ((words[0] | words[1]) != 0 && batch.codes[i] != SLA_CODE_GAP) details_.push_back({index + i, words});
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

const std::string* RunRows::text(std::uint64_t index) const {
    const Text* text = texts_.empty() ? nullptr : find_index(texts_, index, base_, size_);
    return text == nullptr ? nullptr : &text->text;
}

std::array<std::uint64_t, 2> RunRows::details(std::uint64_t index) const {
    const Detail* detail = details_.empty() ? nullptr : find_index(details_, index, base_, size_);
    return detail == nullptr ? std::array<std::uint64_t, 2>{0, 0} : detail->words;
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
        at += count;
    }
    const std::uint64_t end = first + rows;
    for (std::size_t at = first_from(details_, first, 0, details_.size()); at < details_.size(); ++at) {
        if (details_[at].index >= end) break;
        batch.set_details(static_cast<std::size_t>(details_[at].index - first), details_[at].words);
    }
    for (std::size_t at = first_from(texts_, first, 0, texts_.size()); at < texts_.size(); ++at) {
        if (texts_[at].index >= end) break;
        batch.texts.add(static_cast<std::size_t>(texts_[at].index - first), texts_[at].text);
    }
}

std::uint64_t RunRows::memory_bytes() const {
    const std::uint64_t of_chunks = chunks_.size() == 1 ? chunks_.front().rows : chunks_.size() * kChunkEvents;
    const std::uint64_t rows = expected_ != 0 ? expected_ : of_chunks;
    return rows * kRowBytes + details_.size() * sizeof(Detail) + texts_.size() * sizeof(Text) + text_bytes_;
}

}  // namespace sla::store
