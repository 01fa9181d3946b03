// sla channels: what there is.
#include "proto/time/duration.h"
#include "viewer/analysis/selection.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/formats/names.h"
#include "viewer/formats/table/people_table.h"
#include "viewer/formats/table/small_table.h"
#include "viewer/store/host_texts.h"
#include "viewer/store/unreadable_pages.h"
#include "viewer/timeline/readable.h"

#include <algorithm>
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
        if (!lane.has(static_cast<wire::Kind>(kind))) continue;
        out += out.empty() ? "" : " ";
        out += wire::kind_name(static_cast<wire::Kind>(kind));
    }
    return out;
}

// What cannot be read is lost, and counted once: all pages are asked for it.
struct Counts {
    explicit Counts(const store::Lane& of)
        : unreadable(store::unreadable_of(of, store::PageSource::Look::kKnown).events),
          events(of.events() - unreadable),
          lost(of.lost() + unreadable) {}
    std::uint64_t unreadable;
    std::uint64_t events;
    std::uint64_t lost;
};

// As at the end of a fleet's capture whose last messages somebody deleted.
bool has_uncounted_damage(const store::Lane& lane) {
    return std::any_of(lane.gaps().begin(), lane.gaps().end(),
                       [](const store::Gap& gap) { return gap.cause == wire::LossCause::kDamaged && gap.lost == 0; });
}

std::string losses_of(const store::Lane& lane, const Counts& counts) {
    std::string out = has_uncounted_damage(lane) ? "an unknown number damaged" : "";
    for (int cause = 1; cause <= static_cast<int>(wire::kLastLossCause); ++cause) {
        std::uint64_t lost = lane.lost(static_cast<wire::LossCause>(cause));
        if (static_cast<wire::LossCause>(cause) == wire::LossCause::kDamaged) lost += counts.unreadable;
        if (lost == 0 || static_cast<wire::LossCause>(cause) == wire::LossCause::kNotKept) continue;
        out += out.empty() ? "" : ", ";
        out += std::to_string(lost) + " " + wire::loss_cause_name(static_cast<wire::LossCause>(cause));
    }
    return out;
}

// From the first row on that is here: what the agent had given up before is no part of it.
struct Extent {
    explicit Extent(const store::Lane& lane) {
        if (lane.empty()) return;
        first = lane.first_tick();
        last = lane.last_tick();
        std::uint64_t rows = 0;
        for (const store::Gap& gap : lane.gaps()) {
            if (gap.index != rows || !gap.is_not_kept()) break;
            first = gap.until_tick;
            ++rows;
        }
        is_empty = rows == lane.size();
    }

    bool is_empty = true;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

// Events a second from the channel's first row to its last; nothing when it was there for a moment only.
std::optional<double> rate_of(const Extent& extent, const Counts& counts, const store::Session& session) {
    if (extent.is_empty || counts.events == 0 || extent.last <= extent.first) return std::nullopt;
    const double seconds = static_cast<double>(extent.last - extent.first) / session.clock().ticks_per_second();
    return std::round(static_cast<double>(counts.events - 1) / seconds * 1000) / 1000;
}

Field time_of(const Extent& extent, std::uint64_t tick, const store::Session& session) {
    if (extent.is_empty) return {};
    return formats::Ps{session.clock().to_ps(tick)};
}

std::string duration(const Extent& extent, std::uint64_t tick, const store::Session& session) {
    return extent.is_empty ? "" : time::format_duration(session.clock().to_ps(tick));
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
        const Counts counts(*lane);
        const Extent extent(*lane);
        const auto rate = rate_of(extent, counts, session);
        table.add({lane->channel().name, sources.of(*lane), kinds_of(*lane), std::to_string(counts.events),
                   missing_of(*lane, counts), rate ? timeline::readable_rate(*rate) : "",
                   duration(extent, extent.first, session), duration(extent, extent.last, session)});
    }
    return table;
}

formats::SmallTable table_of(const store::Session& session, const analysis::Selection& selection) {
    formats::SmallTable table(
        {"channel", "source", "kinds", "events", "lost", "rate_hz", "first_ns", "last_ns", "losses", "not_kept"});
    const formats::SourceTexts sources(session);
    for (const store::Lane* lane : selection.lanes) {
        const Counts counts(*lane);
        const Extent extent(*lane);
        const auto rate = rate_of(extent, counts, session);
        table.add({lane->channel().name, sources.of(*lane), kinds_of(*lane), counts.events, counts.lost,
                   rate ? Field(*rate) : Field(), time_of(extent, extent.first, session),
                   time_of(extent, extent.last, session), losses_of(*lane, counts), lane->not_kept()});
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
        "rate counts from the channel's first event to its last.\n"
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
