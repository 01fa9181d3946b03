#include "viewer/formats/parquet/unpacking.h"

#include "viewer/formats/parquet/packing.h"

#include <algorithm>

namespace sla::formats::parquet {

namespace {

constexpr unsigned kByte = 8;

// `count` numbers of `width` bits (64 at most) from the front; the bytes must be there.
void take_packed(std::string_view bytes, unsigned width, std::size_t count, std::vector<std::uint64_t>& out) {
    unsigned __int128 bits = 0;
    unsigned held = 0;
    std::size_t at = 0;
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    for (std::size_t i = 0; i < count; ++i) {
        for (; held < width; held += kByte)
            bits |= static_cast<unsigned __int128>(static_cast<unsigned char>(bytes[at++])) << held;
        out.push_back(static_cast<std::uint64_t>(bits) & mask);
        bits >>= width;
        held -= width;
    }
}

}  // namespace

std::optional<std::uint64_t> take_fixed(std::string_view& bytes, unsigned size) {
    if (bytes.size() < size) return std::nullopt;
    std::uint64_t number = 0;
    for (unsigned i = 0; i < size; ++i)
        number |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (kByte * i);
    bytes.remove_prefix(size);
    return number;
}

std::optional<std::uint64_t> take_varint(std::string_view& bytes) {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const auto next = take_fixed(bytes, 1);
        if (!next) return std::nullopt;
        number |= (*next & 0x7f) << shift;
        if ((*next & 0x80) == 0) return number;
    }
    return std::nullopt;
}

bool take_runs(std::string_view bytes, unsigned width, std::size_t count, std::vector<std::uint64_t>& out) {
    if (width > 32) return false;
    for (std::size_t left = count; left > 0;) {
        const auto head = take_varint(bytes);
        if (!head) return false;
        if ((*head & 1) == 0) {
            const auto number = take_fixed(bytes, (width + kByte - 1) / kByte);
            const auto run = static_cast<std::size_t>(std::min<std::uint64_t>(*head >> 1, left));
            if (!number || run == 0) return false;
            out.insert(out.end(), run, *number);
            left -= run;
            continue;
        }
        const std::uint64_t groups = *head >> 1;
        if (groups == 0 || groups > count) return false;  // a group of eight of which none is asked for
        const std::size_t size = static_cast<std::size_t>(groups) * width;
        if (bytes.size() < size) return false;
        const auto numbers = static_cast<std::size_t>(std::min<std::uint64_t>(groups * 8, left));
        take_packed(bytes, width, numbers, out);
        bytes.remove_prefix(size);
        left -= numbers;
    }
    return true;
}

bool take_deltas(std::string_view bytes, std::size_t count, std::vector<std::uint64_t>& out) {
    const auto block = take_varint(bytes);
    const auto minis = take_varint(bytes);
    const auto total = take_varint(bytes);
    const auto first = take_varint(bytes);
    if (!block || !minis || !total || !first || *total != count) return false;
    constexpr std::uint64_t kLargestBlock = 1 << 16;
    if (*block == 0 || *block > kLargestBlock || *minis == 0 || *block % *minis != 0 || *block / *minis % 32 != 0)
        return false;
    if (count == 0) return true;
    const auto mini_size = static_cast<std::size_t>(*block / *minis);
    auto number = static_cast<std::uint64_t>(from_zigzag(*first));
    out.push_back(number);
    std::vector<std::uint64_t> deltas;
    for (std::size_t left = count - 1; left > 0;) {
        const auto least = take_varint(bytes);
        if (!least || bytes.size() < *minis) return false;
        const std::string_view widths = bytes.substr(0, static_cast<std::size_t>(*minis));
        bytes.remove_prefix(widths.size());
        for (std::size_t mini = 0; mini < widths.size() && left > 0; ++mini) {
            const auto width = static_cast<unsigned char>(widths[mini]);
            const std::size_t size = mini_size / kByte * width;
            if (width > 64 || bytes.size() < size) return false;
            const std::size_t wanted = std::min(mini_size, left);
            deltas.clear();
            take_packed(bytes, width, wanted, deltas);
            bytes.remove_prefix(size);
            for (const std::uint64_t delta : deltas)
                out.push_back(number += delta + static_cast<std::uint64_t>(from_zigzag(*least)));
            left -= wanted;
        }
    }
    return true;
}

}  // namespace sla::formats::parquet
