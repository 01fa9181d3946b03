// Part of a batch.
#pragma once

#include "proto/wire/event.h"

#include <cstdint>

namespace sla::wire {

// The rows with a tick in [from, until], with their extras. `first_index` is that of the first of them.
EventBatch rows_between(const EventBatch& batch, std::uint64_t from, std::uint64_t until);

}  // namespace sla::wire
