// A search on its way through a session, in turns: of triggers by analysis/filter/hit_search.h, of events as exports walk over them
// (analysis/event_walk.h). It goes on over what comes when the session grows.
// Events in another order than time's are given when all there are now were looked at, kMaxOrdered of them, and again when
// more came.
// Owner: the session's thread, a job's (background_search.h); does not survive the session.
#pragma once

#include "viewer/store/merged.h"
#include "viewer/workspace/search/search_plan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

// What a row's differences are counted from, where the hits are in another order than time's.
struct RowsBefore {
    std::optional<store::RowRef> any;
    std::optional<std::uint64_t> in_lane_tick;  // of the row before it in its lane
};

// What a row that was found in time's order does not have.
struct HitDetails {
    std::string what;   // of a trigger: the stage that made it
    RowsBefore before;  // of an ordered one
};

// A window holds a million of them.
struct Hit {
    std::uint64_t tick = 0;
    const store::Lane* lane = nullptr;  // null: a place in time, found by a trigger
    std::uint64_t index = 0;            // of the lane's events; without a lane its number among the hits at this tick
    std::shared_ptr<const HitDetails> details = nullptr;
    std::uint64_t repeats : 63 = 0;  // rows right behind it that were left out, as they differ in their time only
    bool certain : 1 = true;
};

class SearchWalk {
public:
    static constexpr std::size_t kMaxOrdered = 20'000;  // more than a person reads; 10 MB
    virtual ~SearchWalk() = default;
    // Looks at some ten thousand rows more, of which those that are hits go behind `hits`; the last one there may be counted
    // up. Between calls hits before the last may be taken away. False: at the end of what there is now.
    virtual bool step(std::vector<Hit>& hits) = 0;
    // Of what there is now, how much it has looked at: 0 to 1.
    [[nodiscard]] virtual double progress() const = 0;
};

// Null when there is nothing to look for.
std::unique_ptr<SearchWalk> make_search_walk(const store::Session& session, const SearchPlan& plan);

}  // namespace sla::workspace
