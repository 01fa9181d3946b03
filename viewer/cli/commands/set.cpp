// sla set: switches, filters and limits of a running agent's channels.
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/set_options.h"
#include "viewer/cli/text/agent_status.h"
#include "viewer/ingest/request.h"

#include <memory>

namespace sla::cli {

namespace {

int run_set(const SetOptions& options, const std::string& typed_address) {
    const auto address = agent_address(typed_address);
    if (!address.ok()) return complain(address.error());
    auto request = options.request();
    if (!request.ok()) return complain(request.error());
    const auto sent = ingest::send_request(*address, *request);
    if (!sent.ok()) return complain(sent.error());
    if (options.channels.empty()) return kDone;
    if (const auto channels = channels_of(*address, "sla set")) {
        warn_of_unknown(*channels, options.channels);
        if (request->set_channels().has_filter()) warn_of_unfiltered(*channels, options.channels);
    }
    return kDone;
}

}  // namespace

void add_set(common::Command& app) {
    common::Command& command = app.add_command("set", "Switch, filter and limit channels of the running agent");
    auto options = std::make_shared<SetOptions>();
    auto address = std::make_shared<std::string>();
    options->describe(command);
    add_agent(command, *address);
    command.footer(
        "What is not named stays as it is (--every and --filter are one setting, the filter: naming one of them alone "
        "takes\n"
        "the other away). With no channel named, --keep, --bytes and --memory are the agent's defaults.\n"
        "A newer rule stands before older ones. Switches and filters act inside the marked programs, before the stamp; a "
        "channel that comes later\n"
        "obeys within a few milliseconds. Markers without a value pass a condition on the value; a span is kept or turned "
        "away whole, by its\n"
        "begin. What is turned away is counted (sla top), and is no loss. The kernel's channels (linux.*) have no such "
        "filters: theirs\n"
        "stand behind `sla-agent --linux`. Everything set here ends with the agent.\n"
        "Example: sla set 'net.*' --filter 'value > 1500' --keep 10s");
    command.action([=] { return run_set(*options, *address); });
}

}  // namespace sla::cli
