#include "viewer/formats/vcd/vcd_read_lane.h"

#include <utility>

namespace sla::formats {

Result<void> VcdReadLane::put(std::uint64_t tick, std::uint8_t code, std::uint64_t value) {
    return sink_->put(channel_, {tick, code, value, 0});
}

Result<void> VcdReadLane::flush() {
    const auto tick = std::exchange(waiting_tick_, std::nullopt);
    return tick ? put(*tick, SLA_CODE_TICK) : Result<void>();
}

Result<void> VcdReadLane::take(const VcdPart& part, const VcdChange& change) {
    const bool value_of_tick = part.meaning == VcdMeaning::kNumber && part.code == SLA_CODE_TICK_VALUE;
    if (!value_of_tick) {
        if (auto flushed = flush(); !flushed.ok()) return flushed;
    }
    switch (part.meaning) {
        case VcdMeaning::kTick: waiting_tick_ = change.tick; return {};
        case VcdMeaning::kNumber: return take_number(part.code, change);
        case VcdMeaning::kSpan: return take_span(change);
        case VcdMeaning::kLevel: return put(change.tick, SLA_CODE_LEVEL, change.value);
        case VcdMeaning::kText: {
            wire::RowExtra extra;
            extra.text = change.text;
            return sink_->put(channel_, {change.tick, SLA_CODE_TEXT, 0, 0}, std::move(extra));
        }
        case VcdMeaning::kLost: return put(change.tick, SLA_CODE_GAP, change.value);
        case VcdMeaning::kAny: return take_any(part, change);
    }
    return {};
}

Result<void> VcdReadLane::take_number(std::uint8_t code, const VcdChange& change) {
    if (code == SLA_CODE_BEGIN_VALUE || code == SLA_CODE_END_VALUE) {
        waiting_value_ = change.value;
        return {};
    }
    if (!wire::has_value(code)) return damaged("a variable stands for events that have no value");
    waiting_tick_.reset();
    return put(change.tick, code, change.value);
}

Result<void> VcdReadLane::take_span(const VcdChange& change) {
    const bool begins = change.value > open_;
    open_ = change.value;
    const auto value = std::exchange(waiting_value_, std::nullopt);
    const auto code = static_cast<std::uint8_t>(begins ? (value ? SLA_CODE_BEGIN_VALUE : SLA_CODE_BEGIN)
                                                       : (value ? SLA_CODE_END_VALUE : SLA_CODE_END));
    return put(change.tick, code, value.value_or(0));
}

Result<void> VcdReadLane::take_any(const VcdPart& part, const VcdChange& change) {
    if (change.form == 's') {
        wire::RowExtra extra;
        extra.text = change.text;
        return sink_->put(channel_, {change.tick, SLA_CODE_TEXT, 0, 0}, std::move(extra));
    }
    if (part.is_event) return put(change.tick, SLA_CODE_TICK);
    if (change.form == 'r') return put(change.tick, SLA_CODE_VALUE_FLOAT, change.value);
    if (part.size == 1) return put(change.tick, SLA_CODE_LEVEL, change.value);
    return put(change.tick, part.is_signed ? SLA_CODE_VALUE_SIGNED : SLA_CODE_VALUE_UNSIGNED, change.value);
}

}  // namespace sla::formats
