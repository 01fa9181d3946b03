#include "viewer/analysis/values/rank_search.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sla::analysis {

namespace {

// So many standard deviations of a sample's ranks, and some keys for small ones: once in 10,000 it is not enough.
constexpr double kDeviations = 4;
constexpr double kMoreKeys = 8;

}  // namespace

KeyBounds likely_bounds(std::span<const WeightedKey> keys, double rank, const KeyBounds& within) {
    double so_far = 0;
    double sampled_below = 0;
    double sampled = 0;
    double heaviest = 0;
    for (const WeightedKey& each : keys) {
        if (each.is_sampled) {
            heaviest = std::max(heaviest, each.weight);
            ++sampled;
            if (so_far < rank) ++sampled_below;
        }
        so_far += each.weight;
    }
    const double all = so_far;
    const double slack = heaviest * (kDeviations * std::sqrt(std::min(sampled_below, sampled - sampled_below)) + kMoreKeys);
    KeyBounds bounds = within;
    NumberKey middle = keys.empty() ? within.from : value_of(keys.back().key);
    so_far = 0;
    for (const WeightedKey& each : keys) {
        const double with_it = so_far + each.weight;
        const auto holds = [&](double wanted) { return so_far < wanted && wanted <= with_it; };
        if (holds(rank - slack)) bounds.from = value_of(each.key);
        if (holds(rank)) middle = value_of(each.key);
        if (rank + slack <= all && holds(rank + slack)) bounds.to = value_of(each.key);
        so_far = with_it;
    }
    // Of a few keys that say nothing, the middle one parts what is between the bounds.
    if (bounds.from == within.from && bounds.to == within.to) bounds = {middle, middle};
    return bounds;
}

void RankSearch::go_to(const KeyBounds& bounds) {
    bounds_ = bounds;
    width_ = begin_of(bounds.to) - begin_of(bounds.from);
}

void RankSearch::begin(std::size_t most) {
    below_ = 0;
    from_ = {};
    to_ = {};
    between_ = KeySample(most);
}

void RankSearch::add_near(NumberKey key) {
    const NumberKey value = value_of(key);
    if (value < bounds_.from) {
        // Where the first bits are the same, add() has not counted it.
        ++below_;
    } else if (value == bounds_.from) {
        from_.add(key);
    } else if (value < bounds_.to) {
        between_.add(key);
    } else if (value == bounds_.to) {
        to_.add(key);
    }
}

std::optional<NumberKey> RankSearch::end() {
    const std::uint64_t up_to_from = below_ + from_.count;
    const std::uint64_t up_to_between = up_to_from + between_.added();
    if (rank_ > below_ && rank_ <= up_to_from) return from_.of(bounds_.from);
    if (rank_ > up_to_between && rank_ <= up_to_between + to_.count) return to_.of(bounds_.to);
    const bool is_between = rank_ > up_to_from && rank_ <= up_to_between;
    if (is_between && between_.has_all()) return found_between(rank_ - up_to_from);
    if (rank_ <= below_) {
        sure_.to = bounds_.from - 2;
    } else if (!is_between) {
        sure_.from = bounds_.to + 2;
    } else {
        sure_ = {bounds_.from + 2, bounds_.to - 2};
    }
    // Only of a file whose rows cannot be read any more.
    if (sure_.from > sure_.to) return from_.of(bounds_.from);
    go_to(is_between ? bounds_between(rank_ - up_to_from) : sure_);
    return std::nullopt;
}

NumberKey RankSearch::found_between(std::uint64_t rank) {
    std::vector<NumberKey> keys = between_.take();
    const auto at = keys.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(keys.begin(), at, keys.end());
    const NumberKey whole = *at & ~NumberKey{1};
    return std::find(keys.begin(), at, whole) == at ? *at : whole;
}

KeyBounds RankSearch::bounds_between(std::uint64_t rank) {
    const double weight = between_.weight();
    std::vector<NumberKey> keys = between_.take();
    std::sort(keys.begin(), keys.end());
    std::vector<WeightedKey> weighted;
    weighted.reserve(keys.size());
    for (const NumberKey key : keys) weighted.push_back({key, weight, true});
    return likely_bounds(weighted, static_cast<double>(rank), sure_);
}

}  // namespace sla::analysis
