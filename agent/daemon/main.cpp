#include "agent/daemon/agent.h"
#include "agent/daemon/linux_options.h"
#include "proto/wire/version.h"

#include <google/protobuf/stubs/logging.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

constexpr int kWrongUse = 2;
constexpr int kOutsideWorld = 3;

struct CommandLine {
    std::vector<std::string> listen;
    std::string record;
    std::uint64_t channel_memory = std::uint64_t{64} << 20;
    std::uint64_t memory = std::uint64_t{512} << 20;
    sla::source::LinuxOptions host;
    bool sources = false;
    std::string probes;
    bool quiet = false;
};

void describe(CLI::App& app, CommandLine& line) {
    app.set_version_flag("--version", "sla-agent " + std::string(sla::wire::kProductVersion));
    app.add_option("--listen", line.listen, "Also listen on this address: unix:PATH or tcp:HOST:PORT (repeatable)")
        ->type_name("ADDRESS")
        ->allow_extra_args(false);
    app.add_option("--record", line.record, "Record everything into this capture file")->type_name("FILE");
    app.add_option("--channel-memory", line.channel_memory, "History kept per channel: a number of bytes, or 64MiB, 2GB ...")
        ->transform(CLI::AsSizeValue(false))
        ->type_name("SIZE")
        ->capture_default_str();
    app.add_option("--memory", line.memory, "History kept in all")
        ->transform(CLI::AsSizeValue(false))
        ->type_name("SIZE")
        ->capture_default_str();
    sla::daemon::describe_linux_options(app, line.host);
    app.add_flag("--sources", line.sources, "Say which sources of events this machine and user can have, and end");
    app.add_option("--probes", line.probes, "List what of this program can be hooked by --uprobe, and end")
        ->type_name("PROGRAM");
    app.add_flag("--quiet", line.quiet, "Say warnings and errors only");
    app.footer(
        "Programs with SLA markers attach by themselves; viewers (sla-viewer) and commands (sla table, sla top ...) connect "
        "to\n"
        "unix:$SLA_RUNTIME_DIR/agent.sock. $SLA_RUNTIME_DIR is $XDG_RUNTIME_DIR/sla or /tmp/sla-UID when not set.\n"
        "Ends cleanly on Ctrl-C or SIGTERM: everything written by then is drained, the capture file is finished.\n"
        "Exit codes: 0 done, 2 wrong use, 3 the outside world failed (socket, file, directory).");
}

int fail(const sla::Error& error) {
    std::fprintf(stderr, "sla-agent: %s\n", error.message.c_str());
    return sla::exit_code(error);
}

int run(const CommandLine& line) {
    sla::daemon::Options options;
    options.record = line.record;
    options.host = line.host;
    options.limits.channel_bytes = line.channel_memory;
    options.limits.total_bytes = line.memory;
    for (const std::string& text : line.listen) {
        sla::Result<sla::wire::Address> address = sla::wire::parse_address(text);
        if (!address) return fail(address.error());
        options.listen.push_back(*address);
    }
    auto agent = sla::daemon::Agent::start(options);
    if (!agent) return fail(agent.error());
    sla::Result<void> ended = (*agent)->run();
    return ended ? 0 : fail(ended.error());
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Collects the events of marked programs and streams them to viewers and files.");
    CommandLine line;
    describe(app, line);
    try {
        app.parse(argc, argv);
        if (line.sources) {
            sla::daemon::print_sources();
            return 0;
        }
        if (!line.probes.empty()) {
            sla::Result<void> printed = sla::daemon::print_probes(line.probes);
            return printed ? 0 : fail(printed.error());
        }
        std::signal(SIGPIPE, SIG_IGN);
        google::protobuf::SetLogHandler(nullptr);  // hostile peers must not write to our stderr
        spdlog::set_default_logger(spdlog::stderr_color_mt("sla-agent"));
        spdlog::set_pattern("sla-agent: %^%l%$: %v");
        spdlog::set_level(line.quiet ? spdlog::level::warn : spdlog::level::info);
        return run(line);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kWrongUse;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sla-agent: %s\n", error.what());
        return kOutsideWorld;
    }
}
