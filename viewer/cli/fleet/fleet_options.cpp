#include "viewer/cli/fleet/fleet_options.h"

#include "proto/fleet/streams.h"
#include "proto/wire/glob_list.h"
#include "viewer/formats/output.h"

#include <utility>

namespace sla::cli {

void FleetOptions::add_to(common::Command& command) {
    command.add_option("servers", servers, "nats://[USER:PASSWORD@]HOST[:PORT][,HOST...], or tls://")
        .value_name("SERVERS")
        .required();
    command.add_option("--fleet", fleet, "Name of the fleet").value_name("NAME").show_default();
    command.add_option("--nats-creds", files.creds, "File of NATS credentials (JWT and key) [$NATS_CREDS]")
        .value_name("FILE");
    command
        .add_option("--nats-ca", files.authorities, "Certificates of authorities that the servers' are signed by [$NATS_CA]")
        .value_name("FILE");
    const common::Option certificate =
        command.add_option("--nats-cert", files.certificate, "Certificate to show the servers [$NATS_CERT]")
            .value_name("FILE");
    const common::Option key =
        command.add_option("--nats-key", files.key, "The key of --nats-cert [$NATS_KEY]").value_name("FILE");
    certificate.needs(key);
    key.needs(certificate);
}

Result<std::unique_ptr<fleet::Connection>> FleetOptions::connect() const {
    if (!fleet::is_token(fleet)) {
        return invalid_input("--fleet: '" + fleet + "' is no name of a fleet: letters, digits, _ and - only, 64 at most");
    }
    Result<fleet::Servers> parsed = fleet::parse_servers(servers);
    if (!parsed.ok()) return parsed.error();
    fleet::ConnectOptions options;
    options.servers = std::move(*parsed);
    options.credentials = files;
    options.client = "sla fleet";
    return fleet::Connection::open(options);
}

Result<fleet::FleetSettings> ask_settings(const fleet::Connection& connection, const std::string& fleet) {
    return ask_registry(connection, [&] { return fleet::settings_of(connection, fleet); });
}

Result<std::vector<fleet::RunEntry>> ask_runs(const fleet::Connection& connection, const std::string& bucket) {
    return ask_registry(connection, [&] { return fleet::runs_in(connection, bucket); });
}

int write_fleet_table(const FleetTable& table, const OutputOptions& output) {
    const auto format = output.chosen();
    if (!format.ok()) return complain(format.error());
    auto out = formats::Output::open(output.path);
    if (!out.ok()) return complain(out.error());
    const bool is_for_people = output.is_for_people(*format);
    const auto written = is_for_people ? table.people.write(*out) : table.plain.write(*format, *out);
    if (!written.ok()) return complain(written.error());
    return table.plain.size() > 0 ? kDone : kNo;
}

Result<std::vector<fleet::RunEntry>> running_hosts(const fleet::Connection& connection, const std::string& fleet,
                                                   const std::vector<std::string>& globs) {
    if (const auto there = ask_settings(connection, fleet); !there.ok()) return there.error();
    auto runs = ask_runs(connection, fleet::hosts_bucket(fleet));
    if (!runs.ok()) return runs.error();
    std::erase_if(*runs, [&](const fleet::RunEntry& run) {
        const bool is_meant = globs.empty() || wire::any_glob_matches(globs, run.host);
        return run.ended_ns != 0 || !is_meant;
    });
    if (!runs->empty()) return runs;
    return not_found(globs.empty()
                         ? "no agent of the fleet '" + fleet + "' runs: `sla fleet hosts` tells what became of them"
                         : "no running agent's host matches --host: `sla fleet hosts` shows their names");
}

}  // namespace sla::cli
