// Slots of a ring as columns of a run, and the parts of a single slot.
#pragma once

#include "agent/drain/run.h"
#include "proto/ring/ring_reader.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace sla::drain {

// All bits when a value belongs to the code, else none. code < 16.
std::uint64_t value_mask(std::uint8_t code);

// All of an extent in one branch-free pass, checked afterwards: gives the last tick; 0 when a slot is not plain, or a
// tick is below the one before it or below `not_before`.
std::uint64_t decode_contiguous(const ring::ContiguousSlots& extent, std::uint64_t not_before, const Run::Columns& to);

// The same of wide slots; their details go to their columns. `used`: whether any has such a word.
std::uint64_t decode_wide(const ring::ContiguousSlots& extent, std::uint64_t not_before, const Run::Columns& to,
                          std::array<bool, 2>& used);

// The same of slots of texts, which are attached to the last `extent.count` events of the run: a program that is not honest may
// change a word meanwhile, so each is looked at once.
std::uint64_t decode_texts(const ring::ContiguousSlots& extent, std::uint64_t not_before, const Run::Columns& to, Run& run);

std::string_view text_of(const std::uint64_t* slot);

}  // namespace sla::drain
