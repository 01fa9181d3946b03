// EventGroups: rows of `events` that share what a question groups by (ORDER BY, GROUP BY, DISTINCT of capture, source, channel,
// kind, thread), so that they can be handed over group by group. Each is a walk of its own over the lanes that may have such
// rows: a lane of two kinds is walked over twice, which costs a hundredth of sorting its rows. Private to the room.
#pragma once

#include "viewer/sql/tables/table.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace sla::sql {

struct EventGroup {
    struct Part {
        const NamedCapture* capture = nullptr;
        std::vector<const LaneTexts*> lanes;  // in order of channel id
    };
    std::vector<Part> parts;            // in order of captures
    std::optional<std::string> kind;    // rows of this one only
    std::optional<std::string> thread;  // likewise
};

// In the order that the request names; one group of all when it names none. Some may turn out to have no row. Threads are
// looked for in every row of the lanes and times that are wanted; nothing when a lane's rows name too many (a capture
// announces few, but rows may name others), since each is a walk.
inline constexpr std::size_t kMaxThreadsOfLane = 4096;
std::optional<std::vector<EventGroup>> groups_of_events(const Captures& captures, const Request& request, const GoOn& go_on);

inline constexpr std::array kEveryKind = {wire::Kind::kTick,  wire::Kind::kBegin, wire::Kind::kEnd, wire::Kind::kLevel,
                                          wire::Kind::kValue, wire::Kind::kText,  wire::Kind::kGap};
// Rows of it, losses among them: of a lane without any its pages are looked at, whether they can be read.
[[nodiscard]] bool has_kind(const store::Lane& lane, wire::Kind kind, const GoOn& go_on);

}  // namespace sla::sql
