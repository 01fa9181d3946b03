// Statistics over the numbers that events carry (values; of ticks, begins and ends those they have): every number counts, and
// all are exact. Whole numbers stay whole, also where a double would round them; levels and losses are no numbers.
//
//   p50 p90 p99 p999   nearest rank, as of intervals
//   mean, stddev       of all numbers (divided by n), from sums that are not rounded; none where infinite ones leave none
//   not_numbers        NaN, which counts nowhere else
//
// Memory: of up to 8 M events whole numbers from -65536 to 65535 are counted, and others take 8 bytes each (ValueCounts). Of
// more the same statistics are found in several passes, in 128 MiB (ValueRoom) and a page a lane (values/value_passes.h).
#pragma once

#include "viewer/analysis/intervals/width_counts.h"
#include "viewer/analysis/selection.h"
#include "viewer/analysis/values/exact_sums.h"
#include "viewer/analysis/values/number_key.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sla::analysis {

class ValueCounts {
public:
    // Of an event whose code has a value.
    void add(std::uint8_t code, std::uint64_t value);
    // Of those among a lane's rows [first, last) that have one.
    void add(const store::Lane& lane, std::uint64_t first, std::uint64_t last);

    [[nodiscard]] std::uint64_t size() const { return below_.size() + above_.size() + reals_.size(); }
    [[nodiscard]] std::uint64_t not_numbers() const { return not_numbers_; }
    // Rows of add() that cannot be read: they are in no table of losses.
    [[nodiscard]] std::uint64_t unreadable() const { return unreadable_; }
    // The smallest that so many (1 to size()) do not exceed.
    [[nodiscard]] Number at_rank(std::uint64_t rank) const;
    [[nodiscard]] ExactSums sums() const;

private:
    [[nodiscard]] Number whole_at_rank(std::uint64_t rank) const;
    void sort_reals() const;  // -0 before 0

    WidthCounts below_;  // of -1, -2, ...: 0, 1, ...
    WidthCounts above_;  // the whole numbers from 0 on
    mutable std::vector<double> reals_;
    mutable bool is_sorted_ = true;
    std::uint64_t not_numbers_ = 0;
    std::uint64_t unreadable_ = 0;
};

struct ValueStatistics {
    std::uint64_t count = 0;  // when 0, the numbers below are not there
    std::uint64_t lost = 0;   // events of the channel
    std::uint64_t not_numbers = 0;
    Number min, p50, p90, p99, p999, max;
    std::optional<double> mean;    // infinite where a number is; of both infinities there is none
    std::optional<double> stddev;  // of infinite ones there is none

    void set_mean(const ExactSums& sums);
};
// Nearest rank (from 1) of so many thousandths of so many.
constexpr std::uint64_t rank_of_thousand(std::uint64_t count, std::uint64_t share) {
    const std::uint64_t rank = (count * share + 999) / 1000;
    return rank == 0 ? 1 : rank;
}
ValueStatistics statistics_of(const ValueCounts& values);

// One line of `sla stats --values`.
struct ValueStatisticsRow {
    std::string channel;
    ValueStatistics numbers;
    const store::Lane* lane = nullptr;  // as long as its session lives
};

// What value_statistics may take.
struct ValueRoom {
    std::uint64_t listed = std::uint64_t{8} << 20;  // events, up to which all numbers are kept
    std::size_t keys = std::size_t{4} << 20;        // of more so many in samples, 16 bytes each
    std::size_t counted_lanes = 64;                 // and of so many lanes small whole numbers counted, 1 MiB each
};

// Of every lane of the selection that has a number anywhere. `progress` (may be empty) receives 0..1; false stops.
std::vector<ValueStatisticsRow> value_statistics(const store::Session& session, const Selection& selection,
                                                 const std::function<bool(double)>& progress = {},
                                                 const ValueRoom& room = {});

}  // namespace sla::analysis
