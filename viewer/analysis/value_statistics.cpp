#include "viewer/analysis/value_statistics.h"

#include "viewer/analysis/chunk_walk.h"
#include "viewer/analysis/intervals/interval_walks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sla::analysis {

namespace {

// Exact: its 64 bits of mantissa hold every whole number there is, and every double.
long double exact(const Number& number) {
    switch (wire::value_type_of(number.code)) {
        case wire::ValueType::kSigned: return static_cast<std::int64_t>(number.bits);
        case wire::ValueType::kFloat: return wire::as_double(number.bits);
        default: return number.bits;
    }
}

// One lane while its values are collected.
struct ValueWalk {
    ValueWalk(const store::Lane& of, const Selection& range)
        : lane(&of),
          until(range.until),
          at(of.lower_bound(range.from)),
          inside(range.until == store::kNever ? of.size() : of.least_before(range.until)) {}

    void pass(const store::Page& /*page*/, const IntervalSums& /*sums*/) {}  // which have no values
    void go_on(std::uint64_t row, std::uint64_t /*span*/) {
        if (row > inside) row = std::min(row, lane->lower_bound(until, at));
        values.add(*lane, at, row);
        at = std::max(at, row);
    }

    const store::Lane* lane;
    std::uint64_t until;
    std::uint64_t at;
    std::uint64_t inside;  // rows below this one are not behind the range
    ValueCounts values;
};

}  // namespace

void ValueCounts::add(std::uint8_t code, std::uint64_t value) {
    if (wire::value_type_of(code) == wire::ValueType::kFloat) {
        const double number = wire::as_double(value);
        if (std::isnan(number)) {
            ++not_numbers_;
            return;
        }
        reals_.push_back(number);
        is_sorted_ = false;
    } else if (wire::value_type_of(code) == wire::ValueType::kSigned && static_cast<std::int64_t>(value) < 0) {
        below_.push_back(~value);
    } else {
        above_.push_back(value);
    }
}

void ValueCounts::add(const store::Lane& lane, std::uint64_t first, std::uint64_t last) {
    while (first < last) {
        const store::Columns rows = lane.columns_from(first);
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(rows.rows, last - first));
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t code = rows.codes[i];
            const bool counts = wire::has_value(code) && code != SLA_CODE_LEVEL && code != SLA_CODE_GAP;
            if (counts) add(code, rows.values[i]);
            if (code == SLA_CODE_GAP && lane.gap_at(first + i) == nullptr) ++unreadable_;
        }
        first += count;
    }
}

Number ValueCounts::whole_at_rank(std::uint64_t rank) const {
    if (rank <= below_.size()) return {SLA_CODE_VALUE_SIGNED, ~below_.at_rank(below_.size() - rank + 1)};
    return {SLA_CODE_VALUE_UNSIGNED, above_.at_rank(rank - below_.size())};
}

// Of the first so many, how many are reals: the least number that leaves no whole number there above the next real.
Number ValueCounts::at_rank(std::uint64_t rank) const {
    if (!std::exchange(is_sorted_, true)) std::sort(reals_.begin(), reals_.end());
    const std::uint64_t whole = below_.size() + above_.size();
    std::uint64_t least = rank > whole ? rank - whole : 0;
    std::uint64_t most = std::min<std::uint64_t>(rank, reals_.size());
    while (least < most) {
        const std::uint64_t middle = least + (most - least) / 2;
        if (exact(whole_at_rank(rank - middle)) <= reals_[middle]) {
            most = middle;
        } else {
            least = middle + 1;
        }
    }
    const bool has_real = least > 0;
    const Number real{SLA_CODE_VALUE_FLOAT, has_real ? wire::as_bits(reals_[least - 1]) : 0};
    if (least == rank) return real;
    const Number last = whole_at_rank(rank - least);
    return has_real && exact(real) > exact(last) ? real : last;
}

template <typename Visit>
void ValueCounts::each(Visit visit) const {
    below_.each_unsorted([&](std::uint64_t number, std::uint64_t count) {
        visit(-1 - static_cast<long double>(number), static_cast<long double>(count));
    });
    above_.each_unsorted([&](std::uint64_t number, std::uint64_t count) {
        visit(static_cast<long double>(number), static_cast<long double>(count));
    });
    for (const double number : reals_) visit(static_cast<long double>(number), 1.0L);
}

long double ValueCounts::mean() const {
    long double sum = 0;
    each([&](long double number, long double count) { sum += number * count; });
    return sum / static_cast<long double>(size());
}

long double ValueCounts::deviation() const {
    const long double middle = mean();
    long double sum = 0;
    each([&](long double number, long double count) { sum += (number - middle) * (number - middle) * count; });
    return std::sqrt(sum / static_cast<long double>(size()));
}

namespace {

std::optional<double> if_number(long double number) {
    if (std::isnan(number)) return std::nullopt;
    return static_cast<double>(number);
}

}  // namespace

ValueStatistics statistics_of(const ValueCounts& values) {
    ValueStatistics numbers;
    numbers.count = values.size();
    numbers.not_numbers = values.not_numbers();
    if (numbers.count == 0) return numbers;
    const auto of_thousand = [&](std::uint64_t share) {
        return values.at_rank(std::max<std::uint64_t>((numbers.count * share + 999) / 1000, 1));
    };
    numbers.min = values.at_rank(1);
    numbers.p50 = of_thousand(500);
    numbers.p90 = of_thousand(900);
    numbers.p99 = of_thousand(990);
    numbers.p999 = of_thousand(999);
    numbers.max = values.at_rank(numbers.count);
    numbers.mean = if_number(values.mean());
    numbers.stddev = if_number(values.deviation());
    return numbers;
}

std::vector<ValueStatisticsRow> value_statistics(const store::Session& session, const Selection& selection,
                                                 const std::function<bool(double)>& progress) {
    std::vector<const store::Lane*> lanes;
    for (const store::Lane* lane : selection.lanes) {
        if (lane->has_values()) lanes.push_back(lane);
    }
    const Selection with_values = with_lanes(selection, std::move(lanes));
    const ChunkPlan plan(session, with_values, false);
    std::vector<ValueWalk> walks;
    for (const store::Lane* lane : with_values.lanes) walks.emplace_back(*lane, with_values);
    walk_chunks(plan, walks, progress);
    std::vector<ValueStatisticsRow> rows;
    for (const ValueWalk& walk : walks) {
        rows.push_back({walk.lane->channel().name, statistics_of(walk.values), walk.lane});
        rows.back().numbers.lost = lost_in(*walk.lane, with_values) + walk.values.unreadable();
    }
    return rows;
}

}  // namespace sla::analysis
