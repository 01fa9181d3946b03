#include "viewer/analysis/selection.h"

#include "proto/wire/glob.h"

#include <algorithm>

namespace sla::analysis {

namespace {

std::string some_names(const store::Session& session) {
    constexpr std::size_t kShown = 8;
    std::string out;
    std::size_t count = 0;
    for (const store::Lane* lane : session.lanes()) {
        if (++count > kShown) continue;
        out += out.empty() ? "" : ", ";
        out += lane->channel().name;
    }
    if (count == 0) return "it has no channels";
    if (count > kShown) out += " and " + std::to_string(count - kShown) + " more";
    return "there are: " + out;
}

}  // namespace

Selection with_lanes(const Selection& range, std::vector<const store::Lane*> lanes) {
    const auto by_channel = [](const store::Lane* a, const store::Lane* b) { return a->channel().id < b->channel().id; };
    std::sort(lanes.begin(), lanes.end(), by_channel);
    lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
    return {std::move(lanes), range.from, range.until, std::nullopt};
}

std::vector<const store::Lane*> matching_lanes(const store::Session& session, std::string_view glob) {
    std::vector<const store::Lane*> out;
    for (const store::Lane* lane : session.lanes()) {
        if (wire::glob_match(glob, lane->channel().name)) out.push_back(lane);
    }
    return out;
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
        if (found.empty()) return not_found("no channel is called '" + glob + "'; " + some_names(session));
        selection.lanes.insert(selection.lanes.end(), found.begin(), found.end());
    }
    const auto by_channel = [](const store::Lane* a, const store::Lane* b) { return a->channel().id < b->channel().id; };
    std::sort(selection.lanes.begin(), selection.lanes.end(), by_channel);
    selection.lanes.erase(std::unique(selection.lanes.begin(), selection.lanes.end()), selection.lanes.end());
    return selection;
}

}  // namespace sla::analysis
