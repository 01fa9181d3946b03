#include "viewer/cli/input.h"

#include "proto/base/how_many.h"
#include "proto/time/duration.h"
#include "proto/wire/address.h"
#include "viewer/analysis/damage.h"
#include "viewer/cli/command.h"
#include "viewer/cli/local_capture.h"
#include "viewer/cli/text/progress.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/ingest/open.h"
#include "viewer/store/unreadable_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>

namespace sla::cli {

namespace {

// Says of those that cannot be read by the session's notes, as they are found.
void look_at_chunks(const store::Session& session) {
    for (const store::Lane* lane : session.lanes()) {
        store::each_page_looked_at(*lane, 0, store::kNever, store::PageSource::Look::kCheck,
                                   [](const auto&, const auto&) { return true; });
    }
}

// A file of what an agent holds, or what else the target names.
Result<std::string> path_to(const InputOptions& input, const ingest::LoadOptions& options) {
    const bool is_agent = input.target.empty() || wire::looks_like_address(input.target);
    if (!is_agent) return local_input(input.target);
    const auto address = agent_address(input.target);
    return address.ok() ? kept_history(*address, input.name(), options) : address.error();
}

Result<std::optional<std::int64_t>> parse_time(const std::string& text, const char* option) {
    if (text.empty()) return std::optional<std::int64_t>();
    const auto ps = time::parse_duration(text);
    if (!ps.ok()) return invalid_input(std::string(option) + ": " + ps.error().message);
    return std::optional<std::int64_t>(*ps);
}

}  // namespace

void add_agent(common::Command& command, std::string& typed, const char* word) {
    const std::string names = word == nullptr ? "--address" : std::string("--address,") + word;
    command.add_option(names, typed, "Of the agent; default: this user's").value_name("ADDRESS");
}

Result<wire::Address> agent_address(const std::string& typed) {
    return typed.empty() ? Result<wire::Address>(wire::default_address()) : wire::parse_address(typed);
}

void InputOptions::add_target(common::Command& command) {
    command.add_option("--address,target", target, kTargetHelp).value_name("CAPTURE|ADDRESS");
}

void InputOptions::add_channels(common::Command& command) {
    command.add_option("--channel", channels, "Only channels of this name or pattern, as in 'irq.*' (repeatable)")
        .value_name("GLOB")
        .one_each();  // one each time: what follows may be the capture
}

void InputOptions::add_range(common::Command& command) {
    command.add_option("--from", from, "From this time of the capture on, as in 1.5ms").value_name("TIME");
    command.add_option("--to,--until", to, "Up to this time, not included").value_name("TIME");
}

void InputOptions::add_filter(common::Command& command) {
    command
        .add_option("--filter", filter,
                    "Only events for which this holds, as in \"value > 100 and channel ~ 'net.*'\"; or of one channel "
                    "\"net.rx > 5\"; fields: kind value text "
                    "thread channel source tick; operators: == != < <= > >= ~ (glob), in A..B, and or not ( )")
        .value_name("CONDITION");
}

std::string InputOptions::name() const {
    if (target == "-") return "standard input";
    if (target.empty()) return "the agent at " + wire::default_address().text();
    return wire::looks_like_address(target) ? "the agent at " + target : "'" + fleet::shown_address(target) + "'";
}

Result<analysis::TimeRange> InputOptions::range() const {
    const auto begin = parse_time(from, "--from");
    if (!begin.ok()) return begin.error();
    const auto end = parse_time(to, "--to");
    if (!end.ok()) return end.error();
    if (*begin && *end && **end <= **begin) return invalid_input("--from " + from + " is not before the end, " + to);
    return analysis::TimeRange{*begin, *end};
}

Result<analysis::Selection> InputOptions::select(const store::Session& session) const {
    const auto within = range();
    if (!within.ok()) return within.error();
    auto selection = analysis::select(session, channels, *within);
    if (!selection.ok() || filter.empty()) return selection;
    auto condition = analysis::EventFilter::parse(filter);
    if (!condition.ok()) return condition.error();
    if (const auto known = analysis::check_channels(session, *condition); !known.ok()) return known.error();
    selection->filter = std::move(condition).value();
    return selection;
}

Result<void> InputOptions::check() const {
    if (const auto within = range(); !within.ok()) return within.error();
    if (filter.empty()) return {};
    const auto condition = analysis::EventFilter::parse(filter);
    return condition.ok() ? Result<void>() : condition.error();
}

void remark_uncounted_losses(const store::Session& session, const std::vector<std::string>& globs, const std::string& name) {
    constexpr std::size_t kNamed = 3;
    const auto selection = analysis::select(session, globs);
    if (!selection.ok()) return;
    std::set<std::string> channels;
    for (const store::Lane* lane : selection->lanes) {
        if (lane->uncounted_losses() > 0) channels.insert(lane->channel().name);
    }
    if (channels.empty()) return;
    const std::vector<std::string> first(
        channels.begin(), std::next(channels.begin(), static_cast<std::ptrdiff_t>(std::min(channels.size(), kNamed))));
    remark(fmt::format("in {} an unknown number of events was lost of {}{}; the column lost does not count them", name,
                       fmt::join(first, ", "),
                       channels.size() > kNamed ? fmt::format(" and {} more", channels.size() - kNamed) : ""));
}

void remark_losses_into(const store::Session& session, const std::vector<std::string>& globs,
                        const analysis::TimeRange& range, const std::string& name) {
    const auto selection = analysis::select(session, globs, range);
    if (!selection.ok() || selection->from == 0) return;
    std::uint64_t lost = 0;
    bool any = false;
    for (const store::Lane* lane : selection->lanes) {
        for (const store::Gap& gap : analysis::losses_into(*lane, selection->from)) {
            any |= !gap.is_not_kept();
            add_up(lost, gap.is_not_kept() ? 0 : gap.lost);
        }
    }
    const std::string number = lost == 0 ? "an unknown number of events" : how_many(lost, "event");
    if (any)
        remark(fmt::format(
            "in {} losses that began before --from last into the range, of {}: how many of them are in it nobody "
            "knows, and the column lost counts none",
            name, number));
}

Result<void> InputOptions::load(store::Session& session, const std::vector<std::string>& globs, Rows rows) const {
    Progress progress("reading " + name());
    const auto begin = std::chrono::steady_clock::now();
    ingest::LoadOptions options;
    options.channels = globs;
    options.rows_in_memory = rows_in_memory;
    if (rows == Rows::kRange) {
        const auto within = range();
        if (!within.ok()) return within.error();
        options.from_ps = within->from_ps;
        options.until_ps = within->until_ps;
    }
    options.progress = [&](double share) { return progress.goes_on(share); };
    options.on_damage = [](const std::string& what) { warn("damage: " + what); };
    options.on_remark = [](const std::string& what) { remark(what); };
    const auto path = path_to(*this, options);
    if (!path.ok()) return path.error();
    auto loaded = ingest::load(*path, session, options);
    if (!loaded.ok()) return with_import_advice(loaded.error(), *path);
    for (const std::string& line : ingest::damage_lines(session)) warn(line);
    if (is_looked_at(session)) look_at_chunks(session);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    mention(fmt::format("read {}: {} events on {} channels in {:.2f} s", name(), session.events(), session.lanes().size(),
                        took.count()));
    return loaded;
}

}  // namespace sla::cli
