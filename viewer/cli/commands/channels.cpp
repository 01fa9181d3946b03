// sla channels: what there is.
#include "proto/time/duration.h"
#include "viewer/analysis/lane_rate.h"
#include "viewer/analysis/selection.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/formats/names.h"
#include "viewer/formats/table/people_table.h"
#include "viewer/formats/table/small_table.h"
#include "viewer/store/host_texts.h"
#include "viewer/store/unreadable_pages.h"
#include "viewer/timeline/readable.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

namespace sla::cli {

namespace {

using formats::Field;

std::string kinds_of(const store::Lane& lane) {
    std::string out;
    for (int kind = 0; kind < static_cast<int>(wire::Kind::kGap); ++kind) {
        if (!store::has_readable(lane, static_cast<wire::Kind>(kind))) continue;
        out += out.empty() ? "" : " ";
        out += wire::kind_name(static_cast<wire::Kind>(kind));
    }
    return out;
}

// What cannot be read is lost, and counted once: all pages are asked for it. What only says what held before a part that was
// cut out is no event of it.
struct Counts {
    Counts(const store::Session& session, const store::Lane& of)
        : Counts(analysis::readable_events(session, of, store::PageSource::Look::kKnown), of.lost()) {}
    Counts(const analysis::ReadableEvents& of, std::uint64_t lost_in_rows)
        : unreadable(of.unreadable), events(of.events), lost(lost_in_rows + of.unreadable) {}
    std::uint64_t unreadable;
    std::uint64_t events;
    std::uint64_t lost;
};

using ByCause = std::array<bool, static_cast<std::size_t>(wire::kLastLossCause) + 1>;

// Whether nobody counted some: as at the end of a fleet's capture whose last messages somebody deleted, or while no agent
// ran.
ByCause uncounted_of(const store::Lane& lane) {
    ByCause uncounted{};
    for (const store::Gap& gap : lane.gaps()) uncounted[static_cast<std::size_t>(gap.cause)] |= gap.lost == 0;
    return uncounted;
}

std::string losses_of(const store::Lane& lane, const Counts& counts) {
    std::string out;
    const auto add = [&out](const std::string& number, wire::LossCause cause) {
        out += (out.empty() ? "" : ", ") + number + " " + wire::loss_cause_name(cause);
    };
    const auto uncounted = uncounted_of(lane);
    for (std::size_t number = 1; number < uncounted.size(); ++number) {
        const auto cause = static_cast<wire::LossCause>(number);
        if (cause == wire::LossCause::kNotKept) continue;
        const std::uint64_t lost = lane.lost(cause) + (cause == wire::LossCause::kDamaged ? counts.unreadable : 0);
        if (uncounted[number]) add("an unknown number", cause);
        if (lost > 0) add(std::to_string(lost), cause);
    }
    return out;
}

using Part = std::optional<analysis::KnownExtent>;

std::optional<double> rate_of(const store::Lane& lane, const Counts& counts, const store::Session& session) {
    const auto rate =
        analysis::rate_of(lane, analysis::from_begin(session, {}), counts.events, session.clock().ticks_per_second());
    return rate ? std::optional(std::round(*rate * 1000) / 1000) : std::nullopt;
}

Field time_of(const Part& part, std::uint64_t analysis::KnownExtent::*end, const store::Session& session) {
    return part ? Field(formats::Ps{session.clock().to_ps(*part.*end)}) : Field();
}

std::string duration(const Part& part, std::uint64_t analysis::KnownExtent::*end, const store::Session& session) {
    return part ? time::format_duration(session.clock().to_ps(*part.*end)) : "";
}

// Losses, and what is no loss: history that the agent gave up before this reader came.
std::string missing_of(const store::Lane& lane, const Counts& counts) {
    const std::string losses = losses_of(lane, counts);
    if (lane.not_kept() == 0) return losses;
    return losses + (losses.empty() ? "" : "; ") + std::to_string(lane.not_kept()) + " not kept";
}

formats::PeopleTable people_table_of(const store::Session& session, const analysis::Selection& selection) {
    formats::PeopleTable table({"channel", "source", "kinds", ">events", "lost", ">rate", ">first", ">last"});
    const formats::SourceTexts sources(session);
    for (const store::Lane* lane : selection.lanes) {
        const Counts counts(session, *lane);
        const Part part = analysis::recorded_part(*lane, session.origin().begin_tick);
        const auto rate = rate_of(*lane, counts, session);
        table.add({lane->channel().name, sources.of(*lane), kinds_of(*lane), std::to_string(counts.events),
                   missing_of(*lane, counts), rate ? timeline::readable_rate(*rate) : "",
                   duration(part, &analysis::KnownExtent::from, session),
                   duration(part, &analysis::KnownExtent::until, session)});
    }
    return table;
}

formats::SmallTable table_of(const store::Session& session, const analysis::Selection& selection) {
    formats::SmallTable table(
        {"channel", "source", "kinds", "events", "lost", "rate_hz", "first_ns", "last_ns", "losses", "not_kept"});
    const formats::SourceTexts sources(session);
    for (const store::Lane* lane : selection.lanes) {
        const Counts counts(session, *lane);
        const Part part = analysis::recorded_part(*lane, session.origin().begin_tick);
        const auto rate = rate_of(*lane, counts, session);
        table.add({lane->channel().name, sources.of(*lane), kinds_of(*lane), counts.events, counts.lost,
                   rate ? Field(*rate) : Field(), time_of(part, &analysis::KnownExtent::from, session),
                   time_of(part, &analysis::KnownExtent::until, session), losses_of(*lane, counts), lane->not_kept()});
    }
    return table;
}

int run_channels(const InputOptions& input, const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    store::Session session;
    if (const auto loaded = input.load(session, input.channels); !loaded.ok()) return complain(loaded.error());
    const auto selection = analysis::select(session, input.channels);
    if (!selection.ok()) return complain(selection.error());
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    const auto written = output.is_for_people(*format) ? people_table_of(session, *selection).write(*out)
                                                       : table_of(session, *selection).write(*format, *out);
    if (!written.ok()) return complain(written.error());
    for (const std::string& line : store::clock_remarks(session)) remark(line);
    if (!selection->lanes.empty()) return kDone;
    std::error_code ignored;
    const bool is_file = input.target == "-" || std::filesystem::exists(input.target, ignored);
    const char* const why = session.damage_count() > 0 ? " that can be read"
                            : is_file                  ? ": nothing was marked"
                                                       : "; is a marked program running?";
    remark(input.name() + " has no channels" + why);
    return kNo;
}

}  // namespace

void add_channels(common::Command& app) {
    common::Command& command = app.add_command("channels", "List channels: names, kinds, rates, losses");
    auto input = std::make_shared<InputOptions>();
    auto output = std::make_shared<OutputOptions>();
    input->add_target(command);
    input->add_channels(command);
    output->add_to(command);
    output->add_raw(command);
    command.footer(
        "Columns elsewhere than on a terminal: channel,source,kinds,events,lost,rate_hz,first_ns,last_ns,losses,not_kept. "
        "The\n"
        "rate, here as in the window, is events a second over the time in which the channel is recorded: from its first "
        "event "
        "that\n"
        "is kept to its last. (`sla check --limit 'rate CHANNEL ...'` counts over all of the capture, silence too.)\n"
        "Of a part that `sla cut` made its own events count, not the rows before it that only say what held where it "
        "begins.\n"
        "lost: gone for whoever reads this, and losses says why: overrun, late, torn, no ring, damaged for everybody; "
        "lagged:\n"
        "this reader was too slow. Of a capture of more than 4 M events the index is read and no row: events that can no "
        "longer be read are "
        "counted\n"
        "among the others here; `sla verify` finds them. not_kept: from before this reader came, and the agent's memory had "
        "given it up\n"
        "(sla-agent --memory, --channel-memory, --keep); no loss.\n"
        "What is said beside the table: how well other hosts' times were placed on this axis, and whose wall clock is not\n"
        "synchronised.");
    command.action([=] { return run_channels(*input, *output); });
}

}  // namespace sla::cli
