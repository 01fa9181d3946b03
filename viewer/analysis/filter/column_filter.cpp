#include "viewer/analysis/filter/column_filter.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace sla::analysis {

namespace {

using Node = EventFilter::Node;
using Field = EventFilter::Field;
using Number = EventFilter::Number;
using wire::ValueType;

constexpr __int128 kMinSigned = std::numeric_limits<std::int64_t>::min();
constexpr __int128 kMaxSigned = std::numeric_limits<std::int64_t>::max();
constexpr __int128 kMaxUnsigned = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

// The integers that match: from `low` to `high`.
struct Bounds {
    __int128 low = kMinSigned;
    __int128 high = kMaxUnsigned;
};

// The greatest integer at or below a number, the least at or above it; beyond all of 64 bits it does not matter how far.
__int128 whole(const Number& number, double (*rounded)(double)) {
    if (number.is_integer) return number.integer;
    constexpr double kBeyond = 0x1p80;
    return static_cast<__int128>(std::clamp(rounded(number.real), -kBeyond, kBeyond));
}
__int128 at_or_below(const Number& number) {
    return whole(number, [](double real) { return std::floor(real); });
}
__int128 at_or_above(const Number& number) {
    return whole(number, [](double real) { return std::ceil(real); });
}

// Of != those that are equal. No number: none.
Bounds bounds_of(const Node& node) {
    constexpr Bounds kNone{1, 0};
    const auto is_number = [](const Number& number) { return number.is_integer || !std::isnan(number.real); };
    if (!is_number(node.low) || (node.compare == EventFilter::Compare::kInside && !is_number(node.high))) return kNone;
    Bounds bounds;
    switch (node.compare) {
        case EventFilter::Compare::kEqual:
        case EventFilter::Compare::kNotEqual: bounds = {at_or_above(node.low), at_or_below(node.low)}; break;
        case EventFilter::Compare::kLess: bounds.high = at_or_above(node.low) - 1; break;
        case EventFilter::Compare::kLessEqual: bounds.high = at_or_below(node.low); break;
        case EventFilter::Compare::kGreater: bounds.low = at_or_below(node.low) + 1; break;
        case EventFilter::Compare::kGreaterEqual: bounds.low = at_or_above(node.low); break;
        case EventFilter::Compare::kInside: bounds = {at_or_above(node.low), at_or_below(node.high)}; break;
        case EventFilter::Compare::kGlob: return kNone;
    }
    return bounds;
}

template <typename Matches>
void each(std::size_t rows, ColumnFilter::Hits& hits, Matches matches) {
    for (std::size_t i = 0; i < rows; ++i) hits[i] = static_cast<std::uint8_t>(matches(i));
}

bool is_one_code(const store::Columns& columns) {
    return std::memcmp(columns.codes, columns.codes + 1, columns.rows - 1) == 0;
}

}  // namespace

ColumnFilter::ColumnFilter(const EventFilter& filter, const store::Session& session, const store::Lane& lane)
    : filter_(&filter), session_(&session), lane_(&lane) {
    for (const Node& node : filter.nodes()) {
        conditions_.push_back(condition_of(node));
        needs_texts_ |= conditions_.back().what == Condition::What::kText;
    }
}

ColumnFilter::Condition ColumnFilter::condition_of(const Node& node) const {
    using What = Condition::What;
    Condition condition;
    condition.turned_round = node.what == Node::What::kCondition && node.compare == EventFilter::Compare::kNotEqual;
    switch (node.what) {
        case Node::What::kAnd: condition.what = What::kAnd; return condition;
        case Node::What::kOr: condition.what = What::kOr; return condition;
        case Node::What::kNot: condition.what = What::kNot; return condition;
        case Node::What::kCondition: break;
    }
    const auto set = [](NumberRange& range, const Bounds& bounds, __int128 least, __int128 most, std::uint64_t turned) {
        const __int128 low = std::max(bounds.low, least);
        const __int128 high = std::min(bounds.high, most);
        range = {low <= high, turned, static_cast<std::uint64_t>(low) ^ turned, static_cast<std::uint64_t>(high - low)};
    };
    switch (node.field) {
        case Field::kChannel:
        case Field::kSource:  // the same for every row of the lane
            condition.what = filter_->node_matches(node, *session_, {lane_, 0, 0}, {}) ? What::kAlways : What::kNever;
            break;
        case Field::kKind:
            condition.what = What::kCode;
            for (std::size_t code = 0; code < condition.codes.size(); ++code) {
                condition.codes[code] =
                    (wire::kind_of(static_cast<std::uint8_t>(code)) == node.kind) != condition.turned_round;
            }
            break;
        case Field::kValue:
        case Field::kTick:
            condition.what = node.field == Field::kTick ? What::kTick : What::kValue;
            set(condition.of_signed, bounds_of(node), kMinSigned, kMaxSigned, kSignBit);
            set(condition.of_unsigned, bounds_of(node), 0, kMaxUnsigned, 0);
            break;
        case Field::kThread: condition.what = What::kThread; break;
        case Field::kText: condition.what = What::kText; break;
    }
    return condition;
}

bool ColumnFilter::thread_matches(const Node& node, Condition& condition, std::uint32_t thread) const {
    const auto known = condition.threads.find(thread);
    if (known != condition.threads.end()) return known->second;
    const store::Event event{0, 0, thread, 0};
    return condition.threads[thread] = filter_->node_matches(node, *session_, {lane_, 0, 0}, event);
}

void ColumnFilter::match_values(const Node& node, const Condition& condition, const Rows& rows, Hits& hits) const {
    const store::Columns& columns = rows.columns;
    const bool turned_round = condition.turned_round;
    const auto slowly = [&](std::size_t i) {
        const store::Event event{columns.ticks[i], columns.values[i], columns.threads[i], columns.codes[i]};
        return filter_->node_matches(node, *session_, {lane_, rows.first + i, event.tick}, event);
    };
    const auto within = [&](const NumberRange& range, std::size_t i) {
        return range.holds(columns.values[i]) != turned_round;
    };
    if (is_one_code(columns)) {
        switch (wire::value_type_of(columns.codes[0])) {
            case ValueType::kNone: return each(columns.rows, hits, [](std::size_t) { return false; });
            case ValueType::kFloat: return each(columns.rows, hits, slowly);
            case ValueType::kSigned:
                return each(columns.rows, hits, [&](std::size_t i) { return within(condition.of_signed, i); });
            case ValueType::kUnsigned:
                return each(columns.rows, hits, [&](std::size_t i) { return within(condition.of_unsigned, i); });
        }
    }
    each(columns.rows, hits, [&](std::size_t i) {
        switch (wire::value_type_of(columns.codes[i])) {
            case ValueType::kNone: return false;
            case ValueType::kFloat: return slowly(i);
            case ValueType::kSigned: return within(condition.of_signed, i);
            case ValueType::kUnsigned: return within(condition.of_unsigned, i);
        }
        return false;
    });
}

// `wanted`: the rows whose answer counts; null: all. Only looking at texts is dear enough to ask.
void ColumnFilter::match_node(std::size_t at, const Rows& rows, const std::uint8_t* wanted, Hits& hits) {
    using What = Condition::What;
    const Node& node = filter_->nodes()[at];
    Condition& condition = conditions_[at];
    const store::Columns& columns = rows.columns;
    const std::size_t count = columns.rows;
    switch (condition.what) {
        case What::kAlways: return each(count, hits, [](std::size_t) { return true; });
        case What::kNever: return each(count, hits, [](std::size_t) { return false; });
        case What::kCode: return each(count, hits, [&](std::size_t i) { return condition.codes[columns.codes[i]]; });
        case What::kTick:
            return each(count, hits, [&](std::size_t i) {
                return condition.of_unsigned.holds(columns.ticks[i]) != condition.turned_round;
            });
        case What::kValue: return match_values(node, condition, rows, hits);
        case What::kThread:
            return each(count, hits, [&](std::size_t i) {
                if (i > 0 && columns.threads[i] == columns.threads[i - 1]) return hits[i - 1] != 0;
                return thread_matches(node, condition, columns.threads[i]);
            });
        case What::kText:
            return each(count, hits, [&](std::size_t i) {
                return (wanted == nullptr || wanted[i] != 0) &&
                       filter_->node_matches(node, *session_, {lane_, rows.first + i, columns.ticks[i]}, {});
            });
        case What::kNot:
            match_node(node.left, rows, wanted, hits);
            return each(count, hits, [&](std::size_t i) { return hits[i] == 0; });
        case What::kAnd:
        case What::kOr: break;
    }
    const bool is_and = condition.what == What::kAnd;
    match_node(node.left, rows, wanted, hits);
    Hits open;  // the rows for which the left side does not settle it
    each(count, open, [&](std::size_t i) { return (hits[i] != 0) == is_and && (wanted == nullptr || wanted[i] != 0); });
    if (std::memchr(open.data(), 1, count) == nullptr) return;
    Hits right;
    match_node(node.right, rows, open.data(), right);
    each(count, hits, [&](std::size_t i) { return open[i] != 0 ? right[i] : hits[i]; });
}

void ColumnFilter::match(const store::Columns& rows, std::uint64_t first, Hits& hits) {
    SLA_CHECK(rows.rows > 0 && rows.rows <= kBlock);
    match_node(conditions_.size() - 1, {rows, first}, nullptr, hits);
}

}  // namespace sla::analysis
