#include "viewer/analysis/lane_filter.h"

#include <algorithm>

namespace sla::analysis {

namespace {

using Node = EventFilter::Node;
using Field = EventFilter::Field;
using Compare = EventFilter::Compare;

__int128 clamped(__int128 number, __int128 low, __int128 high) {
    return std::clamp(number, low, high);
}

// A single comparison of integers that is one stretch of them.
bool is_stretch(const Node& node) {
    if (node.what != Node::What::kCondition || node.field != Field::kValue || !node.low.is_integer) return false;
    if (node.compare == Compare::kInside) return node.high.is_integer;
    return node.compare != Compare::kNotEqual && node.compare != Compare::kGlob;
}

// No value within the range meets the condition. Numbers round to double in order, so equal ones may differ, others may not.
bool lies_outside(const Node& node, const store::ValueRange& values) {
    if (node.compare == Compare::kNotEqual || node.compare == Compare::kGlob) return false;
    if (!values.any) return true;
    const auto real = [](const EventFilter::Number& number) {
        return number.is_integer ? static_cast<double>(number.integer) : number.real;
    };
    const double low = real(node.low);
    const bool is_below = values.max < low;
    const bool is_above = values.min > (node.compare == Compare::kInside ? real(node.high) : low);
    switch (node.compare) {
        case Compare::kLess:
        case Compare::kLessEqual: return is_above;
        case Compare::kGreater:
        case Compare::kGreaterEqual: return is_below;
        default: return is_below || is_above;
    }
}

}  // namespace

LaneFilter::LaneFilter(const EventFilter& filter, const store::Session& session, const store::Lane& lane)
    : filter_(filter), session_(session), lane_(lane), answer_(fold(filter.nodes().size() - 1, nullptr)) {
    if (answer_ == Answer::kAskEach && is_stretch(filter.nodes().back())) {
        answer_ = Answer::kInRange;
        set_range(filter.nodes().back());
    }
}

LaneFilter::Answer LaneFilter::fold(std::size_t at, const store::Page* page) const {
    const Node& node = filter_.nodes()[at];
    switch (node.what) {
        case Node::What::kAnd:
        case Node::What::kOr: {
            const Answer stops = node.what == Node::What::kAnd ? Answer::kNever : Answer::kAlways;
            const Answer left = fold(node.left, page);
            const Answer right = fold(node.right, page);
            if (left == stops || right == stops) return stops;
            return left == right ? left : Answer::kAskEach;
        }
        case Node::What::kNot: {
            const Answer inside = fold(node.left, page);
            if (inside == Answer::kAskEach) return inside;
            return inside == Answer::kNever ? Answer::kAlways : Answer::kNever;
        }
        case Node::What::kCondition: break;
    }
    // Names are the same for every row of the lane.
    if (node.field == Field::kChannel || node.field == Field::kSource) {
        return filter_.node_matches(node, session_, {&lane_, 0, 0}, {}) ? Answer::kAlways : Answer::kNever;
    }
    const bool has_kind = page == nullptr ? lane_.has(node.kind) : (page->kinds & store::kind_bit(node.kind)) != 0;
    if (node.field == Field::kKind && !has_kind) {
        return node.compare == Compare::kEqual ? Answer::kNever : Answer::kAlways;
    }
    const bool is_outside =
        page != nullptr && node.field == Field::kValue && page->gaps == 0 && lies_outside(node, page->values);
    return is_outside ? Answer::kNever : Answer::kAskEach;
}

void LaneFilter::set_range(const Node& node) {
    constexpr __int128 kBelowAll = std::numeric_limits<std::int64_t>::min();
    constexpr __int128 kAboveAll = std::numeric_limits<std::uint64_t>::max();
    __int128 low = kBelowAll;
    __int128 high = kAboveAll;
    switch (node.compare) {
        case Compare::kEqual: low = high = node.low.integer; break;
        case Compare::kLess: high = node.low.integer - 1; break;
        case Compare::kLessEqual: high = node.low.integer; break;
        case Compare::kGreater: low = node.low.integer + 1; break;
        case Compare::kGreaterEqual: low = node.low.integer; break;
        case Compare::kInside:
            low = node.low.integer;
            high = node.high.integer;
            break;
        case Compare::kNotEqual:
        case Compare::kGlob: break;
    }
    if (low > high) return;
    constexpr __int128 kMost = std::numeric_limits<std::int64_t>::max();
    if (low <= kMost && high >= kBelowAll) {
        signed_low_ = static_cast<std::int64_t>(clamped(low, kBelowAll, kMost));
        signed_high_ = static_cast<std::int64_t>(clamped(high, kBelowAll, kMost));
    }
    if (high >= 0 && low <= kAboveAll) {
        unsigned_low_ = static_cast<std::uint64_t>(clamped(low, 0, kAboveAll));
        unsigned_high_ = static_cast<std::uint64_t>(clamped(high, 0, kAboveAll));
    }
}

std::uint64_t LaneFilter::next_in_range(std::uint64_t from, std::uint64_t until) const {
    while (from < until) {
        const store::Columns columns = lane_.columns_from(from);
        const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(columns.rows, until - from));
        for (std::size_t i = 0; i < rows; ++i) {
            bool hit = false;
            switch (wire::value_type_of(columns.codes[i])) {
                case wire::ValueType::kNone: break;
                case wire::ValueType::kSigned: {
                    const auto value = static_cast<std::int64_t>(columns.values[i]);
                    hit = value >= signed_low_ && value <= signed_high_;
                    break;
                }
                case wire::ValueType::kUnsigned:
                    hit = columns.values[i] >= unsigned_low_ && columns.values[i] <= unsigned_high_;
                    break;
                case wire::ValueType::kFloat: hit = filter_.matches(session_, {&lane_, from + i, columns.ticks[i]}); break;
            }
            if (hit) return from + i;
        }
        from += rows;
    }
    return until;
}

std::uint64_t LaneFilter::next_of_each(std::uint64_t from, std::uint64_t until) const {
    while (from < until && !filter_.matches(session_, {&lane_, from, lane_.tick(from)})) ++from;
    return from;
}

void LaneFilter::look_at_page(std::uint64_t index) const {
    page_answer_ = Answer::kAskEach;
    page_first_ = index;
    page_end_ = store::kNever;
    if (index >= lane_.tail().first_index()) return;
    const store::Page& page = lane_.pages()->pages()[lane_.pages()->page_of(index)];
    page_answer_ = fold(filter_.nodes().size() - 1, &page);
    page_first_ = page.first;
    page_end_ = page.end();
}

std::uint64_t LaneFilter::next_possible(std::uint64_t from, std::uint64_t until) const {
    if (answer_ == Answer::kNever) return until;
    while (from < until) {
        if (from < page_first_ || from >= page_end_) look_at_page(from);
        if (page_answer_ != Answer::kNever) return from;
        from = std::min(until, page_end_);
    }
    return until;
}

std::uint64_t LaneFilter::next(std::uint64_t from, std::uint64_t until) const {
    if (answer_ == Answer::kNever) return until;
    if (answer_ == Answer::kAlways) return from;
    while (from < until) {
        if (from < page_first_ || from >= page_end_) look_at_page(from);
        if (page_answer_ == Answer::kAlways) return from;
        const std::uint64_t end = std::min(until, page_end_);
        if (page_answer_ == Answer::kAskEach) {
            from = answer_ == Answer::kInRange ? next_in_range(from, end) : next_of_each(from, end);
            if (from < end) return from;
        }
        from = end;
    }
    return until;
}

}  // namespace sla::analysis
