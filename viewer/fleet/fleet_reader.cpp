#include "viewer/fleet/fleet_reader.h"

#include "proto/fleet/streams.h"
#include "viewer/fleet/ask_again.h"
#include "viewer/fleet/nats_messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sla::fleet {
namespace {

using Progress = capture::CaptureStore::Progress;

constexpr std::size_t kShownNames = 20;

// "web-1, web-2 and 14 more"
std::string list(const std::set<std::string>& names) {
    std::set<std::string> shown;
    for (const std::string& name : names) {
        if (shown.size() == kShownNames) break;
        shown.insert(name);
    }
    std::string text = fmt::format("{}", fmt::join(shown, ", "));
    if (names.size() > shown.size()) text += fmt::format(" and {} more", names.size() - shown.size());
    return text;
}

std::function<bool()> goes_on(const Progress& progress) {
    return [&progress] { return !progress || progress(0); };
}

}  // namespace

Result<std::vector<RunEntry>> choose_runs(const FleetAddress& address, const std::vector<RunEntry>& runs) {
    std::set<std::string> hosts;
    std::set<std::string> captures;
    std::vector<RunEntry> chosen;
    for (const RunEntry& run : runs) {
        hosts.insert(run.host);
        if (!address.wants_host(run.host)) continue;
        captures.insert(run.capture);
        if (!address.wants_capture(run.capture)) continue;
        if (chosen.empty() || chosen.back().host != run.host) {
            chosen.push_back(run);
        } else {
            chosen.back() = run;
        }
    }
    const std::string text = address.text();
    if (hosts.empty()) return not_found(text + ": no host has published anything there");
    if (captures.empty()) return not_found(fmt::format("{}: there is no such host; there are: {}", text, list(hosts)));
    const std::string absent = address.absent_host(runs);
    if (!absent.empty())
        return not_found(fmt::format("{}: there is no host '{}'; there are: {}", text, absent, list(hosts)));
    if (chosen.empty()) return not_found(fmt::format("{}: there is no such capture; there are: {}", text, list(captures)));
    return chosen;
}

std::string remark_on_choice(const FleetAddress& address, const std::vector<RunEntry>& runs,
                             const std::vector<RunEntry>& chosen) {
    if (address.capture.empty()) {  // each host's newest is what was asked for
        std::vector<RunEntry> meant;
        std::copy_if(runs.begin(), runs.end(), std::back_inserter(meant),
                     [&](const RunEntry& run) { return address.wants_host(run.host); });
        const std::vector<std::string> twins = twins_in(meant);
        return twins.empty() ? "" : fmt::format("{}: {}", address.text(), fmt::join(twins, "; "));
    }
    std::set<std::string> taken;
    for (const RunEntry& one : chosen) {
        const auto matching = std::count_if(runs.begin(), runs.end(), [&](const RunEntry& run) {
            return run.host == one.host && address.wants_capture(run.capture);
        });
        if (matching > 1) taken.insert(fmt::format("{}/{} (of {})", one.host, one.capture, matching));
    }
    if (taken.empty()) return "";
    return fmt::format("{}: of each host the newest capture that matches is read: {}; `sla fleet captures` lists them",
                       address.text(), list(taken));
}

Result<std::shared_ptr<const FleetReader>> FleetReader::open(const FleetAddress& address, const Progress& progress) {
    ConnectOptions options;
    options.servers = address.servers;
    options.client = "sla reader";
    options.ping_every = std::chrono::milliseconds(1500);  // somebody looks: another server is wanted soon
    Result<std::unique_ptr<Connection>> connection = Connection::open(options);
    if (!connection) return connection.error();
    const Result<FleetSettings> settings =
        ask_patiently(**connection, goes_on(progress), [&] { return settings_of(**connection, address.fleet); });
    if (!settings) return settings.error();
    return std::shared_ptr<const FleetReader>(
        new FleetReader(address, std::shared_ptr<const Connection>(std::move(*connection))));
}

Result<std::vector<RunEntry>> FleetReader::all_runs(const Progress& progress) const {
    return ask_patiently(*connection_, goes_on(progress),
                         [&] { return runs_in(*connection_, captures_bucket(address_.fleet)); });
}

Result<std::vector<RunEntry>> FleetReader::runs(const Progress& progress) const {
    const auto all = all_runs(progress);
    if (!all) return all.error();
    return choose_runs(address_, *all);
}

std::shared_ptr<const MessageStore> FleetReader::messages(const RunEntry& run, std::chrono::milliseconds timeout) const {
    return std::make_shared<const NatsMessages>(connection_, stream_name(address_.fleet, run.shard), timeout);
}

CaptureName FleetReader::name_of(const RunEntry& run) const {
    return {address_.fleet, run.shard, run.host, run.capture};
}

std::string FleetReader::text_of(const RunEntry& run) const {
    FleetAddress whole = address_;
    whole.hosts = {run.host};
    whole.capture = run.capture;
    return whole.text();
}

}  // namespace sla::fleet
