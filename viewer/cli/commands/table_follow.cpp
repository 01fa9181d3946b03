#include "viewer/cli/commands/table_follow.h"

#include "viewer/analysis/selection.h"
#include "viewer/cli/follow.h"
#include "viewer/formats/table/following_table.h"

#include <optional>
#include <utility>
#include <vector>

namespace sla::cli {

namespace {

// A channel that nobody has marked yet may come.
std::vector<const store::Lane*> lanes_of(const store::Session& session, const InputOptions& input) {
    std::vector<const store::Lane*> lanes;
    if (input.channels.empty()) lanes.assign(session.lanes().begin(), session.lanes().end());
    for (const std::string& glob : input.channels) {
        const auto found = analysis::matching_lanes(session, glob);
        lanes.insert(lanes.end(), found.begin(), found.end());
    }
    return lanes;
}

}  // namespace

int follow_table(const InputOptions& input, const OutputOptions& output, formats::Format format) {
    std::optional<analysis::EventFilter> filter;
    if (!input.filter.empty()) filter = *analysis::EventFilter::parse(input.filter);
    auto followed = Followed::open(input, {"sla table", input.channels, false});
    if (!followed.ok()) return complain(followed.error());
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    formats::FollowingTable table(*out, format, output.is_for_people(format));
    const auto take = [&](const analysis::FinalRows& rows) {
        return table.write(rows, lanes_of(rows.session, input), filter);
    };
    const auto ended = followed->run(take, [&] { return out->is_closed(); });
    if (const auto finished = table.finish(); !finished.ok()) return complain(finished.error());
    if (!ended.ok()) return complain(ended.error());
    followed->remark_end();
    return kDone;
}

}  // namespace sla::cli
