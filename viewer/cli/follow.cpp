#include "viewer/cli/follow.h"

#include "viewer/cli/command.h"
#include "viewer/cli/interrupt.h"
#include "viewer/fleet/fleet_address.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace sla::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A row is walked over so much later at most than it becomes final; a look at all lanes more often than that would take the
// processor from what is watched.
constexpr milliseconds kBetweenLooks{40};
constexpr milliseconds kWait{100};

}  // namespace

Result<void> check_followed(const InputOptions& input) {
    const bool is_live =
        input.target.empty() || wire::looks_like_address(input.target) || fleet::is_fleet_address(input.target);
    if (is_live) return {};
    return invalid_input("--follow wants an agent or a fleet; " + input.name() + " is a capture, to which nothing comes");
}

Followed::Followed(const InputOptions& input, const How& how, std::unique_ptr<ingest::FollowedEvents> events)
    : input_(input), how_(how), range_(*input.range()), events_(std::move(events)), own_times_(how.channels) {
    done_.until = 0;
}

Result<Followed> Followed::open(const InputOptions& input, const How& how) {
    if (const auto good = check_followed(input); !good.ok()) return good.error();
    ingest::FollowedEventsOptions options;
    options.client = how.client;
    options.channels = how.channels;
    options.from_ps = input.range()->from_ps;
    options.knows_begin = how.knows_begin;
    options.goes_on = [] { return interrupted() == 0; };
    auto events = ingest::FollowedEvents::open(input.target, options);
    if (!events.ok()) return events.error();
    return Followed(input, how, std::move(*events));
}

Result<void> Followed::run(const Take& take, const std::function<bool()>& stops) {
    auto next = Clock::now();
    while (interrupted() == 0 && !is_over_ && !stops()) {
        std::this_thread::sleep_until(next);
        next = Clock::now() + kBetweenLooks;
        if (auto stepped = step(take); !stepped.ok()) {
            has_failed_ = true;
            return stepped;
        }
        if (!has_remarked_ && session().health().known) remark_missing();
    }
    if (is_over_) return {};
    events_->stop();
    return take_final(take);
}

Result<void> Followed::step(const Take& take) {
    const Result<void> taken = events_->take_in(kWait);
    if (const std::string news = events_->take_news(); !news.empty()) warn(news);
    if (auto walked = take_final(take); !walked.ok()) return walked;
    if (events_->has_ended()) is_over_ = true;
    return taken;
}

Result<void> Followed::take_final(const Take& take) {
    if (!session().has_origin()) return {};
    const bool is_exact = how_.knows_begin && !range_.from_ps;
    if (is_exact && !std::exchange(is_settled_, true) && !events_->has_ended()) return {};
    analysis::Selection selection;
    analysis::set_range(selection, session(), range_);
    selection.from = std::max(selection.from, events_->begins());
    if (is_exact && !has_begun_) selection.from = std::max(selection.from, events_->begins_now());
    const bool is_another = note_session();
    if (is_exact && has_begun_) selection.from = std::max(selection.from, done_.from);
    const std::uint64_t final = events_->final_tick();
    const bool is_all = selection.until <= final;  // that is wanted
    if (!is_all) selection.until = final + 1;
    const bool has_waited = waits_for_own_times_;
    is_over_ = is_all && selection.until != store::kNever && is_reached_by_all(selection.until);
    if (selection.until <= selection.from && !(is_another && has_begun_) && !has_waited) return {};
    selection.until = std::max(selection.until, selection.from);
    if (!std::exchange(has_begun_, true)) done_.from = selection.from;
    const auto name_of = [this](const store::Lane& lane) { return events_->name_of(lane); };
    const auto given = [this](const store::Lane& lane) { return events_->given(lane); };
    if (auto walked = take({session(), selection.from, selection.until, name_of, given, events_->known_tick()});
        !walked.ok())
        return walked;
    done_.until = selection.until;
    events_->pass(selection.until);
    return {};
}

bool Followed::is_reached_by_all(std::uint64_t tick) {
    if (!how_.knows_begin) return true;
    const bool is_reached = own_times_.have_reached(session(), tick, events_->final_tick());
    if (!std::exchange(waits_for_own_times_, !is_reached) && !is_reached && !own_times_.waits_for().empty())
        remark("--to has come; waiting for '" + own_times_.waits_for() + "', whose own time has not got there yet");
    return is_reached;
}

// True: it is another one than the last time, whose lanes are gone. What counts from elsewhere begins anew.
bool Followed::note_session() {
    const bool is_another = session_ != &session();
    session_ = &session();
    const bool counts_from_elsewhere = start_tick_ != session().origin().start_tick;
    start_tick_ = session().origin().start_tick;
    if (has_begun_ && counts_from_elsewhere) done_.from = events_->begins();
    return is_another;
}

void Followed::remark_end() const {
    if (session().ended() && !has_failed_) remark(input_.name() + " has ended: " + session().end_reason());
}

// Patterns that match nothing so far, once they could have.
void Followed::remark_missing() {
    has_remarked_ = true;
    for (const std::string& glob : how_.channels) {
        if (analysis::matching_lanes(session(), glob).empty())
            remark("no channel is called '" + glob + "' yet; its events will be taken in when there is one");
    }
}

}  // namespace sla::cli
