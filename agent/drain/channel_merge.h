// The runs of one channel, merged in tick order up to the watermark.
//
// Equal ticks: the run that is older in the channel goes first. With one run a plain append; with k runs each piece
// costs a look at k fronts and one bulk append. Where pieces are a few rows only, blocks of rows are merged (block_merge.h).
#pragma once

#include "agent/drain/channel.h"
#include "proto/wire/event.h"

#include <cstdint>

namespace sla::drain {

// Moves at most `space` events with a tick <= watermark to the end of `out`. True when none of them is left waiting;
// only then the channel counts as closed up to the watermark. Drops runs that have ended and are empty.
bool merge_up_to(std::uint64_t watermark, std::size_t space, DrainedChannel& channel, wire::EventBatch& out);

}  // namespace sla::drain
