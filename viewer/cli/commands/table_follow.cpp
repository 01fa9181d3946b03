#include "viewer/cli/commands/table_follow.h"

#include "viewer/analysis/selection.h"
#include "viewer/cli/follow.h"
#include "viewer/formats/table/following_table.h"

#include <optional>
#include <utility>

namespace sla::cli {

namespace {

// A channel that nobody has marked yet may come.
analysis::Selection selection_of(const analysis::FinalRows& rows, const InputOptions& input,
                                 const std::optional<analysis::EventFilter>& filter) {
    analysis::Selection range;
    range.from = rows.from;
    range.until = rows.until;
    std::vector<const store::Lane*> lanes;
    if (input.channels.empty()) lanes.assign(rows.session.lanes().begin(), rows.session.lanes().end());
    for (const std::string& glob : input.channels) {
        const auto found = analysis::matching_lanes(rows.session, glob);
        lanes.insert(lanes.end(), found.begin(), found.end());
    }
    analysis::Selection selection = analysis::with_lanes(range, std::move(lanes));
    selection.filter = filter;
    return selection;
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
        return table.write(rows.session, selection_of(rows, input, filter), rows.given);
    };
    const auto ended = followed->run(take, [&] { return out->is_closed(); });
    if (const auto finished = table.finish(); !finished.ok()) return complain(finished.error());
    if (!ended.ok()) return complain(ended.error());
    followed->remark_end();
    return kDone;
}

}  // namespace sla::cli
