// sla fleet: the cluster that agents publish to, and who publishes to it.
#include "proto/base/size.h"
#include "proto/fleet/setup.h"
#include "proto/fleet/streams.h"
#include "proto/fleet/talk.h"
#include "proto/fleet/wanted_settings.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "viewer/cli/fleet/fleet_options.h"
#include "viewer/cli/interrupt.h"
#include "viewer/cli/text/progress.h"
#include "viewer/formats/output.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

namespace sla::cli {

namespace {

struct FleetSetupOptions {
    FleetOptions to;
    fleet::WantedSettings wanted;
    std::string age;  // empty: not typed
};

int run_fleet_setup(const FleetSetupOptions& options) {
    fleet::WantedSettings wanted = options.wanted;
    if (!options.age.empty()) {
        const Result<std::int64_t> age = time::parse_duration(options.age);
        if (!age.ok() || *age < 0)
            return complain(invalid_input("--age: '" + options.age + "' is no time; write 24h, 90min ..."));
        wanted.age_ns = *age / time::kPicosecondsPerNanosecond;
    }
    const auto connection = options.to.connect();
    if (!connection.ok()) return complain(connection.error());
    const auto settings = fleet::settings_for(**connection, options.to.fleet, wanted);
    if (!settings.ok()) return complain(settings.error());
    const auto done =
        fleet::set_up(**connection, options.to.fleet, *settings, [](const std::string& text) { remark(text); });
    if (!done.ok()) return complain(done.error());
    return write_text("-", permissions_text(options.to.fleet, settings->shards));
}

struct FleetListOptions {
    FleetOptions of;
    OutputOptions output;
    bool watch = false;
};

void warn_of_twins(const std::vector<fleet::RunEntry>& captures) {
    for (const std::string& twins : fleet::twins_in(captures)) warn(twins);
}

void warn_of_twins(const fleet::Connection& connection, const std::string& fleet) {
    if (const auto captures = ask_runs(connection, fleet::captures_bucket(fleet)); captures.ok()) warn_of_twins(*captures);
}

using MakeFleetTable = FleetTable (*)(const std::vector<fleet::RunEntry>&, std::int64_t);

int run_fleet_list(const FleetListOptions& options, std::string (*bucket)(std::string_view), MakeFleetTable make) {
    const auto connection = options.of.connect();
    if (!connection.ok()) return complain(connection.error());
    if (const auto there = ask_settings(**connection, options.of.fleet); !there.ok()) return complain(there.error());
    const auto runs = ask_runs(**connection, bucket(options.of.fleet));
    if (!runs.ok()) return complain(runs.error());
    if (bucket == fleet::captures_bucket) {
        warn_of_twins(*runs);
    } else {
        warn_of_twins(**connection, options.of.fleet);
    }
    return write_fleet_table(make(*runs, fleet::now_utc_ns()), options.output);
}

struct FleetStatus {
    std::vector<fleet::ShardState> shards;
    std::vector<fleet::RunEntry> hosts;
};

Result<FleetStatus> look_at_fleet(const fleet::Connection& connection, const std::string& fleet) {
    const auto settings = fleet::settings_of(connection, fleet);
    if (!settings.ok()) return settings.error();
    FleetStatus status;
    for (std::uint32_t shard = 0; shard < settings->shards; ++shard) {
        auto state = fleet::state_of(connection, fleet, shard);
        if (!state.ok()) return state.error();
        status.shards.push_back(std::move(*state));
    }
    auto hosts = fleet::runs_in(connection, fleet::hosts_bucket(fleet));
    if (!hosts.ok()) return hosts.error();
    status.hosts = std::move(*hosts);
    return status;
}

// Every two seconds, until Ctrl-C: on a terminal a screen that is drawn anew, else one behind the other.
int watch_fleet(const fleet::Connection& connection, const std::string& fleet) {
    const bool is_terminal = isatty(STDOUT_FILENO) == 1;
    auto out = formats::Output::open("-");
    if (!out.ok()) return complain(out.error());
    while (interrupted() == 0) {
        const auto status = look_at_fleet(connection, fleet);
        const std::int64_t now = fleet::now_utc_ns();
        const std::string screen = status.ok() ? sum_of(status->hosts, now) + "\n\n" +
                                                     shards_table(status->shards, nullptr, now).people.text() + "\n" +
                                                     hosts_table(status->hosts, now).people.text()
                                               : status.error().message + "\n";
        const auto written = out->write(is_terminal ? "\x1b[H\x1b[J" + screen : screen + "\n");
        if (!written.ok()) return complain(written.error());
        if (out->is_closed()) return kDone;
        for (int i = 0; i < 20 && interrupted() == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return kDone;
}

// Of all captures in shards of which somebody deleted messages: what `sla fleet drop` takes leaves nothing behind that it is said of.
Result<std::vector<fleet::CaptureLosses>> lost_of(const std::shared_ptr<const fleet::Connection>& connection,
                                                  const std::string& fleet, const std::vector<fleet::ShardState>& shards) {
    const bool was_any = std::any_of(shards.begin(), shards.end(), [](const auto& shard) { return shard.deleted > 0; });
    if (!was_any) return std::vector<fleet::CaptureLosses>();
    const auto captures = ask_runs(*connection, fleet::captures_bucket(fleet));
    if (!captures.ok()) return captures.error();
    Progress progress("looking for what was deleted");
    return fleet::losses_of(connection, fleet, *captures, [&] { return progress.goes_on(-1); });
}

int run_fleet_status(const FleetListOptions& options) {
    auto opened = options.of.connect();
    if (!opened.ok()) return complain(opened.error());
    const std::shared_ptr<const fleet::Connection> connection = std::move(*opened);
    if (options.watch && isatty(STDOUT_FILENO) == 1) return watch_fleet(*connection, options.of.fleet);
    const auto status = ask_registry(*connection, [&] { return look_at_fleet(*connection, options.of.fleet); });
    if (!status.ok()) return complain(status.error());
    const auto losses = lost_of(connection, options.of.fleet, status->shards);
    if (!losses.ok()) return complain(losses.error());
    const std::int64_t now = fleet::now_utc_ns();
    remark(sum_of(status->hosts, now));
    warn_of_twins(*connection, options.of.fleet);
    for (const fleet::CaptureLosses& one : *losses) warn(fleet::in_words(one));
    return write_fleet_table(shards_table(status->shards, &*losses, now), options.output);
}

int run_fleet_watch(const FleetOptions& options) {
    const auto connection = options.connect();
    if (!connection.ok()) return complain(connection.error());
    if (const auto there = ask_settings(**connection, options.fleet); !there.ok()) return complain(there.error());
    return watch_fleet(**connection, options.fleet);
}

void add_fleet_setup(common::Command& fleet) {
    common::Command& command =
        fleet.add_command("setup", "Make or change a fleet's streams and buckets, and print who needs which permissions");
    auto options = std::make_shared<FleetSetupOptions>();
    options->to.add_to(command);
    command.add_option("--replicas", options->wanted.replicas, "Servers that each message is stored on [3]")
        .range(1, 5)
        .value_name("N");
    command
        .add_option("--shards", options->wanted.shards,
                    "Streams that hosts are spread over; they may become more, not fewer [4]")
        .range(1, fleet::kMaxShards)
        .value_name("N");
    command.add_option("--age", options->age, "How long messages are kept; 0: without a limit [24h]").value_name("TIME");
    command.add_option("--bytes", options->wanted.bytes, "Most that each shard holds, the oldest goes then [10GiB]")
        .value_name("SIZE")
        .as_size();
    command.footer(
        "All shards' bytes, times --replicas, are reserved on the servers' disks (max_file of jetstream) at once. Run it "
        "again to\n"
        "change age, bytes or replicas: what is not named stays as the streams have it, and what changes is said; a shorter "
        "age\n"
        "or fewer bytes delete at once what does not fit. The values in brackets are those of a fleet that is new.\n"
        "What it prints goes into nats-server's configuration, once for each host's agent.\n"
        "  sla fleet setup nats://a,b,c --fleet prod --age 72h --bytes 50GiB");
    command.action([=] { return run_fleet_setup(*options); });
}

common::Command& add_fleet_list(common::Command& fleet, const char* name, const char* help,
                                const std::shared_ptr<FleetListOptions>& options) {
    common::Command& command = fleet.add_command(name, help);
    options->of.add_to(command);
    options->output.add_to(command);
    options->output.add_raw(command);
    return command;
}

}  // namespace

void add_fleet(common::Command& app) {
    common::Command& command =
        app.add_command("fleet", "Set up, look at and control a cluster that agents publish to, and these agents");
    add_fleet_setup(command);
    auto hosts = std::make_shared<FleetListOptions>();
    add_fleet_list(command, "hosts",
                   "Every host's newest agent: what it published, what waits, its clock; exit code 1: none", hosts)
        .action([=] { return run_fleet_list(*hosts, fleet::hosts_bucket, hosts_table); });
    auto captures = std::make_shared<FleetListOptions>();
    add_fleet_list(command, "captures", "Every run of an agent that is in the cluster; exit code 1: none", captures)
        .action([=] { return run_fleet_list(*captures, fleet::captures_bucket, captures_table); });
    auto status = std::make_shared<FleetListOptions>();
    common::Command& look = add_fleet_list(
        command, "status", "The cluster's shards: how full, how old, who leads, who is behind; what was lost there", status);
    look.add_flag("--watch", status->watch, "On a terminal: shards and hosts, drawn anew every two seconds");
    look.footer(
        "deleted: messages that somebody deleted of a stream, between others. lost: events that captures lack with them, or "
        "at\ntheir ends. What is gone of their beginnings, expired or deleted, is history and no loss.");
    look.action([=] { return run_fleet_status(*status); });
    auto watched = std::make_shared<FleetOptions>();
    common::Command& watch = command.add_command("watch", "Shards and hosts every two seconds, until Ctrl-C");
    watched->add_to(watch);
    watch.action([=] { return run_fleet_watch(*watched); });
    add_fleet_control(command);
    add_fleet_shots(command);
    add_fleet_keep(command);
}

}  // namespace sla::cli
