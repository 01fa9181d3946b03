#include "viewer/analysis/value_follower.h"

#include "viewer/analysis/intervals/loss_reach.h"

#include <algorithm>
#include <utility>

namespace sla::analysis {

void ValueFollower::go_on(const FinalRows& rows) {
    followed_.take(rows);
    for (std::size_t i = followed_.first_new(); i < followed_.all().size(); ++i) {
        const FollowedLane& lane = followed_.all()[i];
        if (channels_.empty() || lane.is_called_any_of(channels_)) lanes_.push_back({&lane, {}, 0});
    }
    for (Counted& one : lanes_) {
        if (one.of->lane == nullptr) continue;
        one.values.add(*one.of->lane, one.of->row, one.of->end);
        one.lost += lost_among(*one.of->lane, one.of->row, one.of->end);
    }
    followed_.pass();
}

std::vector<ValueStatisticsRow> ValueFollower::take_rows() {
    std::vector<ValueStatisticsRow> rows;
    for (Counted& one : lanes_) {
        const ValueCounts values = std::exchange(one.values, {});
        const std::uint64_t lost = std::exchange(one.lost, 0);
        if (one.of->lane == nullptr || !one.of->lane->has_values()) continue;
        ValueStatisticsRow row{one.of->channel, statistics_of(values), one.of->lane};
        row.numbers.lost = lost;
        const bool has_nothing = row.numbers.count == 0 && row.numbers.not_numbers == 0 && row.numbers.lost == 0;
        if (!one.of->is_past() || !has_nothing) rows.push_back(std::move(row));
    }
    std::sort(rows.begin(), rows.end(), [](const ValueStatisticsRow& a, const ValueStatisticsRow& b) {
        return a.lane->channel().id < b.lane->channel().id;
    });
    return rows;
}

}  // namespace sla::analysis
