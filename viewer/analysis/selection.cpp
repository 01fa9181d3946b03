#include "viewer/analysis/selection.h"

#include "proto/common/nearest.h"
#include "proto/common/trigger/doubts.h"
#include "proto/wire/glob.h"

#include <algorithm>

namespace sla::analysis {

namespace {

// Each once: programs that ran one after the other have the same.
std::string some_names(std::vector<std::string> names) {
    constexpr std::size_t kShown = 8;
    if (names.empty()) return "it has no channels";
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) out += (i == 0 ? "" : ", ") + names[i];
    if (names.size() > kShown) out += " and " + std::to_string(names.size() - kShown) + " more";
    return "there are: " + out;
}

}  // namespace

std::vector<std::string> channel_names(const store::Session& session) {
    std::vector<std::string> names;
    for (const store::Lane* lane : session.lanes()) names.push_back(lane->channel().name);
    return names;
}

Error unknown_channel(const std::string& glob, const std::vector<std::string>& names) {
    return not_found("no channel is called '" + glob + "'" + common::nearest_hint(glob, names) + "; " + some_names(names));
}

Error unknown_channel(const store::Session& session, const std::string& glob) {
    return unknown_channel(glob, channel_names(session));
}

Selection with_lanes(const Selection& range, std::vector<const store::Lane*> lanes) {
    const auto by_channel = [](const store::Lane* a, const store::Lane* b) { return a->channel().id < b->channel().id; };
    std::sort(lanes.begin(), lanes.end(), by_channel);
    lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
    return {std::move(lanes), range.from, range.until, std::nullopt};
}

Result<void> check_channels(const store::Session& session, const EventFilter& filter) {
    for (const std::string& name : filter.channels()) {
        const auto is_called = [&](const store::Lane* lane) {
            return lane->channel().name == name || wire::glob_match(name, lane->channel().name);
        };
        if (std::none_of(session.lanes().begin(), session.lanes().end(), is_called)) return unknown_channel(session, name);
    }
    return {};
}

Result<void> check_channels(const store::Session& session, const trigger::Trigger& wanted) {
    const std::vector<std::string> names = channel_names(session);
    for (const trigger::Name& name : trigger::channels_of(wanted)) {
        if (!trigger::is_there(name, names)) return unknown_channel(name.text, names);
    }
    return {};
}

std::vector<const store::Lane*> matching_lanes(const store::Session& session, std::string_view glob) {
    std::vector<const store::Lane*> out;
    for (const store::Lane* lane : session.lanes()) {
        if (wire::glob_match(glob, lane->channel().name)) out.push_back(lane);
    }
    return out;
}

Partners::Partners(const std::vector<const store::Lane*>& ends) {
    for (const store::Lane* end : ends) ends_.emplace(end->channel().source, end->channel().name);
}

bool Partners::are(const store::Lane& start, const store::Lane& end) const {
    const SourceId own = start.channel().source;
    return end.channel().source == own || !ends_.contains({own, end.channel().name});
}

Selection from_begin(const store::Session& session, Selection range) {
    range.from = std::max(range.from, session.origin().begin_tick);
    return range;
}

void set_range(Selection& selection, const store::Session& session, const TimeRange& range) {
    if (range.from_ps) selection.from = session.clock().to_tick(*range.from_ps);
    if (range.until_ps) selection.until = session.clock().to_tick(*range.until_ps);
}

Result<Selection> select(const store::Session& session, const std::vector<std::string>& globs, const TimeRange& range) {
    Selection selection;
    set_range(selection, session, range);
    if (globs.empty()) {
        selection.lanes.assign(session.lanes().begin(), session.lanes().end());
        return selection;
    }
    for (const std::string& glob : globs) {
        const auto found = matching_lanes(session, glob);
        if (found.empty()) return unknown_channel(session, glob);
        selection.lanes.insert(selection.lanes.end(), found.begin(), found.end());
    }
    const auto by_channel = [](const store::Lane* a, const store::Lane* b) { return a->channel().id < b->channel().id; };
    std::sort(selection.lanes.begin(), selection.lanes.end(), by_channel);
    selection.lanes.erase(std::unique(selection.lanes.begin(), selection.lanes.end()), selection.lanes.end());
    return selection;
}

}  // namespace sla::analysis
