// EventBatch <-> wire::Batch. Data from outside is checked in every respect: a Batch that decodes is a valid EventBatch.
//
//   ticks    varint( tick[i] - tick[i-1] ), from first_tick; never negative
//   codes    ( byte code, varint run )*        runs add up to count
//   threads  ( varint thread, varint run )*    runs add up to count
//   values   per event that has one: integers varint(zigzag(value - previous integer)), floats 8 bytes little-endian
#pragma once

#include "proto/base/result.h"
#include "proto/wire/event.h"

#include <cstdint>

namespace sla::wire {

class Batch;

inline constexpr std::uint32_t kMaxBatchEvents = 65536;

// `batch` must be valid, not empty and at most kMaxBatchEvents long (checked).
void encode_batch(const EventBatch& batch, Batch& out);

// Replaces `out`. An error says which column is wrong; `out` is then unspecified.
Result<void> decode_batch(const Batch& in, EventBatch& out);

}  // namespace sla::wire
