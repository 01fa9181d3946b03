// The hits of a search, lane by lane: each lane marks its own, however many all the others have. Four bytes a hit.
// Owner: the window's thread.
#pragma once

#include "viewer/workspace/search/search_walk.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace sla::workspace {

class HitsByLane {
public:
    void clear();
    // Those that were appended since; the last one known may have been counted up.
    void follow(const std::vector<Hit>& hits);
    // Positions in what was followed, by tick. Null: places in time, of no lane. Valid until the next follow().
    [[nodiscard]] std::span<const std::uint32_t> of(const store::Lane* lane) const;

private:
    std::unordered_map<const store::Lane*, std::vector<std::uint32_t>> positions_;
    std::size_t known_ = 0;
};

// Of positions (by tick) from the `from`-th on, the first whose hit is at `tick` or later, or their number: quick when it is
// near.
std::size_t next_of(std::span<const std::uint32_t> positions, const std::vector<Hit>& hits, std::size_t from,
                    std::uint64_t tick);

}  // namespace sla::workspace
