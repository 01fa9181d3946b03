// The columns of a batch message into those of an EventBatch, which have the right length already; every byte is checked.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/event.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sla::wire {

class Batch;

Error bad_column(const Batch& in, std::string_view column, std::string_view why);

// Where a run of `length` from `position` ends, 0 when that is nowhere in [0, count].
inline std::size_t run_end(std::size_t position, std::uint64_t length, std::size_t count) {
    return length == 0 || length > count - position ? 0 : position + static_cast<std::size_t>(length);
}

// Before any memory is taken for them.
Result<void> check_varint_size(const Batch& in);
Result<void> check_packed_size(const Batch& in);
Result<void> decode_varint_columns(const Batch& in, EventBatch& out);
Result<void> decode_packed_columns(const Batch& in, EventBatch& out);

}  // namespace sla::wire
