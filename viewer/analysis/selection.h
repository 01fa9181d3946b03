// Which lanes and which range of time are meant.
#pragma once

#include "proto/base/result.h"
#include "proto/common/trigger/ast.h"
#include "viewer/analysis/filter/event_filter.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::analysis {

struct Selection {
    std::vector<const store::Lane*> lanes;  // in order of channel id
    std::uint64_t from = 0;                 // ticks [from, until)
    std::uint64_t until = store::kNever;
    std::optional<EventFilter> filter;  // of single events: for tables and exports; statistics do not look at it

    [[nodiscard]] bool holds(std::uint64_t tick) const { return tick >= from && tick < until; }
};

// Picoseconds from the capture's start.
struct TimeRange {
    std::optional<std::int64_t> from_ps;
    std::optional<std::int64_t> until_ps;
};

// Lanes whose name matches any of the globs (none: all). kNotFound when a glob matches nothing: its message lists the names
// there are.
Result<Selection> select(const store::Session& session, const std::vector<std::string>& globs, const TimeRange& range = {});

// Without what stands before the begin of a part that was cut out: these rows only say what held then, and what came between
// them and the first others is not there. A span that is open there has its begin and is whole.
Selection from_begin(const store::Session& session, Selection range);

// The range of another one with these lanes, put in order, each once; without its filter.
Selection with_lanes(const Selection& range, std::vector<const store::Lane*> lanes);

// Of all lanes, as they stand there.
std::vector<std::string> channel_names(const store::Session& session);

// "no channel is called 'net.rz' (did you mean 'net.rx'?); there are: net.rx, net.tx": kNotFound.
Error unknown_channel(const std::string& glob, const std::vector<std::string>& names);
Error unknown_channel(const store::Session& session, const std::string& glob);

// Every channel that the filter names in short (net.rx > 5) is there; kNotFound: a name with a slip in it would match nothing.
Result<void> check_channels(const store::Session& session, const EventFilter& filter);
// The same of what a trigger looks at.
Result<void> check_channels(const store::Session& session, const trigger::Trigger& wanted);

// Lanes whose name matches one glob.
std::vector<const store::Lane*> matching_lanes(const store::Session& session, std::string_view glob);

// With which of some ends the starts of a lane make pairs. Of several programs that have a channel of one name, as copies of one
// program do, the start's own is meant, where it is among them; channels that only others have are its partners all the same.
class Partners {
public:
    // The lanes outlive it.
    explicit Partners(const std::vector<const store::Lane*>& ends);
    // `end` is one of them.
    [[nodiscard]] bool are(const store::Lane& start, const store::Lane& end) const;

private:
    std::set<std::pair<SourceId, std::string_view>> ends_;  // by source and name
};

// The tick range of a time range; until is exclusive.
void set_range(Selection& selection, const store::Session& session, const TimeRange& range);

}  // namespace sla::analysis
