// Compiled with -O3, as the writer: its loops become vectors.
#include "proto/wire/columns/packed_column.h"
#include "proto/wire/columns/packed_shape.h"
#include "proto/wire/columns/varint.h"

#include <cstring>

namespace sla::wire {
namespace {

using namespace packed;

constexpr const char* kCutOff = "a block is cut off";

[[gnu::always_inline]] inline void get_plane(const char* plane, std::size_t count, unsigned shift, std::uint64_t* offsets) {
    for (std::size_t i = 0; i < count; ++i)
        offsets[i] |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(plane[i])) << shift;
}

// The parts that stand behind the last offset must be 0: the same numbers have one form only.
[[gnu::always_inline]] inline bool get_top(const char* plane, std::size_t count, unsigned bits, unsigned shift,
                                           std::uint64_t* offsets) {
    const std::size_t bytes = top_bytes(count, bits);
    const auto mask = static_cast<std::uint8_t>((1U << bits) - 1);
    std::uint8_t parts[kBlockNumbers + 8] = {};
    for (unsigned low = 0, from = 0; low < 8; low += bits, ++from) {
        for (std::size_t i = 0; i < bytes; ++i)
            parts[from * bytes + i] = static_cast<std::uint8_t>(static_cast<std::uint8_t>(plane[i]) >> low & mask);
    }
    for (std::size_t i = 0; i < count; ++i) offsets[i] |= static_cast<std::uint64_t>(parts[i]) << shift;
    std::uint8_t behind = 0;
    for (std::size_t i = count; i < bytes * (8 / bits); ++i) behind |= parts[i];
    return behind == 0;
}

[[gnu::always_inline]] inline const char* get_planes(const char*& at, const char* end, std::size_t count, unsigned layout,
                                                     std::uint64_t* offsets) {
    if (static_cast<std::size_t>(end - at) < plane_bytes(count, layout)) return kCutOff;
    const unsigned planes = planes_of(layout);
    for (unsigned plane = 0; plane < planes; ++plane, at += count) get_plane(at, count, 8 * plane, offsets);
    const unsigned bits = top_bits_of(layout);
    if (bits == 0) return nullptr;
    bool good = true;
    if (bits == 8) {
        get_plane(at, count, 8 * planes, offsets);
    } else {
        good = get_top(at, count, bits, 8 * planes, offsets);
    }
    at += top_bytes(count, bits);
    return good ? nullptr : "there are bits behind the last number";
}

const char* get_exceptions(const char*& at, const char* end, std::size_t count, unsigned width, std::uint64_t* offsets) {
    if (at == end) return kCutOff;
    const std::size_t found = static_cast<std::uint8_t>(*at++);
    if (found == 0 || found > count) return "it has none, or more exceptions than numbers";
    if (static_cast<std::size_t>(end - at) < found) return kCutOff;
    const char* const positions = at;
    at += found;
    std::size_t next = 0;
    for (std::size_t i = 0; i < found; ++i) {
        const std::size_t position = static_cast<std::uint8_t>(positions[i]);
        if (position < next || position >= count) return "an exception is at no place of its own";
        next = position + 1;
        std::uint64_t above = 0;
        if (!get_varint(at, end, above)) return "an exception is cut off or too long";
        if (above == 0 || width >= 64 || above << width >> width != above) return "an exception is 0, or beyond 64 bits";
        offsets[position] |= above << width;
    }
    return nullptr;
}

[[gnu::always_inline]] inline const char* get_block(const char*& at, const char* end, std::size_t count,
                                                    std::uint64_t* numbers) {
    if (at == end) return kCutOff;
    const unsigned shape = static_cast<std::uint8_t>(*at++);
    const unsigned layout = shape & kLayoutMask;
    if (layout >= kLayouts) return "a block has a layout that there is not";
    std::uint64_t base = 0;
    if (!get_varint(at, end, base)) return "a base is cut off or too long";
    base = unzigzag(base);
    std::uint64_t offsets[kBlockNumbers] = {};
    if (const char* wrong = get_planes(at, end, count, layout, offsets)) return wrong;
    if ((shape & kExceptionsBit) != 0) {
        if (const char* wrong = get_exceptions(at, end, count, width_of(layout), offsets)) return wrong;
    }
    std::uint64_t number = numbers[-1];
    if ((shape & kStepBit) != 0) {
        for (std::size_t i = 0; i < count; ++i) numbers[i] = number += base + offsets[i];
    } else {
        for (std::size_t i = 0; i < count; ++i) numbers[i] = number + base + offsets[i];
    }
    return nullptr;
}

}  // namespace

const char* get_packed(const char*& at, const char* end, std::size_t count, std::uint64_t* numbers) {
    std::size_t done = 0;
    for (; done + kBlockNumbers <= count; done += kBlockNumbers) {
        if (const char* wrong = get_block(at, end, kBlockNumbers, numbers + done)) return wrong;
    }
    return done == count ? nullptr : get_block(at, end, count - done, numbers + done);
}

}  // namespace sla::wire
