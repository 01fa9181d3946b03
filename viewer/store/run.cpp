// How a run grows. What it answers is in run_query.cpp.
#include "viewer/store/run.h"

#include <algorithm>

namespace sla::store {

using wire::Kind;

namespace {

// Neither levels nor spans change by it, and no loss is told.
bool is_plain(std::uint8_t code) {
    const Kind kind = wire::kind_of(code);
    return kind == Kind::kTick || kind == Kind::kValue || kind == Kind::kText;
}

}  // namespace

double Event::number() const {
    switch (wire::value_type_of(code)) {
        case wire::ValueType::kSigned: return static_cast<double>(static_cast<std::int64_t>(value));
        case wire::ValueType::kUnsigned: return static_cast<double>(value);
        case wire::ValueType::kFloat: return wire::as_double(value);
        case wire::ValueType::kNone: return 0;
    }
    return 0;
}

Run::Run(const RunStart& start)
    : spans_(start.span_id, start.open, start.rows == 0 ? SpanTable::Filling::kGrowing : SpanTable::Filling::kOnce),
      base_(start.index),
      expected_(start.rows),
      level_(start.level),
      first_level_(start.level) {}

void Run::append(const wire::EventBatch& batch, std::size_t skip, GapTable* gaps) {
    auto extra = batch.extras.begin();
    while (extra != batch.extras.end() && extra->position < skip) ++extra;
    for (std::size_t i = skip; i < batch.size();) {
        if (is_plain(batch.codes[i])) {
            const std::size_t room = std::min<std::size_t>(kBlockEvents - size_ % kBlockEvents, batch.size() - i);
            std::size_t end = i + 1;
            while (end < i + room && batch.codes[end] == batch.codes[i]) ++end;
            const std::uint64_t index = end_index() - i;
            push_plain(batch, i, end);
            for (; extra != batch.extras.end() && extra->position < end; ++extra)
                push_extra(index + extra->position, *extra);
            i = end;
            continue;
        }
        const Event event{batch.ticks[i], batch.values[i], batch.threads[i], batch.codes[i]};
        const wire::Extra* own = nullptr;
        if (extra != batch.extras.end() && extra->position == i) {
            own = &*extra;
            while (extra != batch.extras.end() && extra->position == i) ++extra;
        }
        const std::uint64_t index = end_index();
        push(event);
        if (event.code == SLA_CODE_GAP) {
            push_gap(event, index, own, gaps);
        } else if (own != nullptr) {
            push_extra(index, *own);
        }
        ++i;
    }
}

void Run::append_gap(const Gap& gap, std::uint32_t thread, GapTable* gaps) {
    wire::Extra extra;
    extra.cause = gap.cause;
    extra.until_tick = gap.until_tick;
    const Event event{gap.tick, gap.lost, thread, SLA_CODE_GAP};
    const std::uint64_t index = end_index();
    push(event);
    push_gap(event, index, &extra, gaps);
}

void Run::open_chunk() {
    const std::uint64_t left = expected_ == 0 ? kChunkEvents : expected_ - size_;
    chunks_.emplace_back(static_cast<std::size_t>(std::min<std::uint64_t>(left, kChunkEvents)));
}

void Run::open_block(std::uint64_t tick) {
    SLA_CHECK(tick >= last_tick_);
    SLA_CHECK(expected_ == 0 || size_ < expected_);
    if (size_ == 0) last_tick_ = tick;
    if (size_ % kChunkEvents == 0) {
        open_chunk();
        chunk_first_.push_back(tick);
    }
    if (size_ % kBlockEvents != 0) return;
    const std::uint64_t high = level_ == Level::kHigh ? high_ + (tick - last_tick_) : high_;
    blocks_.push_back({tick, high, level_});
}

void Run::close_block() {
    if (size_ % kBlockEvents != 0) return;
    ranges_.append(open_range_);
    open_range_ = {};
}

void Run::push(const Event& event) {
    open_block(event.tick);
    const std::size_t slot = size_ % kChunkEvents;
    Chunk& chunk = chunks_.back();
    chunk.ticks[slot] = event.tick;
    chunk.values[slot] = event.value;
    chunk.threads[slot] = event.thread;
    chunk.codes[slot] = event.code;
    longest_pause_ = std::max(longest_pause_, event.tick - last_tick_);
    const Kind kind = event.kind();
    kinds_ |= kind_bit(kind);
    if (level_ == Level::kHigh) high_ += event.tick - last_tick_;
    level_ = level_after(level_, event.code, event.value);
    if (kind != Kind::kGap && wire::has_value(event.code)) widen(event.code, &event.value, &event.value + 1);
    if (kind == Kind::kBegin) spans_.begin(end_index(), event.tick, event.thread);
    if (kind == Kind::kEnd) spans_.end(end_index(), event.tick, event.thread);
    last_tick_ = event.tick;
    ++size_;
    close_block();
}

void Run::push_plain(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    open_block(batch.ticks[begin]);
    SLA_CHECK(expected_ == 0 || end - begin <= expected_ - size_);
    const std::size_t slot = size_ % kChunkEvents;
    Chunk& chunk = chunks_.back();
    bool ordered = true;
    std::uint64_t longest = batch.ticks[begin] - last_tick_;
    for (std::size_t i = begin + 1; i < end; ++i) {
        ordered &= batch.ticks[i] >= batch.ticks[i - 1];
        longest = std::max(longest, batch.ticks[i] - batch.ticks[i - 1]);
    }
    SLA_CHECK(ordered);
    longest_pause_ = std::max(longest_pause_, longest);
    std::copy(batch.ticks.begin() + static_cast<std::ptrdiff_t>(begin),
              batch.ticks.begin() + static_cast<std::ptrdiff_t>(end), chunk.ticks.get() + slot);
    std::copy(batch.values.begin() + static_cast<std::ptrdiff_t>(begin),
              batch.values.begin() + static_cast<std::ptrdiff_t>(end), chunk.values.get() + slot);
    std::copy(batch.threads.begin() + static_cast<std::ptrdiff_t>(begin),
              batch.threads.begin() + static_cast<std::ptrdiff_t>(end), chunk.threads.get() + slot);
    std::fill_n(chunk.codes.get() + slot, end - begin, batch.codes[begin]);
    kinds_ |= kind_bit(wire::kind_of(batch.codes[begin]));
    widen(batch.codes[begin], batch.values.data() + begin, batch.values.data() + end);
    if (level_ == Level::kHigh) high_ += batch.ticks[end - 1] - last_tick_;
    last_tick_ = batch.ticks[end - 1];
    size_ += end - begin;
    close_block();
}

void Run::widen(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end) {
    if (!wire::has_value(code)) return;
    if (code != SLA_CODE_LEVEL) has_values_ = true;
    for (; begin != end; ++begin) {
        const double number = Event{0, *begin, 0, code}.number();
        if (number == number) open_range_.absorb({number, number, true});  // what is no number has no place on an axis
    }
}

void Run::push_extra(std::uint64_t index, const wire::Extra& extra) {
    if (extra.detail[0] != 0 || extra.detail[1] != 0) details_.push_back({index, {extra.detail[0], extra.detail[1]}});
    if (extra.text.empty()) return;
    texts_.push_back({index, extra.text});
    text_bytes_ += extra.text.size();
}

void Run::push_gap(const Event& event, std::uint64_t index, const wire::Extra* extra, GapTable* gaps) {
    spans_.gap(index, event.tick, event.thread);
    if (gaps == nullptr) return;
    Gap gap;
    gap.index = index;
    gap.tick = event.tick;
    gap.until_tick = extra == nullptr ? event.tick : std::max(event.tick, extra->until_tick);
    gap.lost = event.value;
    gap.cause = extra == nullptr ? wire::LossCause::kNone : extra->cause;
    gaps->add(gap);
}

std::uint64_t Run::memory_bytes() const {
    constexpr std::uint64_t kRowBytes = 21;
    std::uint64_t bytes = sizeof(Run) + (expected_ != 0 ? expected_ : chunks_.size() * kChunkEvents) * kRowBytes;
    bytes += blocks_.capacity() * (sizeof(Block) + sizeof(ValueRange));
    bytes += details_.size() * sizeof(Detail) + spans_.memory_bytes();
    return bytes + texts_.size() * sizeof(Text) + text_bytes_;
}

}  // namespace sla::store
