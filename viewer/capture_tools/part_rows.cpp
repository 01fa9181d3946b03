#include "viewer/capture_tools/part_rows.h"

#include "proto/wire/missing_rows.h"

#include <algorithm>

namespace sla::capture_tools {

namespace {

using Lane = capture::CaptureIndex::Lane;

// Rows are missing between the lane's summary at `at` and the one before: a file, or a chunk of which nothing is known.
bool is_behind_hole(const Lane& lane, std::size_t at) {
    if (at == 0 || at >= lane.summaries.size()) return false;
    const capture::LaneSummary before = lane.summaries[at - 1];
    const std::uint64_t end = before.first_index + before.rows;
    const std::uint64_t next = lane.summaries[at].first_index;
    return end < next && std::none_of(lane.gaps.begin(), lane.gaps.end(), [&](const capture::GapRow& gap) {
               return wire::explains_missing_rows(gap.cause) && (gap.index + 1 == end || gap.index == next);
           });
}

}  // namespace

std::set<std::uint32_t> PartRows::chunks() const {
    std::set<std::uint32_t> numbers;
    for (const Lane& lane : index_.lanes()) {
        if (!wanted_.contains(lane.channel)) continue;
        for (std::size_t i = lane.lower_bound(from_); i < lane.summaries.size(); ++i) {
            if (lane.summaries[i].first_tick >= until_) break;
            numbers.insert(lane.chunk_numbers[i]);
        }
    }
    return numbers;
}

// Of channels whose first or last chunk of the part cannot be read the index has the rows.
void PartRows::begin(RowSender& sender) const {
    for (const Lane& lane : index_.lanes()) {
        const std::size_t first = lane.lower_bound(from_);
        if (!wanted_.contains(lane.channel) || first == lane.summaries.size()) continue;
        if (is_behind_hole(lane, first)) {
            const capture::LaneSummary before = lane.summaries[first - 1];
            sender.begin_at(lane.channel, before.first_index + before.rows, before.last_tick);
        } else {
            sender.begin_at(lane.channel, lane.summaries[first].first_index, lane.summaries[first].first_tick);
        }
    }
}

Result<void> PartRows::end_lane(const Lane& lane, RowSender& sender) const {
    const std::size_t first = lane.lower_bound(from_);
    std::size_t end = first;
    while (end < lane.summaries.size() && lane.summaries[end].first_tick < until_) ++end;
    if (end > first) {
        const capture::LaneSummary last = lane.summaries[end - 1];
        Result<void> sent = sender.end_before(lane.channel, last.first_index + last.rows, last.last_tick);
        if (!sent) return sent;
    }
    if (!is_behind_hole(lane, end)) return {};
    const capture::LaneSummary next = lane.summaries[end];
    return sender.end_before(lane.channel, next.first_index, next.first_tick);
}

Result<void> PartRows::end(RowSender& sender) const {
    for (const Lane& lane : index_.lanes()) {
        if (!wanted_.contains(lane.channel)) continue;
        if (Result<void> sent = end_lane(lane, sender); !sent) return sent;
    }
    for (const capture::Damage& damage : index_.damage()) {
        if (damage.chunk || !damage.has_more) continue;
        for (const capture::LostRows& lost : damage.lost) {
            for (const capture::GapRow& loss : lost.losses) {
                if (!wanted_.contains(loss.channel)) continue;
                if (Result<void> sent = sender.send_loss(loss); !sent) return sent;
            }
        }
    }
    return {};
}

}  // namespace sla::capture_tools
