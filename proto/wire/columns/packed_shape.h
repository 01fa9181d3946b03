// The shape byte of a block (packed_column.h) and what it says: for the writer and the reader.
#pragma once

#include "proto/wire/columns/packed_column.h"

namespace sla::wire::packed {

inline constexpr unsigned kLayoutMask = 0x3f;
inline constexpr unsigned kStepBit = 0x40;
inline constexpr unsigned kExceptionsBit = 0x80;

constexpr unsigned planes_of(unsigned layout) {
    return layout == 0 ? 0 : (layout - 1) / 4;
}
// Of the plane on top.
constexpr unsigned top_bits_of(unsigned layout) {
    return layout == 0 ? 0 : 1U << (layout - 1) % 4;
}
constexpr unsigned width_of(unsigned layout) {
    return 8 * planes_of(layout) + top_bits_of(layout);
}
constexpr std::size_t top_bytes(std::size_t count, unsigned bits) {
    return (count * bits + 7) / 8;
}
constexpr std::size_t plane_bytes(std::size_t count, unsigned layout) {
    return count * planes_of(layout) + top_bytes(count, top_bits_of(layout));
}

// Whether the processor has what the second way of writing is compiled for.
inline bool has_avx2() {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
           __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_supports("popcnt") != 0;
}
// put_packed in the way that every processor knows.
char* put_everywhere(const std::uint64_t* numbers, std::size_t count, Steps steps, char* out);

}  // namespace sla::wire::packed
