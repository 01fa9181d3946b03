#include "agent/daemon/options/publish_options.h"

#include "proto/base/size.h"
#include "proto/fleet/names.h"
#include "proto/time/duration.h"

#include <algorithm>
#include <tuple>

namespace sla::daemon {
namespace {

constexpr std::uint64_t kMinSpool = std::uint64_t{1} << 20;
// Who looks calls a host silent after 10 s.
constexpr std::chrono::milliseconds kOftenest{100};
constexpr std::chrono::milliseconds kSeldomest{5000};

Result<std::chrono::milliseconds> parse_report_every(const std::string& text) {
    Result<std::int64_t> ps = time::parse_duration(text);
    if (!ps) return ps.error();
    const auto every =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<std::int64_t, std::pico>(*ps));
    if (every < kOftenest || every > kSeldomest) return invalid_input("'" + text + "' is not between 100ms and 5s");
    return every;
}

}  // namespace

std::vector<std::pair<const char*, std::string*>> PublishOptions::keys() {
    return {{"publish", &servers},
            {"fleet", &fleet},
            {"host", &host},
            {"spool", &spool},
            {"spool_dir", &spool_folder},
            {"report_every", &report_every},
            {"fleet_control", &control},
            {"nats_creds", &credentials.creds},
            {"nats_ca", &credentials.authorities},
            {"nats_cert", &credentials.certificate},
            {"nats_key", &credentials.key}};
}

void describe_publishing(common::Command& app, PublishOptions& typed) {
    app.add_option(
           "--publish", typed.servers,
           "Publish everything to a fleet's NATS JetStream servers: nats://[USER:PASSWORD@]HOST[:PORT][,HOST...], or "
           "tls://; made ready by `sla fleet setup`")
        .value_name("SERVERS");
    app.add_option("--fleet", typed.fleet, "Name of the fleet [default]").value_name("NAME");
    app.add_option("--host", typed.host, "What the fleet calls this machine [its host name]").value_name("NAME");
    app.add_option("--spool", typed.spool,
                   "Most bytes on disk that wait for the fleet's servers [2GiB]; what finds no room is counted as dropped")
        .value_name("SIZE");
    app.add_option("--spool-dir", typed.spool_folder, "Where they wait [$XDG_STATE_HOME/sla/spool/FLEET]").value_name("DIR");
    app.add_option("--report-every", typed.report_every,
                   "How often the fleet's registry is told how this agent does [2s]; 100ms to 5s")
        .value_name("TIME");
    app.add_option("--fleet-control", typed.control,
                   "What the fleet may make this agent do: none; shots: keep its window when another host fires (default); "
                   "all: take switches, filters, limits and triggers too (sla fleet set, trigger)")
        .suggest({"none", "shots", "all"})
        .value_name("none|shots|all");
    app.add_option("--nats-creds", typed.credentials.creds,
                   "File of NATS credentials (JWT and key) of this agent's user [$NATS_CREDS]")
        .value_name("FILE");
    app.add_option("--nats-ca", typed.credentials.authorities,
                   "Certificates of authorities that the servers' are signed by [$NATS_CA]")
        .value_name("FILE");
    app.add_option("--nats-cert", typed.credentials.certificate, "Certificate to show the servers [$NATS_CERT]")
        .value_name("FILE");
    app.add_option("--nats-key", typed.credentials.key, "The key of --nats-cert [$NATS_KEY]").value_name("FILE");
}

Result<void> take_publishing(const PublishOptions& typed, publish::Options& options, const std::string& before) {
    const bool is_typed = before == kTyped;
    const auto wrong = [&](std::string key, const std::string& why) {
        if (is_typed) std::replace(key.begin(), key.end(), '_', '-');  // as the options are called
        return invalid_input(before + key + ": " + why);
    };
    if (!typed.servers.empty()) {
        Result<fleet::Servers> servers = fleet::parse_servers(typed.servers);
        if (!servers) return wrong("publish", servers.error().message);
        options.servers = std::move(*servers);
    }
    for (const auto& [key, text, to] :
         {std::tuple{"fleet", &typed.fleet, &options.fleet}, std::tuple{"host", &typed.host, &options.host}}) {
        if (text->empty()) continue;
        if (!fleet::is_token(*text))
            return wrong(key, "'" + *text + "' is no name in a fleet: letters, digits, _ and - only, 64 at most");
        *to = *text;
    }
    if (!typed.spool.empty()) {
        Result<std::uint64_t> bytes = parse_size(typed.spool);
        if (!bytes) return wrong("spool", bytes.error().message);
        if (*bytes < kMinSpool) return wrong("spool", "1MiB is the least that it takes");
        options.spool_bytes = *bytes;
    }
    if (!typed.report_every.empty()) {
        Result<std::chrono::milliseconds> every = parse_report_every(typed.report_every);
        if (!every) return wrong("report_every", every.error().message);
        options.report_every = *every;
    }
    if (!typed.control.empty()) {
        const auto control = fleet::parse_control(typed.control);
        if (!control) return wrong("fleet_control", "'" + typed.control + "' is none of none, shots and all");
        options.control = *control;
    }
    for (auto [from, to] : {std::pair{&typed.spool_folder, &options.spool_folder},
                            std::pair{&typed.credentials.creds, &options.credentials.creds},
                            std::pair{&typed.credentials.authorities, &options.credentials.authorities},
                            std::pair{&typed.credentials.certificate, &options.credentials.certificate},
                            std::pair{&typed.credentials.key, &options.credentials.key}}) {
        if (!from->empty()) *to = *from;
    }
    if (options.credentials.certificate.empty() != options.credentials.key.empty())
        return wrong(options.credentials.key.empty() ? "nats_cert" : "nats_key",
                     "a certificate for the NATS servers needs its key, and a key its certificate");
    return {};
}

}  // namespace sla::daemon
