// sla set: switches, filters and limits of a running agent's channels.
#include "proto/base/size.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/filter_text.h"
#include "viewer/cli/command.h"
#include "viewer/cli/input.h"
#include "viewer/cli/text/agent_status.h"
#include "viewer/ingest/request.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace sla::cli {

namespace {

struct SetOptions {
    std::vector<std::string> channels;
    bool on = false;
    bool off = false;
    std::string keep;
    std::string bytes;
    std::string memory;
    std::string policy;
    std::optional<std::uint64_t> every;
    std::string filter;
    std::string address;
};

constexpr std::int64_t kForDefault = -1;

// "30s"; "always": as long as there is room; "default": what the agent does with channels nobody spoke of.
Result<std::int64_t> parse_keep(const std::string& text) {
    if (text == "always") return 0;
    if (text == "default") return kForDefault;
    const auto ps = time::parse_duration(text);
    if (!ps.ok()) return invalid_input("--keep: " + ps.error().message + "; or always, or default");
    if (*ps < time::kPicosecondsPerNanosecond)
        return invalid_input("--keep: '" + text + "' is too short a time to keep anything");
    return *ps / time::kPicosecondsPerNanosecond;
}

Result<std::uint64_t> parse_bytes(const char* option, const std::string& text) {
    const auto bytes = parse_size(text);
    return bytes.ok() ? bytes : invalid_input(std::string(option) + ": " + bytes.error().message);
}

Result<wire::Filter> filter_of(const SetOptions& options) {
    wire::Filter filter;
    if (!options.filter.empty()) {
        const auto parsed = wire::parse_filter(options.filter);
        if (!parsed.ok()) return invalid_input("--filter: " + parsed.error().message);
        filter = *parsed;
    }
    if (options.every && filter.every() != 0) return invalid_input("--every and an 'every' in --filter say the same twice");
    if (options.every) filter.set_every(*options.every);
    return filter;
}

Result<wire::Request> request_for_channels(const SetOptions& options) {
    wire::Request request;
    wire::SetChannels& set = *request.mutable_set_channels();
    for (const std::string& glob : options.channels) set.add_channels(glob);
    if (!options.memory.empty()) return invalid_input("--memory is the agent's as a whole: leave the channels out");
    if (options.on || options.off) set.set_enabled(options.on);
    if (!options.bytes.empty()) {
        const auto bytes = parse_bytes("--bytes", options.bytes);
        if (!bytes.ok()) return bytes.error();
        set.set_keep_bytes(*bytes);
    }
    if (!options.keep.empty()) {
        const auto keep = parse_keep(options.keep);
        if (!keep.ok()) return keep.error();
        set.set_keep_ns(*keep);
    }
    if (!options.policy.empty()) set.set_overwrite(options.policy == "overwrite");
    if (options.every || !options.filter.empty()) {
        const auto filter = filter_of(options);
        if (!filter.ok()) return filter.error();
        *set.mutable_filter() = *filter;
    }
    return request;
}

Result<wire::Request> request_for_agent(const SetOptions& options) {
    const bool of_channels =
        options.on || options.off || !options.policy.empty() || options.every || !options.filter.empty();
    if (of_channels) return invalid_input("name the channels that are meant, as in: sla set 'net.*' --off ('*': all)");
    wire::Request request;
    wire::SetRetention& set = *request.mutable_set_retention();
    if (!options.memory.empty()) {
        const auto bytes = parse_bytes("--memory", options.memory);
        if (!bytes.ok()) return bytes.error();
        set.set_total_bytes(*bytes);
    }
    if (!options.bytes.empty()) {
        const auto bytes = parse_bytes("--bytes", options.bytes);
        if (!bytes.ok()) return bytes.error();
        set.set_channel_bytes(*bytes);
    }
    if (!options.keep.empty()) {
        const auto keep = parse_keep(options.keep);
        if (!keep.ok()) return keep.error();
        set.set_keep_ns(std::max<std::int64_t>(*keep, 0));
    }
    return request;
}

int run_set(const SetOptions& options) {
    const auto address = agent_address(options.address);
    if (!address.ok()) return complain(address.error());
    auto request = options.channels.empty() ? request_for_agent(options) : request_for_channels(options);
    if (!request.ok()) return complain(request.error());
    request->set_number(1);
    const auto sent = ingest::send_request(*address, *request);
    if (!sent.ok()) return complain(sent.error());
    warn_of_unknown(*address, "sla set", options.channels);
    return kDone;
}

void add_options(common::Command& command, SetOptions& options) {
    command.add_option("channels", options.channels, "Names or patterns of channels, there already or still to come")
        .value_name("GLOB...");
    const common::Option on = command.add_flag("--on", options.on, "Switch the channels on");
    command.add_flag("--off", options.off, "Switch them off: their markers cost a load and a branch, and record nothing")
        .excludes(on);
    command.add_option("--keep", options.keep, "Keep this long, if the bytes last: 30s, 5m; always; default")
        .value_name("TIME");
    command
        .add_option("--bytes", options.bytes, "Most bytes to keep of each channel: 64MiB, 2GB ...; 0: the agent's default")
        .value_name("SIZE");
    command.add_option("--memory", options.memory, "Most bytes to keep of all channels together (with no channel named)")
        .value_name("SIZE");
    command.add_option("--policy", options.policy, "Of a full ring, for threads that mark a channel for the first time")
        .one_of({"drop-newest", "overwrite"})
        .value_name("drop-newest|overwrite");
    command.add_option("--every", options.every, "Record only every Nth event of a channel and thread; 1: all")
        .positive()
        .value_name("N");
    command
        .add_option("--filter", options.filter, "Record only what passes: 'value > 100', 'value in 3..9', 'every 10', none")
        .value_name("FILTER");
    add_agent(command, options.address);
}

}  // namespace

void add_set(common::Command& app) {
    common::Command& command = app.add_command("set", "Switch, filter and limit channels of the running agent");
    auto options = std::make_shared<SetOptions>();
    add_options(command, *options);
    command.footer(
        "What is not named stays as it is; with no channel named, --keep, --bytes and --memory are the agent's defaults.\n"
        "A newer rule stands before older ones. Switches and filters act inside the marked programs, before the stamp; a "
        "channel that comes later\n"
        "obeys within a few milliseconds. Markers without a value pass a condition on the value; a span is kept or turned "
        "away whole, by its\n"
        "begin. What is turned away is counted (sla top), and is no loss. Everything set here ends with the agent.\n"
        "Example: sla set 'net.*' --filter 'value > 1500' --keep 10s");
    command.action([=] { return run_set(*options); });
}

}  // namespace sla::cli
