// The trigger language over a stored session: every place where it would have fired.
#pragma once

#include "proto/common/trigger/ast.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::analysis {

struct FoundHit {
    std::uint64_t tick = 0;
    bool certain = true;
    std::string what;  // the stage or level that made it
};

// A moment at which losses hide whether it would have fired is one that says so (`certain` is false), as the agent counts
// them: one for each event or deadline that is to decide it, however many of them one loss makes doubtful.
//
// A search in steps, so that a window can go on drawing, and that goes on as the session grows, by its rows and by its
// lanes, up to its watermark or end. Memory: some 64 Ki events of each channel that the trigger looks at,
// beside the hits. Owner: the session's thread; does not outlive the session.
class HitSearch {
public:
    HitSearch(const store::Session& session, const trigger::Trigger& trigger);
    ~HitSearch();
    HitSearch(const HitSearch&) = delete;
    HitSearch& operator=(const HitSearch&) = delete;

    // Looks at the next 64 Ki events or so of each lane. False: at the end of what there is now.
    bool step();
    [[nodiscard]] const std::vector<FoundHit>& hits() const;
    // Those since the last call, for who needs none of them again.
    [[nodiscard]] std::vector<FoundHit> take_hits();
    // Deadlines that make each other have stopped it, for good: it has not come to the end.
    [[nodiscard]] bool goes_in_circles() const;
    // The tick up to which it has looked.
    [[nodiscard]] std::uint64_t looked_until() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sla::analysis
