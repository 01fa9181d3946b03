#include "viewer/formats/parquet/packing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

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

// Words of 64 bits are filled one after the other.
void put_packed(std::span<const std::uint64_t> numbers, unsigned width, std::string& out) {
    static_assert(std::endian::native == std::endian::little);
    if (width == 0) return;
    constexpr unsigned kWord = 64;
    const std::size_t begin = out.size();
    out.resize(begin + (numbers.size() * width + 7) / 8);
    char* at = out.data() + begin;
    std::uint64_t word = 0;
    unsigned held = 0;
    for (const std::uint64_t number : numbers) {
        word |= number << held;
        held += width;
        if (held < kWord) continue;
        std::memcpy(at, &word, sizeof word);
        at += sizeof word;
        held -= kWord;
        word = held == 0 ? 0 : number >> (width - held);
    }
    std::memcpy(at, &word, static_cast<std::size_t>(out.data() + out.size() - at));
}

namespace {

template <typename Number>
void put_runs_of(std::span<const Number> numbers, unsigned width, std::string& out) {
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
            for (unsigned shift = 0; shift < width; shift += 8)
                out += static_cast<char>(std::uint64_t{numbers[at]} >> shift);
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

}  // namespace

void put_runs(std::span<const std::uint8_t> numbers, unsigned width, std::string& out) {
    put_runs_of(numbers, width, out);
}

void put_runs(std::span<const std::uint64_t> numbers, unsigned width, std::string& out) {
    put_runs_of(numbers, width, out);
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
