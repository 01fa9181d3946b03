#include "viewer/analysis/values/number_tally.h"

#include <algorithm>
#include <cmath>

namespace sla::analysis {

namespace {

constexpr auto kSmallest = -static_cast<std::int64_t>(NumberTally::kCountedEachSide);
constexpr NumberKey kSmallestKey = key_of_whole(true, NumberTally::kCountedEachSide);
constexpr NumberKey kGreatestSmallKey = key_of_whole(false, NumberTally::kCountedEachSide - 1);

bool is_small(NumberKey key) {
    return is_whole(key) && key >= kSmallestKey && key <= kGreatestSmallKey;
}
std::int64_t small_number(NumberKey key) {
    return static_cast<std::int64_t>(number_of(key).bits);
}
NumberKey key_of_small(std::int64_t number) {
    return key_of_whole(number < 0, static_cast<std::uint64_t>(number < 0 ? -number : number));
}

}  // namespace

void NumberTally::add(std::uint8_t code, std::uint64_t value) {
    const wire::ValueType type = wire::value_type_of(code);
    if (type == wire::ValueType::kFloat) {
        const double number = wire::as_double(value);
        if (std::isnan(number)) {
            ++not_numbers_;
            return;
        }
        sums_.add_real(number);
        keep(key_of_real(number));
        return;
    }
    const auto number = static_cast<std::int64_t>(value);
    const bool is_negative = type == wire::ValueType::kSigned && number < 0;
    if ((is_negative || number >= 0) && is_counted(number)) {
        ++counts_[static_cast<std::uint64_t>(number) + kCountedEachSide];
        return;
    }
    const std::uint64_t absolute = is_negative ? std::uint64_t{0} - value : value;
    sums_.add_whole(is_negative, absolute);
    has_zero_ = has_zero_ || absolute == 0;
    keep(key_of_whole(is_negative, absolute));
}

void NumberTally::keep(NumberKey key) {
    least_ = std::min(least_, key);
    greatest_ = std::max(greatest_, key ^ 1);
    sample_.add(key);
    if (sample_.is_full() && counts_.empty() && room_->counted_lanes > 0) start_counting();
}

// All numbers so far are in the sample.
void NumberTally::start_counting() {
    const std::vector<NumberKey>& keys = sample_.keys();
    const auto small = static_cast<std::size_t>(std::count_if(keys.begin(), keys.end(), is_small));
    if (small < keys.size() / 2) return;
    --room_->counted_lanes;
    counts_.assign(2 * kCountedEachSide, 0);
    sums_ = {};
    sample_.take_out([this](NumberKey key) {
        if (is_small(key)) {
            ++counts_[static_cast<std::size_t>(small_number(key) - kSmallest)];
            return true;
        }
        const Number number = number_of(key);
        if (!is_whole(key)) {
            sums_.add_real(wire::as_double(number.bits));
        } else {
            const bool is_negative = number.code == SLA_CODE_VALUE_SIGNED;
            sums_.add_whole(is_negative, is_negative ? std::uint64_t{0} - number.bits : number.bits);
        }
        return false;
    });
}

void NumberTally::end() {
    const double weight = sample_.weight();
    const bool is_sampled = !sample_.has_all();
    for (const NumberKey key : sample_.take()) sorted_.push_back({key, weight, is_sampled});
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (counts_[i] == 0) continue;
        const std::int64_t number = static_cast<std::int64_t>(i) + kSmallest;
        const NumberKey key = key_of_small(number);
        sorted_.push_back({key, static_cast<double>(counts_[i]), false});
        sums_.add_wholes(number < 0, static_cast<std::uint64_t>(number < 0 ? -number : number), counts_[i]);
        least_ = std::min(least_, key);
        greatest_ = std::max(greatest_, key ^ 1);
        has_zero_ = has_zero_ || number == 0;
    }
    counts_ = {};
    std::sort(sorted_.begin(), sorted_.end(), [](const WeightedKey& a, const WeightedKey& b) { return a.key < b.key; });
}

std::optional<NumberKey> NumberTally::at_rank(std::uint64_t rank) const {
    if (!sample_.has_all()) return std::nullopt;
    double left = static_cast<double>(rank);
    NumberKey last = 0;
    for (const WeightedKey& each : sorted_) {
        const bool equals_last = value_of(each.key) == value_of(last);
        if (!equals_last) last = each.key;  // of equal ones the first, which is whole when any is
        left -= each.weight;
        if (left <= 0) break;
    }
    return last;
}

RankSearch NumberTally::search_for(std::uint64_t rank) const {
    const KeyBounds all = {value_of(least()), value_of(greatest())};
    return {rank, likely_bounds(sorted_, static_cast<double>(rank), all), all};
}

}  // namespace sla::analysis
