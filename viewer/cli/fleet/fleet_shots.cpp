// sla fleet shots: what each host kept when one of them fired.
#include "proto/fleet/streams.h"
#include "viewer/cli/fleet/fleet_options.h"

#include <memory>

namespace sla::cli {

namespace {

struct FleetShotsOptions {
    FleetOptions of;
    OutputOptions output;
};

int run_fleet_shots(const FleetShotsOptions& options) {
    const auto connection = options.of.connect();
    if (!connection.ok()) return complain(connection.error());
    if (const auto there = ask_settings(**connection, options.of.fleet); !there.ok()) return complain(there.error());
    const auto shots = ask_registry(**connection, [&] { return fleet::shots_of(**connection, options.of.fleet); });
    if (!shots.ok()) return complain(shots.error());
    return write_fleet_table(shots_table(*shots), options.output);
}

}  // namespace

void add_fleet_shots(common::Command& fleet) {
    common::Command& command = fleet.add_command(
        "shots", "What each host kept when one of them fired, and how far off its instant may be; exit code 1: no shots");
    auto options = std::make_shared<FleetShotsOptions>();
    options->of.add_to(command);
    options->output.add_to(command);
    options->output.add_raw(command);
    command.footer(
        "A host that says nothing of a shot was not there, or takes no part (--fleet-control none). The windows of one shot "
        "as "
        "files, to be opened together:\n"
        "  sla fleet keep nats://a,b,c --fleet prod --shot 20261124T164501-9f3a -o DIR");
    command.action([=] { return run_fleet_shots(*options); });
}

}  // namespace sla::cli
