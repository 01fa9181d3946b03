#include "viewer/cli/set_options.h"

#include "proto/base/size.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"
#include "proto/wire/filter_text.h"

#include <algorithm>

namespace sla::cli {

namespace {

constexpr std::int64_t kForDefault = -1;

// "30s"; "always": as long as there is space; "default": what the agent does with channels nobody spoke of.
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
        if (*bytes == 0)
            return invalid_input(
                "--bytes 0 gives channels the agent's default again: name them, as in: sla set 'net.*' --bytes 0");
        set.set_channel_bytes(*bytes);
    }
    if (!options.keep.empty()) {
        const auto keep = parse_keep(options.keep);
        if (!keep.ok()) return keep.error();
        set.set_keep_ns(std::max<std::int64_t>(*keep, 0));
    }
    return request;
}

}  // namespace

void SetOptions::describe(common::Command& command) {
    command.add_option("channels", channels, "Names or patterns of channels, there already or still to come")
        .value_name("GLOB");
    const common::Option lit = command.add_flag("--on", on, "Switch the channels on");
    command.add_flag("--off", off, "Switch them off: their markers cost a load and a branch, and record nothing")
        .excludes(lit);
    command.add_option("--keep", keep, "Keep this long, if the bytes last: 30s, 5m; always; default").value_name("TIME");
    command
        .add_option("--bytes", bytes,
                    "Most bytes to keep of each channel: 64MiB, 2GB ...; 0, of those named: the agent's default")
        .value_name("SIZE");
    command.add_option("--memory", memory, "Most bytes to keep of all channels together (with no channel named)")
        .value_name("SIZE");
    command.add_option("--policy", policy, "Of a full ring, for threads that mark a channel for the first time")
        .one_of({"drop-newest", "overwrite"})
        .value_name("drop-newest|overwrite");
    command
        .add_option("--every", every,
                    "Record only every Nth event of a channel and thread, of those that pass --filter; 1: all")
        .positive()
        .value_name("N");
    command
        .add_option("--filter", filter,
                    "Record only what passes: 'value > 100', 'value in 3..9', 'every 10', none. One setting "
                    "with --every: one of them alone takes the other away")
        .value_name("FILTER");
}

Result<wire::Request> SetOptions::request() const {
    const bool is_any = on || off || every || !(keep + bytes + memory + policy + filter).empty();
    if (!is_any)
        return invalid_input(
            "nothing is to be set: name channels and what becomes of them, as in 'net.*' --off, or --keep, --bytes, "
            "--policy, "
            "--every, --filter");
    return channels.empty() ? request_for_agent(*this) : request_for_channels(*this);
}

}  // namespace sla::cli
