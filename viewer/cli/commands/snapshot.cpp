// sla snapshot: what the agent holds, into a file.
#include "proto/time/duration.h"
#include "viewer/cli/command.h"
#include "viewer/cli/commands/record/record.h"
#include "viewer/cli/input.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/local_capture.h"
#include "viewer/cli/text/agent_status.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/endings.h"

namespace sla::cli {

namespace {

struct SnapshotOptions {
    std::string file;
    std::string last;
    std::vector<std::string> channels;
    std::string address;
};

int run_snapshot(const SnapshotOptions& options) {
    if (const auto good = formats::check_capture_name(options.file); !good.ok()) return complain(good.error());
    ingest::StreamOptions stream;
    stream.client = "sla snapshot";
    stream.until_now = true;
    stream.channels = options.channels;
    const auto address = agent_address(options.address);
    if (!address.ok()) return complain(address.error());
    stream.address = *address;
    if (options.file == "-") return complain(invalid_input("-o -: a capture is a file, it cannot go to standard output"));
    if (!options.last.empty()) {
        const auto ps = time::parse_duration(options.last);
        if (!ps.ok()) return complain(invalid_input("--last: " + ps.error().message));
        if (*ps < 1000) return complain(invalid_input("--last " + options.last + " is too short a time"));
        stream.last_ns = *ps / 1000;
    }
    if (!options.channels.empty()) {
        const auto channels = channels_of(*address, stream.client);
        const auto unknown = channels ? unknown_channels(*channels, options.channels) : std::vector<Error>();
        if (!unknown.empty()) return complain(unknown.front());
    }
    if (const auto saved = save_with_progress(stream, options.file); !saved.ok()) return complain(saved.error());
    report_summary(options.file, !options.last.empty()       ? "nothing was marked within that time"
                                 : !options.channels.empty() ? "nothing of these channels is kept"
                                                             : kNothingMarked);
    return kDone;
}

}  // namespace

void add_snapshot(common::Command& app) {
    common::Command& command = app.add_command("snapshot", "Save what the running agent holds now, and disturb nobody");
    auto options = std::make_shared<SnapshotOptions>();
    command.add_option("-o,--output", options->file, "The capture file; it appears when it is whole")
        .required()
        .value_name("FILE");
    command
        .add_option("--last", options->last,
                    "Only so much of the past, as in 10s; and what comes while it is saved, a quarter of a second")
        .value_name("TIME");
    command.add_option("--channel", options->channels, "Only channels of this name or pattern (repeatable)")
        .value_name("GLOB")
        .one_each();
    add_agent(command, options->address);
    command.footer(
        "With `sla-agent --keep 30s` in the background this is a flight recorder: when something odd has happened, save "
        "what "
        "led up to it.\n"
        "What the agent has dropped before stands in the file as a gap with its exact number of events.");
    command.action([=] { return run_snapshot(*options); });
}

}  // namespace sla::cli
