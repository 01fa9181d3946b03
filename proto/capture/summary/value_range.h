// The least and the greatest of values, as numbers of an axis. For files that are compiled with -O3: its loops become vectors.
#pragma once

#include "proto/capture/summary/width_block.h"
#include "proto/wire/event.h"

#include <algorithm>
#include <limits>

namespace sla::capture {

struct ValueRange {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    [[nodiscard]] bool empty() const { return !(least <= most); }
};

// What is no number has no place on an axis: it is neither less nor greater than any.
inline ValueRange range_of_floats(const std::uint64_t* begin, const std::uint64_t* end) {
    constexpr std::size_t kLanes = 4;
    double low[kLanes];
    double high[kLanes];
    std::fill(low, low + kLanes, ValueRange().least);
    std::fill(high, high + kLanes, ValueRange().most);
    const auto take = [&](std::size_t lane, std::uint64_t bits) {
        const double number = wire::as_double(bits);
        low[lane] = number < low[lane] ? number : low[lane];
        high[lane] = number > high[lane] ? number : high[lane];
    };
    for (; end - begin >= static_cast<std::ptrdiff_t>(kLanes); begin += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) take(lane, begin[lane]);
    }
    for (; begin != end; ++begin) take(0, *begin);
    return {*std::min_element(low, low + kLanes), *std::max_element(high, high + kLanes)};
}

// Of rows of one code, at least one.
inline ValueRange range_of_values(std::uint8_t code, const std::uint64_t* begin, const std::uint64_t* end) {
    switch (wire::value_type_of(code)) {
        case wire::ValueType::kNone: break;
        case wire::ValueType::kSigned: {
            const SignedRange range = range_of(begin, end);
            return {static_cast<double>(range.least), static_cast<double>(range.most)};
        }
        case wire::ValueType::kUnsigned: {
            const auto [low, high] = std::minmax_element(begin, end);
            return {static_cast<double>(*low), static_cast<double>(*high)};
        }
        case wire::ValueType::kFloat: return range_of_floats(begin, end);
    }
    return {};
}

// Of begins and ends by turns, with the codes of the first two.
inline ValueRange range_of_turns(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    const std::uint64_t* const first = batch.values.data() + begin;
    const std::uint64_t* const last = batch.values.data() + end;
    const bool has_first = wire::has_value(batch.codes[begin]);
    const bool has_second = wire::has_value(batch.codes[begin + 1]);
    if (!has_first && !has_second) return {};
    const SignedRange range =
        has_first && has_second ? range_of(first, last) : range_of_every_other(first + (has_first ? 0 : 1), last);
    return {static_cast<double>(range.least), static_cast<double>(range.most)};
}

// Of begins and ends, at least one, some of which have none.
inline ValueRange range_of_pairs(const wire::EventBatch& batch, std::size_t begin, std::size_t end) {
    const auto has_one = [&](std::size_t row) {
        return batch.codes[row] == SLA_CODE_BEGIN_VALUE || batch.codes[row] == SLA_CODE_END_VALUE;
    };
    std::size_t count = 0;
    for (std::size_t row = begin; row < end; ++row) count += has_one(row) ? 1 : 0;
    if (count == 0) return {};
    SignedRange range{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
    if (count == end - begin) {
        range = range_of(batch.values.data() + begin, batch.values.data() + end);
    } else {
        for (std::size_t row = begin; row < end; ++row) {
            const auto value = static_cast<std::int64_t>(batch.values[row]);
            range.least = has_one(row) && value < range.least ? value : range.least;
            range.most = has_one(row) && value > range.most ? value : range.most;
        }
    }
    return {static_cast<double>(range.least), static_cast<double>(range.most)};
}

}  // namespace sla::capture
