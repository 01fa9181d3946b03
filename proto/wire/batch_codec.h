// EventBatch <-> wire::Batch. Data from outside is checked in every respect: a Batch that decodes is a valid EventBatch.
//
//   ticks    varint( tick[i] - tick[i-1] ), from first_tick; never negative
//   codes    ( byte code, varint run )*        runs add up to count
//   threads  ( varint thread, varint run )*    runs add up to count
//   values   per event that has one: integers varint(zigzag(value - previous integer)), floats 8 bytes little-endian
//   extras   positions rise strictly; text is UTF-8; cause and until_tick on gaps only, until_tick 0 or not before the gap
//
// Varints are little-endian groups of seven bits in their shortest form. Differences wrap at 2^64. The previous integer of
// the first one is 0.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/event.h"

#include <cstdint>

namespace sla::wire {

class Batch;

inline constexpr std::uint32_t kMaxBatchEvents = 65536;
inline constexpr std::size_t kMaxTextBytes = std::size_t{64} << 10;

// No encoded batch is longer; whoever collects events closes the batch before this passes kMaxFrameBytes. Without extras
// even kMaxBatchEvents stay below it. Constant time but for the extras.
std::size_t encoded_bound(const EventBatch& batch);

// `batch` must be valid, not empty and at most kMaxBatchEvents long (checked). Levels become 0 or 1; texts become UTF-8 of
// at most kMaxTextBytes. Reuses the memory of `out`; 1 to 4 ns an event of regular ticks and
// values, or of spans by turns; 12 with random values from several threads (tests/bench/drain_bench, linux_pages_bench).
void encode_batch(const EventBatch& batch, Batch& out);

// Replaces `out`. An error says which column is wrong; `out` is then unspecified.
Result<void> decode_batch(const Batch& in, EventBatch& out);

}  // namespace sla::wire
