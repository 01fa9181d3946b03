#include "proto/capture/summary/summary_blocks.h"

#include "proto/base/check.h"

#include <algorithm>
#include <utility>

namespace sla::capture {

void SummaryBlocks::append(SummaryColumns&& block) {
    SLA_CHECK(!block.empty());
    ends_.push_back(size() + block.size());
    blocks_.push_back(std::move(block));
}

void SummaryBlocks::append(SummaryBlocks&& behind) {
    for (SummaryColumns& block : behind.blocks_) append(std::move(block));
    behind = {};
}

std::size_t SummaryBlocks::block_of(std::size_t at) const {
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), at) - ends_.begin());
}

void SummaryBlocks::set(std::size_t at, const LaneSummary& summary) {
    const std::size_t block = block_of(at);
    blocks_[block].set(at - begin_of(block), summary);
}

LaneSummary SummaryBlocks::operator[](std::size_t at) const {
    const std::size_t block = block_of(at);
    return blocks_[block][at - begin_of(block)];
}

std::size_t SummaryBlocks::first_until(std::uint64_t tick) const {
    const auto reaching = std::partition_point(
        blocks_.begin(), blocks_.end(), [tick](const SummaryColumns& block) { return block.back().last_tick < tick; });
    if (reaching == blocks_.end()) return size();
    return begin_of(static_cast<std::size_t>(reaching - blocks_.begin())) + reaching->first_until(tick);
}

}  // namespace sla::capture
