// How a lane grows. What it answers is in lane_query.cpp.
#include "viewer/store/lane.h"

#include <algorithm>

namespace sla::store {

using wire::Kind;

double Event::number() const {
    switch (wire::value_type_of(code)) {
        case wire::ValueType::kSigned: return static_cast<double>(static_cast<std::int64_t>(value));
        case wire::ValueType::kUnsigned: return static_cast<double>(value);
        case wire::ValueType::kFloat: return wire::as_double(value);
        case wire::ValueType::kNone: return 0;
    }
    return 0;
}

Lane::Lane(Channel channel) : channel_(std::move(channel)) {}

void Lane::append(const wire::EventBatch& batch, std::size_t skip) {
    auto extra = batch.extras.begin();
    while (extra != batch.extras.end() && extra->position < skip) ++extra;
    for (std::size_t i = skip; i < batch.size(); ++i) {
        const Event event{batch.ticks[i], batch.values[i], batch.threads[i], batch.codes[i]};
        const wire::Extra* own = nullptr;
        if (extra != batch.extras.end() && extra->position == i) {
            own = &*extra;
            while (extra != batch.extras.end() && extra->position == i) ++extra;
        }
        const std::uint64_t index = size_;
        push(event);
        if (event.code == SLA_CODE_GAP) {
            push_gap(event, index, own);
        } else if (own != nullptr) {
            push_extra(index, *own);
        }
    }
}

void Lane::append_gap(std::uint64_t tick, std::uint64_t until_tick, std::uint64_t lost, std::uint32_t thread,
                      wire::LossCause cause) {
    wire::Extra extra;
    extra.cause = cause;
    extra.until_tick = until_tick;
    const Event event{tick, lost, thread, SLA_CODE_GAP};
    const std::uint64_t index = size_;
    push(event);
    push_gap(event, index, &extra);
}

void Lane::push(const Event& event) {
    SLA_CHECK(event.tick >= last_tick_);
    const std::size_t slot = size_ % kChunkEvents;
    if (slot == 0) {
        chunks_.push_back(std::make_unique_for_overwrite<Chunk>());
        chunk_first_.push_back(event.tick);
    }
    if (size_ % kBlockEvents == 0) {
        const std::uint64_t high = level_ == Level::kHigh ? high_ + (event.tick - last_tick_) : high_;
        blocks_.push_back({event.tick, high, level_});
    }
    Chunk& chunk = *chunks_.back();
    chunk.ticks[slot] = event.tick;
    chunk.values[slot] = event.value;
    chunk.threads[slot] = event.thread;
    chunk.codes[slot] = event.code;
    const Kind kind = event.kind();
    ++kinds_[static_cast<std::size_t>(kind)];
    if (has_levels_ || kind == Kind::kLevel) track_level(event);
    if (kind != Kind::kGap && wire::has_value(event.code)) track_value(event);
    if (kind == Kind::kBegin) spans_.begin(size_, event.tick, event.thread);
    if (kind == Kind::kEnd) spans_.end(size_, event.tick, event.thread);
    last_tick_ = event.tick;
    ++size_;
    if (size_ % kBlockEvents == 0) {
        ranges_.append(open_range_);
        open_range_ = {};
    }
}

void Lane::track_level(const Event& event) {
    has_levels_ = true;
    if (level_ == Level::kHigh) high_ += event.tick - last_tick_;
    level_ = level_after(level_, event.code, event.value);
}

Level Lane::level_after(Level before, std::uint8_t code, std::uint64_t value) {
    if (code == SLA_CODE_LEVEL) return value != 0 ? Level::kHigh : Level::kLow;
    return code == SLA_CODE_GAP ? Level::kUnknown : before;
}

void Lane::track_value(const Event& event) {
    if (event.kind() != Kind::kLevel) has_values_ = true;
    const double number = event.number();
    open_range_.absorb({number, number, true});
}

void Lane::ValueRange::absorb(const ValueRange& other) {
    if (!other.any) return;
    min = any ? std::min(min, other.min) : other.min;
    max = any ? std::max(max, other.max) : other.max;
    any = true;
}

void Lane::push_extra(std::uint64_t index, const wire::Extra& extra) {
    if (extra.detail[0] != 0 || extra.detail[1] != 0) details_.push_back({index, {extra.detail[0], extra.detail[1]}});
    if (!extra.text.empty()) texts_.push_back({index, extra.text});
}

void Lane::push_gap(const Event& event, std::uint64_t index, const wire::Extra* extra) {
    Gap gap;
    gap.index = index;
    gap.tick = event.tick;
    gap.until_tick = extra == nullptr ? event.tick : std::max(event.tick, extra->until_tick);
    gap.lost = event.value;
    gap.lost_before = lost_;
    gap.cause = extra == nullptr ? wire::LossCause::kNone : extra->cause;
    gap_reach_.push_back(gap_reach_.empty() ? gap.until_tick : std::max(gap_reach_.back(), gap.until_tick));
    gaps_.push_back(gap);
    lost_ += gap.lost;
    lost_by_cause_[static_cast<std::size_t>(gap.cause)] += gap.lost;
    spans_.gap(index, event.tick, event.thread);
}

std::uint64_t Lane::memory_bytes() const {
    std::uint64_t bytes = chunks_.size() * sizeof(Chunk) + blocks_.capacity() * (sizeof(Block) + sizeof(ValueRange));
    bytes += gaps_.size() * (sizeof(Gap) + 8) + details_.size() * sizeof(Detail) + spans_.size() * (sizeof(Span) + 32);
    for (const Text& text : texts_) bytes += sizeof(Text) + text.text.size();
    return bytes;
}

}  // namespace sla::store
