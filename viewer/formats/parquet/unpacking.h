// The inverse of packing.h, of bytes from outside: whatever they are, no more numbers come than were asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sla::formats::parquet {

// Nothing: the bytes end too early or make no sense. What was read is taken from the front of `bytes`.
std::optional<std::uint64_t> take_fixed(std::string_view& bytes, unsigned size);
std::optional<std::uint64_t> take_varint(std::string_view& bytes);
// So many numbers, `width` bits each (32 at most), appended.
bool take_runs(std::string_view bytes, unsigned width, std::size_t count, std::vector<std::uint64_t>& out);
// So many numbers of DELTA_BINARY_PACKED, appended.
bool take_deltas(std::string_view bytes, std::size_t count, std::vector<std::uint64_t>& out);

}  // namespace sla::formats::parquet
