#include "agent/drain/channel_merge.h"

#include "agent/drain/block_merge.h"

#include <algorithm>
#include <limits>

namespace sla::drain {
namespace {

constexpr std::uint64_t kNoTick = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kShort = 6;  // rows of a piece: one by itself costs what so many do in a block
constexpr std::int32_t kManyShort = 4;
constexpr std::int32_t kRest = 16;  // more of them, after a block that did not come about

struct Fronts {
    Run* first = nullptr;            // has the earliest event
    std::uint64_t others = kNoTick;  // earliest tick of all other runs
    bool first_wins_ties = true;     // the run of `others` is younger than `first`
};

Fronts look_at_fronts(const DrainedChannel& channel) {
    Fronts fronts;
    for (const auto& run : channel.runs) {
        if (run->empty()) continue;
        if (!fronts.first) {
            fronts.first = run.get();
        } else if (run->front_tick() < fronts.first->front_tick()) {
            fronts.others = fronts.first->front_tick();
            fronts.first = run.get();
            fronts.first_wins_ties = false;
        } else if (run->front_tick() < fronts.others) {
            fronts.others = run->front_tick();
            fronts.first_wins_ties = true;
        }
    }
    return fronts;
}

// None: pieces have to do for a while.
std::size_t merge_rows_by_turns(std::uint64_t watermark, std::size_t space, DrainedChannel& channel, wire::EventBatch& out) {
    const MergedBlock block = merge_block(watermark, space, channel, out);
    if (block.rows == 0) channel.short_pieces = -kRest;
    if (block.rows > kShort * block.pieces) channel.short_pieces = 0;
    return block.rows;
}

}  // namespace

bool merge_up_to(std::uint64_t watermark, std::size_t space, DrainedChannel& channel, wire::EventBatch& out) {
    if (channel.own_limit && watermark < SLA_TICK_MASK) watermark = *channel.own_limit;
    if (channel.catch_up_limit && watermark < SLA_TICK_MASK) watermark = std::min(watermark, *channel.catch_up_limit);
    for (;;) {
        Fronts fronts = look_at_fronts(channel);
        if (!fronts.first || fronts.first->front_tick() > watermark) break;
        if (space == 0) return false;
        if (channel.short_pieces >= kManyShort) {
            const std::size_t rows = merge_rows_by_turns(watermark, space, channel, out);
            space -= rows;
            if (rows > 0) continue;
        }
        std::uint64_t until = fronts.first_wins_ties ? fronts.others : fronts.others - 1;
        std::size_t count = std::min(space, fronts.first->count_up_to(std::min(until, watermark)));
        fronts.first->give(count, out);
        if (fronts.others != kNoTick) channel.short_pieces = count < kShort ? channel.short_pieces + 1 : 0;
        space -= count;
    }
    std::erase_if(channel.runs, [](const auto& run) { return run.use_count() == 1 && run->empty(); });
    channel.closed = std::max(channel.closed, watermark);
    return true;
}

}  // namespace sla::drain
