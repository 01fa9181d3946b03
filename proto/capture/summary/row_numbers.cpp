#include "proto/capture/summary/row_numbers.h"

#include "proto/wire/missing_rows.h"

namespace sla::capture {

bool RowNumbers::go_on(std::uint32_t channel, std::uint64_t first_index) const {
    const auto known = lanes_.find(channel);
    return known == lanes_.end() || (known->second.shift == 0 && known->second.next == first_index);
}

void RowNumbers::take(std::uint32_t channel, std::uint64_t first_index, std::uint64_t rows) {
    Lane& lane = lanes_[channel];
    lane.next = first_index + rows;
    lane.explained = 0;
}

std::uint64_t RowNumbers::close_holes(wire::EventBatch& batch) {
    const auto [known, is_new] = lanes_.try_emplace(batch.channel.value);
    Lane& lane = known->second;
    const std::uint64_t first = batch.first_index;
    if (!is_new && first > lane.next && first - lane.next <= wire::explained_at_begin(batch, lane.explained))
        lane.shift += first - lane.next;
    lane.next = first + batch.size();
    lane.explained = wire::explained_at_end(batch);
    if (lane.shift > first) lane.shift = 0;  // numbers that began anew
    batch.first_index -= lane.shift;
    return lane.shift;
}

void RowNumbers::rest(std::uint32_t channel) {
    const auto known = lanes_.find(channel);
    if (known != lanes_.end() && known->second.shift == 0 && known->second.explained == 0) lanes_.erase(known);
}

}  // namespace sla::capture
