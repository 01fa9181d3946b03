#include "agent/daemon/options/command_line.h"

#include "agent/daemon/options/channel_rule_text.h"
#include "agent/daemon/options/configuration.h"
#include "agent/daemon/options/linux_options.h"
#include "agent/daemon/options/memory_size.h"
#include "proto/base/size.h"
#include "proto/wire/version.h"

namespace sla::daemon {
namespace {

void describe_addresses(common::Command& app, CommandLine& line) {
    app.add_option("--listen", line.listen,
                   "Also listen on this address: unix:PATH, tls:HOST:PORT (encrypted, with tokens or certificates) or "
                   "tcp:HOST:PORT, HOST of this machine alone (repeatable)")
        .value_name("ADDRESS")
        .one_each();
    app.add_flag("--insecure", line.insecure,
                 "Let other machines reach tcp: addresses, unencrypted and unasked who they are; they may only look");
    describe_access(app, line.access);
    app.add_option("--metrics", line.metrics,
                   "Answer GET /metrics (Prometheus) on this loopback or Unix address: tcp:127.0.0.1:9464, unix:PATH")
        .value_name("ADDRESS");
}

void describe_recording(common::Command& app, CommandLine& line) {
    app.add_option(
           "--record", line.record,
           "Record everything into this capture file; one that an agent which was killed left unfinished there is kept as "
           "NAME.unfinished-1.sla")
        .value_name("FILE");
    app.add_option("--rotate", line.rotate,
                   "Begin the next file (FILE-0001.sla, FILE-0002.sla ...) at this size, age or both")
        .value_name("SIZE|TIME|SIZE,TIME");
    app.add_option("--keep-files", line.keep_files, "Remove the oldest file when there are more than these; 0: keep all")
        .value_name("N");
}

void describe_limits(common::Command& app, CommandLine& line) {
    app.add_option("--keep", line.keep, "Keep the last 30s, 5m ... of everything, if the memory lasts; default: always")
        .value_name("TIME");
    app.add_option("--channel-memory", line.channel_memory,
                   "History kept per channel: a number of bytes, or 64MiB, 2GB ... [64MiB]")
        .value_name("SIZE");
    app.add_option(
           "--memory", line.memory,
           "Most memory for history in all [512MiB]: events, names, what readers and recorders need, rings beyond 16 MiB; "
           "the agent as a whole takes at most 64 MiB more, and --shot-memory (`sla top` shows what of)")
        .value_name("SIZE");
    app.add_option("--shot-memory", line.shot_memory,
                   "Beside it, what the windows of shots keep from being given up; the oldest shot goes first [64MiB]")
        .value_name("SIZE");
    app.add_option(
           "--channel", line.channels,
           "Rule for channels, as in 'net.*: keep 10s; bytes 1MiB; policy overwrite; filter value > 100; every 10' or "
           "'debug.*: off' (repeatable; the first that matches counts)")
        .value_name("RULE")
        .one_each();
}

void describe_triggers(common::Command& app, trigger::TriggerOptions& typed) {
    typed.describe(app, true);
    app.add_option("--action", typed.words.actions,
                   "What a shot makes happen: stop, notify, fleet, stop-guest, snapshot=FILE, run=PROGRAM ARGS (repeatable)")
        .suggest({"stop", "notify", "fleet", "stop-guest"})
        .value_name("ACTION")
        .one_each()
        .group("Triggers");
    app.add_option("--keep-shots", typed.words.keep, "Snapshots kept of each trigger, the newest (0: all)")
        .value_name("N")
        .group("Triggers");
}

Error in_option(const std::string& option, const Error& error) {
    return {error.code, option + ": " + error.message};
}

Result<void> take_sizes(const CommandLine& line, Options& options) {
    for (auto [text, name, to, parse] :
         {std::tuple{&line.channel_memory, "--channel-memory", &options.limits.channel_bytes, &parse_size},
          std::tuple{&line.memory, "--memory", &options.limits.total_bytes, &parse_memory},
          std::tuple{&line.shot_memory, "--shot-memory", &options.limits.shot_bytes, &parse_size}}) {
        if (text->empty()) continue;
        Result<std::uint64_t> bytes = parse(*text);
        if (!bytes) return in_option(name, bytes.error());
        *to = *bytes;
    }
    return {};
}

// What of the Linux host is asked for here wins over the configuration, each option by itself.
Result<void> take_host(const CommandLine& line, Options& options) {
    linux::LinuxOptions& host = options.host;
    if (!line.host.events.empty()) host.events = line.host.events;
    if (!line.host.uprobes.empty()) host.uprobes = line.host.uprobes;
    if (!line.host.samples.empty()) host.samples = line.host.samples;
    if (line.host.buffer_bytes != 0) host.buffer_bytes = line.host.buffer_bytes;
    host.watches = line.host.watches;
    host.pids = line.host.pids;
    return {};
}

Result<void> take_recording(const CommandLine& line, Options& options) {
    if (!line.record.empty()) options.record = line.record;
    if (!line.rotate.empty()) {
        Result<capture::SeriesLimits> limits = capture::parse_rotation(line.rotate);
        if (!limits) return in_option("--rotate", limits.error());
        options.record_limits.file_bytes = limits->file_bytes;
        options.record_limits.file_time = limits->file_time;
    }
    if (line.keep_files) options.record_limits.keep_files = *line.keep_files;
    bool rotates = options.record_limits.rotates();
    if (rotates && options.record.empty())
        return invalid_input("--rotate: there is nothing to rotate without --record FILE");
    if (options.record_limits.keep_files > 0 && !rotates) {
        return invalid_input("--keep-files: one file is all there is without --rotate SIZE or TIME");
    }
    return {};
}

// The newest rule stands before older ones: the last one typed is applied first, so that the first one counts.
Result<void> take_rules(const CommandLine& line, Options& options) {
    if (!line.keep.empty()) {
        Result<std::int64_t> ns = parse_keep(line.keep);
        if (!ns) return in_option("--keep", ns.error());
        wire::Request request;
        request.mutable_set_retention()->set_keep_ns(*ns);
        options.requests.push_back({"--keep", std::move(request)});
    }
    for (auto text = line.channels.rbegin(); text != line.channels.rend(); ++text) {
        Result<wire::SetChannels> rule = parse_channel_rule(*text);
        if (!rule) return in_option("--channel", rule.error());
        wire::Request request;
        *request.mutable_set_channels() = *rule;
        options.requests.push_back({"--channel " + *text, std::move(request)});
    }
    return {};
}

Result<void> take_triggers(const CommandLine& line, Options& options) {
    Result<std::vector<wire::SetTrigger>> triggers = line.triggers.requests();
    if (!triggers) return triggers.error();
    for (wire::SetTrigger& trigger : *triggers) {
        wire::Request request;
        *request.mutable_set_trigger() = std::move(trigger);
        options.requests.push_back({"--trigger", std::move(request)});
    }
    return {};
}

Result<void> take_addresses(const CommandLine& line, Options& options) {
    options.insecure = line.insecure;
    if (!line.listen.empty()) options.listen.clear();
    for (const std::string& text : line.listen) {
        Result<wire::Address> address = wire::parse_address(text);
        if (!address) return address.error();
        options.listen.push_back(*address);
    }
    stream::TlsFiles files = line.access.files;
    if (files.certificate.empty()) files.certificate = options.tls.certificate;
    if (files.key.empty()) files.key = options.tls.key;
    if (files.access.empty()) files.access = options.tls.access;
    options.tls = complete(std::move(files));
    if (line.metrics.empty()) return {};
    Result<wire::Address> metrics = wire::parse_address(line.metrics);
    if (!metrics) return in_option("--metrics", metrics.error());
    options.metrics = *metrics;
    return {};
}

Result<void> take_publish(const CommandLine& line, Options& options) {
    const PublishOptions& typed = line.publish;
    const bool names_some =
        !typed.fleet.empty() || !typed.host.empty() || !typed.spool.empty() || !typed.spool_folder.empty();
    Result<void> taken = take_publishing(typed, options.publish, kTyped);
    if (taken && names_some && !options.publish.wanted())
        return invalid_input("--fleet, --host and --spool mean nothing without --publish nats://HOST");
    return taken;
}

Result<Options> from_file(const CommandLine& line) {
    if (!line.config.empty()) return read_configuration(line.config);
    std::optional<std::string> own = line.no_config ? std::nullopt : own_configuration();
    return own ? read_configuration(*own) : Result<Options>(Options());
}

constexpr const char* kFooter = R"(

Programs with SLA markers attach by themselves; viewers (sla-viewer) and commands (sla table, sla top ...) connect to
unix:$SLA_RUNTIME_DIR/agent.sock. $SLA_RUNTIME_DIR is $XDG_RUNTIME_DIR/sla or /tmp/sla-UID when not set.
`sla set` changes limits, switches and filters while the agent runs; `sla snapshot` saves what it holds.
SLA_CLOCK=raw in the environment stamps with CLOCK_MONOTONIC_RAW instead of the TSC (as is done where the TSC is not
invariant): every marker then costs a clock_gettime.
Ends cleanly on Ctrl-C or SIGTERM: everything written by then is drained, the capture file is finished.
SIGHUP reads the configuration again and sets its limits, rules and triggers anew; one that is wrong changes nothing.
Started by systemd it takes the sockets that were opened for it, says when it is ready, and logs with priorities:
systemctl --user enable --now sla-agent.socket
From other machines: ssh:HOST needs nothing here; for tls:HOST:PORT make a certificate and a token, then --listen.
SIGHUP reads certificate and list anew too, also beside a configuration that is wrong, and ends clients that may come no more.
The configuration is JSON: listen, certificate, key, access, metrics, record, rotate, keep_files, publish, fleet, host, spool, spool_dir, report_every, fleet_control, nats_creds, nats_ca, nats_cert, nats_key, keep, memory, channel_memory, shot_memory,
channels, triggers, linux (events, hooks, samples, buffer);
what is typed here wins over it. In the lists of channels and triggers stand texts as of --channel and --trigger,
or objects:
  {"keep": "30s", "channels": ["debug.*: off"], "triggers": [{"name": "slow", "expression": "width rx > 50us"}]}
Exit codes: 0 done, 1 what --probes asks about is not there, 2 wrong use (a hook of a process, file or symbol
that is not there, too), 3 the outside world failed (socket, file, directory).)";

}  // namespace

void describe(common::Command& app, CommandLine& line) {
    app.version("sla-agent " + std::string(wire::kProductVersion));
    describe_addresses(app, line);
    describe_recording(app, line);
    describe_publishing(app, line.publish);
    describe_limits(app, line);
    describe_linux_options(app, line.host);
    app.add_option(
           "--as", line.as_user,
           "Become this user once the kernel's trace is being opened (by a small process that keeps root's rights for "
           "it); his programs and viewers can come then")
        .value_name("USER");
    app.add_flag("--sources", line.sources, "Say which sources of events this machine and user can have, and end");
    app.add_option("--probes", line.probes, "List what of this program can be hooked by --uprobe, and end")
        .value_name("PROGRAM");
    const common::Option config =
        app.add_option("--config", line.config,
                       "Read this configuration; default: $XDG_CONFIG_HOME/sla/agent.json, if it is there")
            .value_name("FILE");
    app.add_flag("--no-config", line.no_config, "Read no configuration").excludes(config);
    app.add_flag("--quiet", line.quiet, "Say warnings and errors only");
    describe_triggers(app, line.triggers);
    app.footer(std::string(trigger::kTriggerFooter) + kFooter);
}

Result<Options> options_of(const CommandLine& line) {
    Result<Options> options = from_file(line);
    if (!options) return options;
    for (auto take : {take_addresses, take_sizes, take_recording, take_publish, take_rules, take_triggers, take_host}) {
        if (Result<void> taken = take(line, *options); !taken) return taken.error();
    }
    return options;
}

}  // namespace sla::daemon
