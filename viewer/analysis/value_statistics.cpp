#include "viewer/analysis/value_statistics.h"

#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/values/value_passes.h"
#include "viewer/analysis/values/value_walk.h"

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
    unreadable_ += each_number(lane, first, last, [this](std::uint8_t code, std::uint64_t value) { add(code, value); });
}

void ValueCounts::sort_reals() const {
    if (std::exchange(is_sorted_, true)) return;
    std::sort(reals_.begin(), reals_.end());
    const auto [zero, end] = std::equal_range(reals_.begin(), reals_.end(), 0.0);
    std::partition(zero, end, [](double number) { return std::signbit(number); });
}

Number ValueCounts::whole_at_rank(std::uint64_t rank) const {
    if (rank <= below_.size()) return {SLA_CODE_VALUE_SIGNED, ~below_.at_rank(below_.size() - rank + 1)};
    return {SLA_CODE_VALUE_UNSIGNED, above_.at_rank(rank - below_.size())};
}

// Of the first so many, how many are reals: the least number that leaves no whole number there above the next real.
Number ValueCounts::at_rank(std::uint64_t rank) const {
    sort_reals();
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

ExactSums ValueCounts::sums() const {
    ExactSums sums;
    below_.each_unsorted([&](std::uint64_t number, std::uint64_t count) { sums.add_wholes(true, number + 1, count); });
    above_.each_unsorted([&](std::uint64_t number, std::uint64_t count) { sums.add_wholes(false, number, count); });
    for (const double number : reals_) sums.add_real(number);
    return sums;
}

namespace {

std::optional<double> if_number(long double number) {
    if (std::isnan(number)) return std::nullopt;
    return static_cast<double>(number);
}

}  // namespace

void ValueStatistics::set_mean(const ExactSums& sums) {
    mean = if_number(sums.mean());
    stddev = if_number(sums.deviation());
}

ValueStatistics statistics_of(const ValueCounts& values) {
    ValueStatistics numbers;
    numbers.count = values.size();
    numbers.not_numbers = values.not_numbers();
    if (numbers.count == 0) return numbers;
    const auto of_thousand = [&](std::uint64_t share) { return values.at_rank(rank_of_thousand(numbers.count, share)); };
    numbers.min = values.at_rank(1);
    numbers.p50 = of_thousand(500);
    numbers.p90 = of_thousand(900);
    numbers.p99 = of_thousand(990);
    numbers.p999 = of_thousand(999);
    numbers.max = values.at_rank(numbers.count);
    numbers.set_mean(values.sums());
    return numbers;
}

namespace {

// At most.
std::uint64_t events_in(const Selection& selection) {
    std::uint64_t events = 0;
    for (const store::Lane* lane : selection.lanes)
        events += lane->most_before(selection.until) - lane->least_before(selection.from);
    return events;
}

std::vector<ValueStatistics> statistics_from_lists(const store::Session& session, const Selection& selection,
                                                   const std::function<bool(double)>& progress) {
    const ChunkPlan plan(session, selection, false);
    std::vector<ValueWalk<ValueCounts>> walks;
    for (const store::Lane* lane : selection.lanes) walks.emplace_back(*lane, selection, ValueCounts());
    walk_chunks(plan, walks, progress);
    std::vector<ValueStatistics> all;
    for (const auto& walk : walks) {
        all.push_back(statistics_of(walk.values));
        all.back().lost = walk.unreadable;
    }
    return all;
}

}  // namespace

std::vector<ValueStatisticsRow> value_statistics(const store::Session& session, const Selection& selection,
                                                 const std::function<bool(double)>& progress, const ValueRoom& room) {
    std::vector<const store::Lane*> lanes;
    for (const store::Lane* lane : selection.lanes) {
        if (lane->has_values()) lanes.push_back(lane);
    }
    const Selection with_values = with_lanes(from_begin(session, selection), std::move(lanes));
    std::vector<ValueStatistics> all = events_in(with_values) <= room.listed
                                           ? statistics_from_lists(session, with_values, progress)
                                           : statistics_in_passes(session, with_values, room, progress);
    std::vector<ValueStatisticsRow> rows;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const store::Lane* const lane = with_values.lanes[i];
        all[i].lost += lost_in(*lane, with_values);
        rows.push_back({lane->channel().name, all[i], lane});
    }
    return rows;
}

}  // namespace sla::analysis
