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

}  // namespace sla::wire
