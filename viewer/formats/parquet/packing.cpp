#include "viewer/formats/parquet/packing.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sla::formats::parquet {

namespace {

constexpr std::size_t kGroup = 8;
constexpr std::size_t kBlock = 128;
constexpr std::size_t kMiniBlocks = 4;
constexpr std::size_t kMiniBlock = kBlock / kMiniBlocks;

}  // namespace

unsigned bit_width(std::uint64_t number) {
    return static_cast<unsigned>(std::bit_width(number));
}

void put_packed(std::span<const std::uint64_t> numbers, unsigned width, std::string& out) {
    if (width == 0) return;
    constexpr unsigned kByte = 8;
    unsigned __int128 bits = 0;
    unsigned held = 0;
    for (const std::uint64_t number : numbers) {
        bits |= static_cast<unsigned __int128>(number) << held;
        for (held += width; held >= kByte; held -= kByte, bits >>= kByte) out += static_cast<char>(bits);
    }
}

void put_runs(std::span<const std::uint32_t> numbers, unsigned width, std::string& out) {
    std::array<std::uint64_t, kGroup> group{};
    std::string packed;
    std::size_t groups = 0;
    const auto put_groups = [&] {
        if (groups == 0) return;
        put_varint(groups << 1 | 1, out);
        out += packed;
        packed.clear();
        groups = 0;
    };
    for (std::size_t at = 0; at < numbers.size();) {
        std::size_t end = at + 1;
        while (end < numbers.size() && numbers[end] == numbers[at]) ++end;
        if (end - at >= kGroup) {
            put_groups();
            put_varint((end - at) << 1, out);
            for (unsigned shift = 0; shift < width; shift += 8) out += static_cast<char>(numbers[at] >> shift);
            at = end;
            continue;
        }
        for (std::size_t i = 0; i < kGroup; ++i) group[i] = at + i < numbers.size() ? numbers[at + i] : 0;
        put_packed(group, width, packed);
        ++groups;
        at += kGroup;
    }
    put_groups();
}

void put_deltas(std::span<const std::uint64_t> numbers, std::string& out) {
    put_varint(kBlock, out);
    put_varint(kMiniBlocks, out);
    put_varint(numbers.size(), out);
    put_zigzag(numbers.empty() ? 0 : static_cast<std::int64_t>(numbers[0]), out);
    std::array<std::uint64_t, kBlock> deltas{};
    for (std::size_t at = 1; at < numbers.size(); at += kBlock) {
        const std::size_t count = std::min(kBlock, numbers.size() - at);
        std::int64_t least = INT64_MAX;
        for (std::size_t i = 0; i < count; ++i) {
            deltas[i] = numbers[at + i] - numbers[at + i - 1];
            least = std::min(least, static_cast<std::int64_t>(deltas[i]));
        }
        for (std::size_t i = 0; i < kBlock; ++i) deltas[i] = i < count ? deltas[i] - static_cast<std::uint64_t>(least) : 0;
        put_zigzag(least, out);
        std::array<unsigned, kMiniBlocks> widths{};
        for (std::size_t i = 0; i < count; ++i)
            widths[i / kMiniBlock] = std::max(widths[i / kMiniBlock], bit_width(deltas[i]));
        for (const unsigned width : widths) out += static_cast<char>(width);
        for (std::size_t mini = 0; mini * kMiniBlock < count; ++mini)
            put_packed(std::span(deltas).subspan(mini * kMiniBlock, kMiniBlock), widths[mini], out);
    }
}

}  // namespace sla::formats::parquet
