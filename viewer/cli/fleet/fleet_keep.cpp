// sla fleet keep, drop: what outlives the fleet's retention, and what does not.
#include "proto/fleet/buckets.h"
#include "proto/fleet/streams.h"
#include "proto/fleet/talk.h"
#include "viewer/capture_tools/capture_copy.h"
#include "viewer/capture_tools/capture_cut.h"
#include "viewer/cli/fleet/fleet_options.h"
#include "viewer/cli/text/progress.h"
#include "viewer/fleet/fleet_address.h"
#include "viewer/formats/endings.h"
#include "viewer/ingest/file_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

namespace sla::cli {

namespace {

struct FleetKeepOptions {
    FleetOptions of;
    std::string capture;  // HOST[/CAPTURE]
    std::string shot;
    std::string output;
};

std::string address_of(const FleetOptions& fleet, const std::string& capture) {
    return "fleet:" + fleet.servers + "/" + fleet.fleet + "/" + capture;
}

int keep_capture(const FleetKeepOptions& options) {
    if (const auto good = formats::check_capture_name(options.output); !good.ok()) return complain(good.error());
    const std::string address = address_of(options.of, options.capture);
    Progress progress("keeping " + options.capture);
    const auto goes_on = [&](double share) { return progress.goes_on(share); };
    const auto store = ingest::open_capture(address, goes_on);
    if (!store.ok()) return complain(store.error());
    const auto damage = capture_tools::copy_capture(**store, options.output, goes_on);
    if (!damage.ok()) return complain(damage.error());
    for (const std::string& one : *damage) warn("damage: " + one);
    remark(options.capture + " is kept in " + options.output);
    return kDone;
}

// One host's window of a shot, as a file; false: there is none, and why is said.
bool keep_window(const FleetKeepOptions& options, const fleet::ShotEntry& entry) {
    if (entry.state == "refused") {
        warn(entry.host + " kept nothing of it: " + entry.problem);
        return false;
    }
    if (!entry.problem.empty()) warn(entry.host + ": " + entry.problem);
    const std::string address = address_of(options.of, entry.host + "/" + entry.capture);
    const std::string file = (std::filesystem::path(options.output) / (entry.shot + "-" + entry.host + ".sla")).string();
    Progress progress("keeping " + entry.host + "'s window");
    const auto goes_on = [&](double share) { return progress.goes_on(share); };
    const auto store = ingest::open_capture(address, goes_on);
    if (!store.ok()) return complain(store.error()) == kDone;
    capture_tools::CutPlan plan{
        fleet::shown_address(address), file, {}, {}, capture_tools::CutPlan::Ticks{entry.begin_tick, entry.end_tick}};
    const auto cut = capture_tools::cut_capture(**store, plan, goes_on);
    if (!cut.ok()) return complain(cut.error()) == kDone;
    for (const std::string& one : cut->damage) warn("damage: " + one);
    remark(fmt::format("{} rows of {} in {}", cut->rows, entry.host, file));
    return true;
}

int keep_shot(const FleetKeepOptions& options) {
    const auto connection = options.of.connect();
    if (!connection.ok()) return complain(connection.error());
    const auto shots = ask_registry(**connection, [&] { return fleet::shots_of(**connection, options.of.fleet); });
    if (!shots.ok()) return complain(shots.error());
    std::error_code error;
    std::filesystem::create_directories(options.output, error);
    if (error) return complain(unavailable("cannot make the folder " + options.output + ": " + error.message()));
    std::size_t said = 0;
    std::size_t kept = 0;
    for (const fleet::ShotEntry& entry : *shots) {
        if (entry.shot != options.shot) continue;
        said++;
        kept += keep_window(options, entry) ? 1 : 0;
    }
    if (said == 0)
        return complain(not_found("no host tells of a shot '" + options.shot + "': `sla fleet shots` lists them"));
    if (kept > 1) remark("together: sla-viewer " + options.output + "/" + options.shot + "-*.sla");
    return kept == said ? kDone : kNo;
}

int run_fleet_keep(const FleetKeepOptions& options) {
    if (options.capture.empty() == options.shot.empty())
        return complain(invalid_input("say what to keep: HOST[/CAPTURE] -o FILE.sla, or --shot SHOT -o DIR"));
    return options.shot.empty() ? keep_capture(options) : keep_shot(options);
}

struct FleetDropOptions {
    FleetOptions of;
    std::string capture;
    bool is_meant = false;
};

Error still_published(const fleet::RunEntry& run) {
    return invalid_input(run.host + "/" + run.capture + " is still being published: stop its agent first");
}

Result<void> drop_messages(const fleet::Connection& connection, const std::string& fleet, const fleet::RunEntry& run) {
    const std::string stream = fleet::stream_name(fleet, run.shard);
    const std::string subjects = fleet::subjects_of_capture(fleet, run.shard, run.host, run.capture);
    jsOptions options;
    jsOptions_Init(&options);
    options.Stream.Purge.Subject = subjects.c_str();
    jsErrCode code = static_cast<jsErrCode>(0);
    const std::uint64_t before = connection.complaints();
    const natsStatus status = js_PurgeStream(connection.jetstream(), stream.c_str(), &options, &code);
    return status == NATS_OK ? Result<void>() : connection.error("cannot drop " + subjects, status, before, code);
}

// An agent that runs writes its entry anew every two seconds: that is seen whatever this machine's clock, or the host's, says.
Result<bool> is_written_anew(const fleet::Connection& connection, const fleet::KeyValue& bucket, const std::string& key) {
    constexpr int kLooks = 6;
    const auto first = ask_registry(connection, [&] { return fleet::value_of(connection, bucket, key); });
    if (!first.ok()) return first.error();
    for (int i = 0; i < kLooks; ++i) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        const auto value = ask_registry(connection, [&] { return fleet::value_of(connection, bucket, key); });
        if (!value.ok()) return value.error();
        if (*value != *first) return true;
    }
    return false;
}

// Refuses what is still being published.
Result<void> drop_run(const fleet::Connection& connection, const std::string& fleet, const fleet::RunEntry& run) {
    const auto bucket =
        ask_registry(connection, [&] { return fleet::open_bucket(connection, fleet::captures_bucket(fleet)); });
    if (!bucket.ok()) return bucket.error();
    const std::string key = fleet::capture_key(run.host, run.capture);
    if (run.ended_ns == 0) {
        const auto is_live = is_written_anew(connection, *bucket, key);
        if (!is_live.ok()) return is_live.error();
        if (*is_live) return still_published(run);
    }
    if (auto dropped = drop_messages(connection, fleet, run); !dropped.ok()) return dropped;
    return fleet::delete_key(*bucket, key);
}

int run_fleet_drop(const FleetDropOptions& options) {
    const std::size_t slash = options.capture.find('/');
    const std::string host = options.capture.substr(0, slash);
    const std::string capture = slash == std::string::npos ? "" : options.capture.substr(slash + 1);
    if (!fleet::is_token(host) || !fleet::is_token(capture))
        return complain(invalid_input("'" + options.capture +
                                      "' names no capture: write HOST/CAPTURE, as `sla fleet captures` shows them"));
    const auto connection = options.of.connect();
    if (!connection.ok()) return complain(connection.error());
    const std::string& fleet = options.of.fleet;
    const auto runs = ask_runs(**connection, fleet::captures_bucket(fleet));
    if (!runs.ok()) return complain(runs.error());
    const auto run = std::find_if(runs->begin(), runs->end(),
                                  [&](const fleet::RunEntry& one) { return one.host == host && one.capture == capture; });
    if (run == runs->end())
        return complain(not_found("there is no capture " + options.capture + " in the fleet '" + fleet + "'"));
    if (state_of(*run, fleet::now_utc_ns()) == "live") return complain(still_published(*run));
    if (!options.is_meant) {
        return complain(invalid_input(fmt::format("{} of {} events would be gone for good: say --yes if that is meant",
                                                  options.capture, run->published)));
    }
    if (const auto dropped = drop_run(**connection, fleet, *run); !dropped.ok()) return complain(dropped.error());
    remark(options.capture + " is gone");
    return kDone;
}

void add_fleet_drop(common::Command& fleet) {
    common::Command& command =
        fleet.add_command("drop", "Delete a capture of an agent that has ended, messages and registry entry");
    auto options = std::make_shared<FleetDropOptions>();
    options->of.add_to(command);
    command.add_option("capture", options->capture, "Which one, as `sla fleet captures` shows it")
        .value_name("HOST/CAPTURE")
        .required();
    command.add_flag("--yes", options->is_meant, "It is meant: nothing brings it back");
    command.footer(
        "Where the registry does not say that its agent has ended, six seconds are spent looking whether it still writes "
        "there: "
        "one that\n"
        "does keeps its capture. Exit code 1 never: it is gone, or an error says why not.");
    command.action([=] { return run_fleet_drop(*options); });
}

}  // namespace

void add_fleet_keep(common::Command& fleet) {
    common::Command& command = fleet.add_command(
        "keep", "Save a capture, or every host's window of a shot, as files: the fleet's retention does not reach them");
    auto options = std::make_shared<FleetKeepOptions>();
    options->of.add_to(command);
    command.add_option("capture", options->capture, "Of that host, its newest when none is named")
        .value_name("HOST[/CAPTURE]");
    command.add_option("--shot", options->shot, "Every host's window of this shot, as `sla fleet shots` lists it")
        .value_name("SHOT");
    command.add_option("-o,--output", options->output, "The file, which appears when it is whole; of a shot the folder")
        .required()
        .value_name("FILE.sla|DIR");
    command.footer(
        "What is still in a host's spool is not in the cluster yet: `sla fleet hosts` shows what waits. Exit code 1: not "
        "every "
        "host's window could be kept.");
    command.action([=] { return run_fleet_keep(*options); });
    add_fleet_drop(fleet);
}

}  // namespace sla::cli
