// What the commands of `sla fleet` share: how a fleet is named, and how they begin and end.
#pragma once

#include "proto/base/result.h"
#include "proto/common/command_line.h"
#include "proto/fleet/connection.h"
#include "proto/fleet/names.h"
#include "proto/fleet/registry.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fleet/fleet_tables.h"
#include "viewer/cli/interrupt.h"
#include "viewer/fleet/ask_again.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::cli {

struct FleetOptions {
    std::string servers;
    std::string fleet = fleet::kDefaultFleet;
    fleet::Credentials files;

    void add_to(common::Command& command);
    // Tries every server once.
    [[nodiscard]] Result<std::unique_ptr<fleet::Connection>> connect() const;
};

// A question to the registry: asked again while the servers elect a leader, which is said, until Ctrl-C.
template <typename Ask>
auto ask_registry(const fleet::Connection& connection, Ask ask) {
    bool is_said = false;
    const auto goes_on = [&] {
        if (!is_said) remark("no answer yet (has a server died?); asking again for up to 45 s");
        is_said = true;
        return interrupted() == 0;
    };
    return fleet::ask_patiently(connection, goes_on, ask);
}
// Whether the fleet is there.
Result<fleet::FleetSettings> ask_settings(const fleet::Connection& connection, const std::string& fleet);
// The runs that a bucket of it tells of.
Result<std::vector<fleet::RunEntry>> ask_runs(const fleet::Connection& connection, const std::string& bucket);

// In the form that was asked for; the exit code: kNo when there are no rows.
int write_fleet_table(const FleetTable& table, const OutputOptions& output);

// Hosts whose agent runs, as far as is known, and whose name one of the globs matches; none: all. An error when there is none.
Result<std::vector<fleet::RunEntry>> running_hosts(const fleet::Connection& connection, const std::string& fleet,
                                                   const std::vector<std::string>& globs);

// Each adds its part of `sla fleet`.
void add_fleet_control(common::Command& fleet);  // set, trigger
void add_fleet_shots(common::Command& fleet);    // shots
void add_fleet_keep(common::Command& fleet);     // keep, drop

}  // namespace sla::cli
