// Part of a batch.
#pragma once

#include "proto/wire/event.h"

#include <cstddef>
#include <cstdint>

namespace sla::wire {

// The rows at these places, [begin, end), with all they carry. `first_index` is that of the first of them.
EventBatch rows_at(const EventBatch& batch, std::size_t begin, std::size_t end);

// The rows with a tick in [from, until].
EventBatch rows_between(const EventBatch& batch, std::uint64_t from, std::uint64_t until);

// Of gap rows before `tick` whose losses last until then or longer, a row each at `tick`: nobody knows how many of them lie behind
// it, so its value is 0. For a part of a stream that begins there.
EventBatch losses_across(const EventBatch& batch, std::uint64_t tick);

}  // namespace sla::wire
