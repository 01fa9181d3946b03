// Compiled with -O3, as block_merge.cpp is.
#include "agent/drain/key_lists.h"

#include <algorithm>

namespace sla::drain {
namespace {

// How many of `first` are among the `count` first of both.
std::size_t share_of(const KeyList& first, const KeyList& second, std::size_t count) {
    std::size_t least = count > second.count ? count - second.count : 0;
    std::size_t most = std::min(count, first.count);
    while (least < most) {
        const std::size_t middle = (least + most) / 2;
        if (first.keys[middle] < second.keys[count - middle - 1]) {
            least = middle + 1;
        } else {
            most = middle;
        }
    }
    return least;
}

// Merges `kWays` parts of the result side by side: each row waits for the one before it, so one part alone leaves most of the
// processor idle.
template <std::size_t kWays>
void merge_ways(const KeyList& first, const KeyList& second, std::uint64_t* out) {
    const std::size_t all = first.count + second.count;
    const std::size_t part = all / kWays;
    const std::uint64_t* a[kWays];
    const std::uint64_t* b[kWays];
    for (std::size_t way = 0; way < kWays; way++) {
        const std::size_t share = share_of(first, second, way * part);
        a[way] = first.keys + share;
        b[way] = second.keys + (way * part - share);
    }
    const auto step = [&](std::size_t way, std::size_t to) {
        const std::uint64_t of_a = *a[way];
        const std::uint64_t of_b = *b[way];
        const bool takes_a = of_a < of_b;
        out[to] = takes_a ? of_a : of_b;
        a[way] += takes_a ? 1 : 0;
        b[way] += takes_a ? 0 : 1;
    };
    for (std::size_t i = 0; i < part; i++) {
#pragma GCC unroll 4
        for (std::size_t way = 0; way < kWays; way++) step(way, way * part + i);
    }
    for (std::size_t i = kWays * part; i < all; i++) step(kWays - 1, i);
}

KeyList merge_two(const KeyList& first, const KeyList& second, std::uint64_t* out) {
    constexpr std::size_t kWorthParts = 48;  // rows; finding where parts begin costs more for less
    const KeyList merged{out, first.count + second.count};
    if (merged.count < kWorthParts) {
        merge_ways<1>(first, second, out);
    } else {
        merge_ways<4>(first, second, out);
    }
    out[merged.count] = kEndMark;
    return merged;
}

}  // namespace

const std::uint64_t* merge_lists(std::vector<KeyList>& lists, std::array<std::vector<std::uint64_t>, 2>& buffers) {
    for (std::size_t side = 1; lists.size() > 1; side ^= 1) {
        std::uint64_t* to = buffers[side].data();
        const std::size_t pairs = lists.size() / 2;
        for (std::size_t i = 0; i < pairs; i++) {
            lists[i] = merge_two(lists[2 * i], lists[2 * i + 1], to);
            to += lists[i].count + 1;
        }
        if (lists.size() % 2 != 0) {
            std::copy_n(lists.back().keys, lists.back().count + 1, to);
            lists[pairs] = {to, lists.back().count};
        }
        lists.resize((lists.size() + 1) / 2);
    }
    return lists[0].keys;
}

}  // namespace sla::drain
