#include "viewer/counters/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sla::counters {

namespace {

std::uint64_t nearest_rank(const Counts& counts, std::uint64_t n, std::uint64_t permille) {
    const std::uint64_t rank = std::max<std::uint64_t>((n * permille + 999) / 1000, 1);
    std::uint64_t seen = 0;
    for (const auto& [value, times] : counts) {
        seen += times;
        if (seen >= rank) return value;
    }
    return 0;
}

std::uint64_t fence_of(const Counts& counts, std::uint64_t n) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t low = nearest_rank(counts, n, 250);
    const std::uint64_t high = nearest_rank(counts, n, 750);
    const std::uint64_t distance = std::max({high - low, high / 64, std::uint64_t{2}});
    return distance > (kMax - high) / 3 ? kMax : high + 3 * distance;
}

}  // namespace

Summary summary_of(const Counts& counts) {
    Summary out;
    for (const auto& [value, times] : counts) out.n += times;
    if (out.n == 0) return out;
    Counts kept = counts;
    const auto first_culled = kept.upper_bound(fence_of(counts, out.n));
    for (auto at = first_culled; at != kept.end(); ++at) out.culled += at->second;
    kept.erase(first_culled, kept.end());
    const auto n = static_cast<double>(out.n - out.culled);
    for (const auto& [value, times] : kept) out.mean += static_cast<double>(value) * static_cast<double>(times);
    out.mean /= n;
    for (const auto& [value, times] : kept) {
        const double off = static_cast<double>(value) - out.mean;
        out.spread += off * off * (static_cast<double>(times) / n);
    }
    out.spread = std::sqrt(out.spread);
    out.min = static_cast<double>(kept.begin()->first);
    out.max = static_cast<double>(kept.rbegin()->first);
    out.median = static_cast<double>(nearest_rank(kept, out.n - out.culled, 500));
    return out;
}

}  // namespace sla::counters
