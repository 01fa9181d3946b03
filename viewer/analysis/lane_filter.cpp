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

}  // namespace

LaneFilter::LaneFilter(const EventFilter& filter, const store::Session& session, const store::Lane& lane)
    : filter_(filter), session_(session), lane_(lane), answer_(fold(filter.nodes().size() - 1)) {
    if (answer_ == Answer::kAskEach && is_stretch(filter.nodes().back())) {
        answer_ = Answer::kInRange;
        set_range(filter.nodes().back());
    }
}

LaneFilter::Answer LaneFilter::fold(std::size_t at) const {
    const Node& node = filter_.nodes()[at];
    switch (node.what) {
        case Node::What::kAnd:
        case Node::What::kOr: {
            const Answer stops = node.what == Node::What::kAnd ? Answer::kNever : Answer::kAlways;
            const Answer left = fold(node.left);
            const Answer right = fold(node.right);
            if (left == stops || right == stops) return stops;
            return left == right ? left : Answer::kAskEach;
        }
        case Node::What::kNot: {
            const Answer inside = fold(node.left);
            if (inside == Answer::kAskEach) return inside;
            return inside == Answer::kNever ? Answer::kAlways : Answer::kNever;
        }
        case Node::What::kCondition: break;
    }
    // Names are the same for every row of the lane.
    if (node.field == Field::kChannel || node.field == Field::kSource) {
        return filter_.node_matches(node, session_, {&lane_, 0, 0}, {}) ? Answer::kAlways : Answer::kNever;
    }
    if (node.field == Field::kKind && !lane_.has(node.kind)) {
        return node.compare == Compare::kEqual ? Answer::kNever : Answer::kAlways;
    }
    return Answer::kAskEach;
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

std::uint64_t LaneFilter::next(std::uint64_t from, std::uint64_t until) const {
    switch (answer_) {
        case Answer::kNever: return until;
        case Answer::kAlways: return from;
        case Answer::kInRange: return next_in_range(from, until);
        case Answer::kAskEach: break;
    }
    while (from < until && !filter_.matches(session_, {&lane_, from, lane_.tick(from)})) ++from;
    return from;
}

}  // namespace sla::analysis
