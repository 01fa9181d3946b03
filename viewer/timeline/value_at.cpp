#include "viewer/timeline/value_at.h"

#include "viewer/timeline/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace sla::timeline {

namespace {

std::string span_text(const store::Lane& lane, std::uint64_t tick) {
    std::string text;
    std::uint64_t begin = 0;
    lane.spans().visit_overlapping(tick, tick + 1, 0, [&](std::uint64_t, const store::Span& span) {
        if (span.begin_tick <= tick && span.end_tick >= tick && span.begin_tick >= begin) {
            begin = span.begin_tick;
            text = value_text(lane[span.begin_index]);
            if (text.empty()) text = "open";
        }
        return true;
    });
    return text;
}

}  // namespace

std::string number_text(double number) {
    return std::isnan(number) ? "nan" : fmt::format("{:.6g}", number);
}

std::string value_text(const store::Event& event) {
    switch (wire::value_type_of(event.code)) {
        case wire::ValueType::kNone: return {};
        case wire::ValueType::kSigned: return fmt::format("{}", std::bit_cast<std::int64_t>(event.value));
        case wire::ValueType::kUnsigned: return fmt::format("{}", event.value);
        case wire::ValueType::kFloat: return number_text(wire::as_double(event.value));
    }
    return {};
}

std::string value_at(const store::Lane& lane, std::uint64_t tick, std::uint64_t known_until) {
    if (tick > std::max(known_until, lane.last_tick())) return {};
    if (!lane.is_here(tick, tick)) return "…";
    const std::uint64_t after = lane.upper_bound(tick);
    if (after == 0) return {};
    const store::Event last = lane[after - 1];
    if (last.kind() == wire::Kind::kGap) return "?";
    if (lane.has_levels()) {
        switch (lane.level_at(tick)) {
            case store::Level::kUnknown: return "?";
            case store::Level::kLow: return "0";
            case store::Level::kHigh: return "1";
        }
    }
    if (!lane.spans().empty()) return span_text(lane, tick);
    if (last.kind() == wire::Kind::kText) return lane.text(after - 1);
    return value_text(last);
}

}  // namespace sla::timeline
