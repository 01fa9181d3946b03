#include "viewer/store/rows/run_index.h"

#include <algorithm>
#include <cmath>

namespace sla::store {

using wire::Kind;

namespace {

// No level changes by it, and no loss is reported.
constexpr bool is_common(std::uint8_t code) {
    const Kind kind = wire::kind_of(code);
    return kind != Kind::kLevel && kind != Kind::kGap;
}

constexpr bool is_of_span(std::uint8_t code) {
    const Kind kind = wire::kind_of(code);
    return kind == Kind::kBegin || kind == Kind::kEnd;
}

}  // namespace

RunIndex::RunIndex(const RunStart& start)
    : spans_(start.span_id, start.open, start.rows == 0 ? SpanTable::Filling::kGrowing : SpanTable::Filling::kOnce),
      level_(start.level) {}

void RunIndex::take(const RunRows& rows) {
    while (taken_ < rows.size()) {
        const std::uint64_t first = rows.first_index() + taken_;
        const Columns columns = rows.columns_from(first);
        for (std::size_t i = 0; i < columns.rows;) {
            open_block(columns.ticks[i]);
            std::size_t end = i + 1;
            if (is_common(columns.codes[i])) {
                const std::size_t space = std::min<std::size_t>(kBlockEvents - taken_ % kBlockEvents, columns.rows - i);
                while (end < i + space && is_common(columns.codes[end])) ++end;
                take_common(columns, i, end, first + i);
            } else {
                take_one({columns.ticks[i], columns.values[i], columns.threads[i], columns.codes[i]}, first + i);
            }
            taken_ += end - i;
            i = end;
            close_block();
        }
    }
}

void RunIndex::open_block(std::uint64_t tick) {
    SLA_CHECK(tick >= last_tick_);
    if (taken_ == 0) last_tick_ = tick;
    if (taken_ % kBlockEvents != 0) return;
    const std::uint64_t high = level_ == Level::kHigh ? high_ + (tick - last_tick_) : high_;
    blocks_.push_back({tick, high, level_});
}

void RunIndex::close_block() {
    if (taken_ % kBlockEvents != 0) return;
    if (!has_infinite_block_ && open_infinite_range_.any) {
        has_infinite_block_ = true;
        for (std::size_t i = 0; i < ranges_.size(); ++i) finite_ranges_.append(ranges_.leaf(i));
    }
    if (has_infinite_block_) finite_ranges_.append(open_range_);
    open_range_.absorb(open_infinite_range_);
    ranges_.append(open_range_);
    open_range_ = open_infinite_range_ = {};
}

void RunIndex::take_one(const Event& event, std::uint64_t index) {
    longest_pause_ = std::max(longest_pause_, event.tick - last_tick_);
    const Kind kind = event.kind();
    kinds_ |= kind_bit(kind);
    if (level_ == Level::kHigh) high_ += event.tick - last_tick_;
    level_ = level_after(level_, event.code, event.value);
    if (kind == Kind::kLevel) widen(event.code, &event.value, &event.value + 1);
    if (kind == Kind::kGap) spans_.gap(index, event.tick, event.thread);
    last_tick_ = event.tick;
}

void RunIndex::take_common(const Columns& columns, std::size_t begin, std::size_t end, std::uint64_t index) {
    const std::uint64_t* ticks = columns.ticks;
    bool ordered = true;
    std::uint64_t longest = ticks[begin] - last_tick_;
    for (std::size_t i = begin + 1; i < end; ++i) {
        ordered &= ticks[i] >= ticks[i - 1];
        longest = std::max(longest, ticks[i] - ticks[i - 1]);
    }
    SLA_CHECK(ordered);
    longest_pause_ = std::max(longest_pause_, longest);
    bool has_spans = false;
    for (std::size_t i = begin; i < end;) {
        const std::uint8_t code = columns.codes[i];
        const std::size_t first = i;
        while (++i < end && columns.codes[i] == code) {
        }
        kinds_ |= kind_bit(wire::kind_of(code));
        has_spans |= is_of_span(code);
        if (wire::has_value(code)) widen(code, columns.values + first, columns.values + i);
    }
    if (has_spans) match_spans(columns, begin, end, index);
    if (level_ == Level::kHigh) high_ += ticks[end - 1] - last_tick_;
    last_tick_ = ticks[end - 1];
}

void RunIndex::match_spans(const Columns& columns, std::size_t begin, std::size_t end, std::uint64_t index) {
    for (std::size_t i = begin; i < end; ++i, ++index) {
        const Kind kind = wire::kind_of(columns.codes[i]);
        if (kind == Kind::kBegin) spans_.begin(index, columns.ticks[i], columns.threads[i]);
        if (kind == Kind::kEnd) spans_.end(index, columns.ticks[i], columns.threads[i]);
    }
}

// Integers are compared as such: rounded to double they keep their order.
void RunIndex::widen(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end) {
    if (code != SLA_CODE_LEVEL) has_values_ = true;
    if (wire::value_type_of(code) == wire::ValueType::kFloat) return widen_by_floats(begin, end);
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

// What is no number has no place on an axis.
void RunIndex::widen_by_floats(const std::uint64_t* begin, const std::uint64_t* end) {
    for (; begin != end; ++begin) {
        const double number = wire::as_double(*begin);
        if (std::isfinite(number))
            open_range_.absorb({number, number, true});
        else if (number == number)
            open_infinite_range_.absorb({number, number, true});
    }
}

ValueRange RunIndex::range_of(const RunRows& rows, std::uint64_t first, std::uint64_t last) const {
    return range_over(rows, first, last, ranges_, [](double number) { return number == number; });
}

ValueRange RunIndex::finite_range_of(const RunRows& rows, std::uint64_t first, std::uint64_t last) const {
    return range_over(rows, first, last, has_infinite_block_ ? finite_ranges_ : ranges_,
                      [](double number) { return std::isfinite(number); });
}

template <typename Takes>
ValueRange RunIndex::range_over(const RunRows& rows, std::uint64_t first, std::uint64_t last,
                                const SegmentForest<ValueRange>& blocks, Takes takes) const {
    ValueRange total;
    if (!has_values_ && (kinds_ & kind_bit(wire::Kind::kLevel)) == 0) return total;
    const auto scan = [&](std::uint64_t begin, std::uint64_t end) {
        while (begin < end) {
            const Columns columns = rows.columns_from(begin);
            const std::size_t count = std::min<std::uint64_t>(columns.rows, end - begin);
            for (std::size_t i = 0; i < count; ++i) {
                if (columns.codes[i] == SLA_CODE_GAP || !wire::has_value(columns.codes[i])) continue;
                const double number = Event{0, columns.values[i], 0, columns.codes[i]}.number();
                if (takes(number)) total.absorb({number, number, true});
            }
            begin += count;
        }
    };
    const std::uint64_t base = rows.first_index();
    const std::uint64_t first_block = (first - base + kBlockEvents - 1) / kBlockEvents;
    const std::uint64_t last_block = (last - base) / kBlockEvents;
    if (first_block >= last_block) {
        scan(first, last);
        return total;
    }
    scan(first, base + first_block * kBlockEvents);
    total.absorb(blocks.query(first_block, last_block));
    scan(base + last_block * kBlockEvents, last);
    return total;
}

LevelState RunIndex::level_behind(const RunRows& rows, std::uint64_t behind, std::uint64_t wanted) const {
    const std::uint64_t base = rows.first_index();
    const std::uint64_t number = (behind - 1 - base) / kBlockEvents;
    const Block& block = blocks_[number];
    LevelState state{block.level_before, block.high_before};
    std::uint64_t at = block.first_tick;
    const std::uint64_t first = base + number * kBlockEvents;
    const Columns columns = rows.columns_from(first);  // a block lies in one chunk
    for (std::size_t i = 0; i < behind - first; ++i) {
        if (state.level == Level::kHigh) state.high += columns.ticks[i] - at;
        at = columns.ticks[i];
        state.level = level_after(state.level, columns.codes[i], columns.values[i]);
    }
    if (state.level == Level::kHigh) state.high += wanted - at;
    return state;
}

std::uint64_t RunIndex::memory_bytes() const {
    return blocks_.capacity() * (sizeof(Block) + sizeof(ValueRange)) + finite_ranges_.size() * sizeof(ValueRange) +
           spans_.memory_bytes();
}

std::uint64_t RunIndex::bytes_for(const RunStart& start) {
    return start.rows / kBlockEvents * (sizeof(Block) + sizeof(ValueRange)) +
           SpanTable::bytes_for(start.open.size(), start.begins);
}

}  // namespace sla::store
