// Gap rows, and which of them explain why the ordinals of their channel jump: what they stand for has been somewhere, but not in this
// stream.
#pragma once

#include "proto/wire/event.h"

#include <cstdint>

namespace sla::wire {

// A loss row alone: so many events between the two ticks, 0 when nobody knows.
EventBatch gap_row(ChannelId channel, LossCause cause, std::uint64_t lost, std::uint64_t tick, std::uint64_t until_tick);
// Of rows that somebody chose not to keep: it ends behind its own tick, since an end there means one that nobody knows.
EventBatch left_out_row(ChannelId channel, std::uint64_t tick, std::uint64_t until_tick);

constexpr bool explains_missing_rows(LossCause cause) {
    return cause == LossCause::kLagged || cause == LossCause::kNotKept;
}

// So many ordinals may be missing behind the batch's last row, as its last rows say. A gap row that does not know how
// many explains any number.
std::uint64_t explained_at_end(const EventBatch& batch);
// The same before its first row, beside what the batch before explained at its end.
std::uint64_t explained_at_begin(const EventBatch& batch, std::uint64_t before);

}  // namespace sla::wire
