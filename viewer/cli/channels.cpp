// sla channels: what there is.
#include "viewer/analysis/selection.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/formats/table/small_table.h"

#include <cmath>
#include <memory>

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

std::string losses_of(const store::Lane& lane) {
    std::string out;
    for (int cause = 1; cause <= static_cast<int>(wire::kLastLossCause); ++cause) {
        const std::uint64_t lost = lane.lost(static_cast<wire::LossCause>(cause));
        if (lost == 0 || static_cast<wire::LossCause>(cause) == wire::LossCause::kNotKept) continue;
        out += out.empty() ? "" : ", ";
        out += std::to_string(lost) + " " + wire::loss_cause_name(static_cast<wire::LossCause>(cause));
    }
    return out;
}

// A look at every lane: once, and not for each of them.
double length_of(const store::Session& session) {
    return static_cast<double>(session.last_tick() - session.first_tick()) / session.clock().ticks_per_second();
}

// Events a second over the whole capture; nothing when it has no length.
Field rate_of(const store::Lane& lane, double seconds) {
    if (seconds <= 0) return {};
    return std::round(static_cast<double>(lane.events()) / seconds * 1000) / 1000;
}

Field time_of(const store::Lane& lane, std::uint64_t tick, const store::Session& session) {
    if (lane.empty()) return {};
    return formats::Ps{session.clock().to_ps(tick)};
}

formats::SmallTable table_of(const store::Session& session, const analysis::Selection& selection) {
    formats::SmallTable table(
        {"channel", "source", "kinds", "events", "lost", "rate_hz", "first_ns", "last_ns", "losses", "not_kept"});
    const double seconds = length_of(session);
    for (const store::Lane* lane : selection.lanes) {
        const store::Source* source = session.source_of(*lane);
        table.add({lane->channel().name, source == nullptr ? "" : source->name, kinds_of(*lane), lane->events(),
                   lane->lost(), rate_of(*lane, seconds), time_of(*lane, lane->first_tick(), session),
                   time_of(*lane, lane->last_tick(), session), losses_of(*lane), lane->not_kept()});
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
    const auto table = table_of(session, *selection);
    if (const auto written = table.write(*format, *out); !written.ok()) return complain(written.error());
    if (table.size() > 0) return kDone;
    remark(input.name() + " has no channels; is a marked program running?");
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
    command.footer(
        "lost: gone for whoever reads this, and losses says why: overrun, late, torn, no ring, damaged for everybody; "
        "lagged:\n"
        "this reader was too slow. not_kept: from before this reader came, and the agent's memory had given it up\n"
        "(sla-agent --memory, --channel-memory, --keep); no loss.");
    command.action([=] { return run_channels(*input, *output); });
}

}  // namespace sla::cli
