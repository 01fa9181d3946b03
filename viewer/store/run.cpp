// How a run grows. What it answers is in run_query.cpp.
#include "viewer/store/run.h"

#include <algorithm>

namespace sla::store {

using wire::Kind;

namespace {

// No level changes by it, and no loss is told.
constexpr bool is_common(std::uint8_t code) {
    const Kind kind = wire::kind_of(code);
    return kind != Kind::kLevel && kind != Kind::kGap;
}

constexpr bool is_of_span(std::uint8_t code) {
    const Kind kind = wire::kind_of(code);
    return kind == Kind::kBegin || kind == Kind::kEnd;
}

}  // namespace

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
        if (is_common(batch.codes[i])) {
            const std::size_t room = std::min<std::size_t>(kBlockEvents - size_ % kBlockEvents, batch.size() - i);
            std::size_t end = i + 1;
            while (end < i + room && is_common(batch.codes[end])) ++end;
            const std::uint64_t index = end_index() - i;
            push_common(batch, i, end);
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

// A level, or a loss.
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
    if (kind == Kind::kLevel) widen(event.code, &event.value, &event.value + 1);
    last_tick_ = event.tick;
    ++size_;
    close_block();
}

void Run::push_common(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
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
    const std::size_t rows = end - begin;
    std::copy_n(batch.ticks.data() + begin, rows, chunk.ticks.get() + slot);
    std::copy_n(batch.values.data() + begin, rows, chunk.values.get() + slot);
    std::copy_n(batch.threads.data() + begin, rows, chunk.threads.get() + slot);
    std::copy_n(batch.codes.data() + begin, rows, chunk.codes.get() + slot);
    bool has_spans = false;
    for (std::size_t i = begin; i < end;) {
        const std::uint8_t code = batch.codes[i];
        const std::size_t first = i;
        while (++i < end && batch.codes[i] == code) {
        }
        kinds_ |= kind_bit(wire::kind_of(code));
        has_spans |= is_of_span(code);
        if (wire::has_value(code)) widen(code, batch.values.data() + first, batch.values.data() + i);
    }
    if (has_spans) match_spans(batch, begin, end);
    if (level_ == Level::kHigh) high_ += batch.ticks[end - 1] - last_tick_;
    last_tick_ = batch.ticks[end - 1];
    size_ += rows;
    close_block();
}

// The row `begin` of the batch is the run's next one.
void Run::match_spans(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    std::uint64_t index = end_index();
    for (std::size_t i = begin; i < end; ++i, ++index) {
        const Kind kind = wire::kind_of(batch.codes[i]);
        if (kind == Kind::kBegin) spans_.begin(index, batch.ticks[i], batch.threads[i]);
        if (kind == Kind::kEnd) spans_.end(index, batch.ticks[i], batch.threads[i]);
    }
}

// Integers are compared as such: rounded to double they keep their order.
void Run::widen(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end) {
    if (code != SLA_CODE_LEVEL) has_values_ = true;
    if (wire::value_type_of(code) == wire::ValueType::kFloat) {
        for (; begin != end; ++begin) {
            const double number = wire::as_double(*begin);
            if (number == number) open_range_.absorb({number, number, true});  // what is no number has no place on an axis
        }
        return;
    }
    // Turned round by the sign's bit, signed numbers are ordered like unsigned ones.
    const bool is_signed = wire::value_type_of(code) == wire::ValueType::kSigned;
    const std::uint64_t turned = is_signed ? std::uint64_t{1} << 63 : 0;
    std::uint64_t least = *begin ^ turned;
    std::uint64_t greatest = least;
    while (++begin != end) {
        least = std::min(least, *begin ^ turned);
        greatest = std::max(greatest, *begin ^ turned);
    }
    open_range_.absorb({Event{0, least ^ turned, 0, code}.number(), Event{0, greatest ^ turned, 0, code}.number(), true});
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
