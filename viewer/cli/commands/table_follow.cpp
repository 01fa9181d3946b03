#include "viewer/cli/commands/table_follow.h"

#include "viewer/analysis/selection.h"
#include "viewer/cli/interrupt.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/formats/table/following_table.h"
#include "viewer/ingest/follow/followed_events.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A row is written so much later at most than it becomes final; a look at all lanes more often than that would take the
// processor from what is watched.
constexpr milliseconds kBetweenLooks{40};
constexpr milliseconds kWait{100};

class Following {
public:
    // What was checked of the input: its range and filter.
    Following(const InputOptions& input, std::unique_ptr<ingest::FollowedEvents> events, formats::FollowingTable table)
        : input_(input), range_(*input.range()), events_(std::move(events)), table_(std::move(table)) {
        if (!input.filter.empty()) filter_ = *analysis::EventFilter::parse(input.filter);
    }

    // Nothing more is to be written.
    [[nodiscard]] bool is_over() const { return is_over_; }

    Result<void> step() {
        const Result<void> taken = events_->take_in(kWait);
        if (const std::string news = events_->take_news(); !news.empty()) warn(news);
        if (auto written = write(); !written.ok()) return written;
        if (events_->has_ended()) is_over_ = true;
        return taken;
    }
    Result<void> finish() { return table_.finish(); }
    [[nodiscard]] const store::Session& session() const { return events_->session(); }

private:
    Result<void> write() {
        const store::Session& session = events_->session();
        if (!session.has_origin()) return {};
        analysis::Selection selection = select(session);
        const std::uint64_t final = events_->final_tick();
        const bool is_all = selection.until <= final;  // that is wanted
        if (!is_all) selection.until = final + 1;
        if (selection.until <= selection.from) {
            is_over_ = is_all && selection.until != store::kNever;
            return {};
        }
        const auto given = [this](const store::Lane& lane) { return events_->given(lane); };
        if (auto written = table_.write(session, selection, given); !written.ok()) return written;
        is_over_ = is_all && selection.until != store::kNever;
        events_->pass(selection.until);
        return {};
    }
    // A channel that nobody has marked yet may come.
    [[nodiscard]] analysis::Selection select(const store::Session& session) const {
        analysis::Selection selection;
        analysis::set_range(selection, session, range_);
        selection.from = std::max(selection.from, events_->begins());
        if (input_.channels.empty()) selection.lanes.assign(session.lanes().begin(), session.lanes().end());
        std::vector<const store::Lane*> lanes = std::move(selection.lanes);
        for (const std::string& glob : input_.channels) {
            const auto found = analysis::matching_lanes(session, glob);
            lanes.insert(lanes.end(), found.begin(), found.end());
        }
        selection = analysis::with_lanes(selection, std::move(lanes));
        selection.filter = filter_;
        return selection;
    }

    const InputOptions& input_;
    analysis::TimeRange range_;
    std::optional<analysis::EventFilter> filter_;
    std::unique_ptr<ingest::FollowedEvents> events_;
    formats::FollowingTable table_;
    bool is_over_ = false;
};

Result<void> check_target(const InputOptions& input) {
    const bool is_live =
        input.target.empty() || wire::looks_like_address(input.target) || fleet::is_fleet_address(input.target);
    if (is_live) return {};
    return invalid_input("--follow wants an agent or a fleet; " + input.name() + " is a capture, to which nothing comes");
}

// Patterns that match nothing so far, once they could have.
void remark_missing(const InputOptions& input, const store::Session& session) {
    for (const std::string& glob : input.channels) {
        if (analysis::matching_lanes(session, glob).empty())
            remark("no channel is called '" + glob + "' yet; its events will be shown when there is one");
    }
}

// An error: something ended as it should not.
Result<void> run(Following& following, const InputOptions& input, const formats::Output& out) {
    bool has_remarked = false;
    auto next = Clock::now();
    while (interrupted() == 0 && !following.is_over() && !out.is_closed()) {
        std::this_thread::sleep_until(next);
        next = Clock::now() + kBetweenLooks;
        if (auto stepped = following.step(); !stepped.ok()) return stepped;
        if (has_remarked || !following.session().health().known) continue;
        has_remarked = true;
        remark_missing(input, following.session());
    }
    return {};
}

}  // namespace

int follow_table(const InputOptions& input, const OutputOptions& output, formats::Format format) {
    if (const auto good = check_target(input); !good.ok()) return complain(good.error());
    ingest::FollowedEventsOptions options;
    options.client = "sla table";
    options.channels = input.channels;
    options.from_ps = input.range()->from_ps;
    options.goes_on = [] { return interrupted() == 0; };
    auto events = ingest::FollowedEvents::open(input.target, options);
    if (!events.ok()) return complain(events.error());
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    Following following(input, std::move(*events), formats::FollowingTable(*out, format, output.is_for_people(format)));
    const auto ended = run(following, input, *out);
    if (const auto finished = following.finish(); !finished.ok()) return complain(finished.error());
    if (!ended.ok()) return complain(ended.error());
    if (following.session().ended()) remark(input.name() + " has ended: " + following.session().end_reason());
    return kDone;
}

}  // namespace sla::cli
