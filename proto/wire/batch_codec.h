// EventBatch <-> wire::Batch. Data from outside is checked in every respect: a Batch that decodes is a valid EventBatch.
//
// Packed columns, which are written (encoding 1; blocks as packed_column.h draws them; 2 where an event has details or a text):
//
//   packed_ticks    blocks of all ticks but the first, which is first_tick; they never go back
//   packed_codes    form u8, then  0: ( code u8, run varint )*, runs add up to count
//                                  1: two codes, by turns
//                                  2: (count + 1) / 2 bytes, byte i holds code i and above it code (count + 1) / 2 + i, or 0
//   packed_threads  form u8, then  0: ( thread varint, run varint )*, runs add up to count
//                                  1: the first as varint, blocks of the others; each below 2^32
//   packed_values   of the events whose code has one: the first as varint(zigzag), blocks of the others; nothing when there
//                   is none. A floating-point number is the 64 bits of an IEEE double
//   packed_detail0, packed_detail1, packed_texts   as extra_columns.h draws them; encoding 2 only
//   extras          positions rise strictly; text is UTF-8; cause and until_tick on gaps only, until_tick 0 or not before
//                   the gap; of encodings 0 and 1 texts and detail words as well
//
// Columns of varints, which are still read (encoding 0; streams and files of before):
//
//   ticks    varint( tick[i] - tick[i-1] ), from first_tick; never negative
//   codes    ( byte code, varint run )*        runs add up to count
//   threads  ( varint thread, varint run )*    runs add up to count
//   values   per event that has one: integers varint(zigzag(value - previous integer)), floats 8 bytes little-endian
//
// Varints are little-endian groups of seven bits in their shortest form; zigzag turns 0 -1 1 -2 ... into 0 1 2 3 ... .
// Differences wrap at 2^64. The previous integer of the first one is 0.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/event.h"

#include <cstdint>

namespace sla::wire {

class Batch;

inline constexpr std::uint32_t kMaxBatchEvents = 65536;
inline constexpr std::size_t kMaxTextBytes = std::size_t{64} << 10;

// No encoded batch is longer; whoever collects events closes the batch before this passes kMaxFrameBytes. Without extras
// even kMaxBatchEvents stay below it. Constant time but for the texts.
std::size_t encoded_bound(const EventBatch& batch);

// `batch` must be valid, not empty and at most kMaxBatchEvents long (checked). Levels become 0 or 1; texts become UTF-8 of
// at most kMaxTextBytes. Reuses the memory of `out`; 1.5 to 3 ns an event of any pattern of ticks with
// integers, 5 with 64 random bits (tests/bench/agent_bench, linux_pages_bench).
void encode_batch(const EventBatch& batch, Batch& out);

// Replaces `out`. An error says which column is wrong; `out` is then unspecified.
Result<void> decode_batch(const Batch& in, EventBatch& out);

}  // namespace sla::wire
