#include "agent/daemon/agent.h"
#include "agent/daemon/command_line.h"
#include "agent/daemon/linux_options.h"
#include "agent/linux/opener.h"

#include <google/protobuf/stubs/logging.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <initializer_list>

namespace {

constexpr int kOutsideWorld = 3;

int fail(const sla::Error& error) {
    std::fprintf(stderr, "sla-agent: %s\n", error.message.c_str());
    return sla::exit_code(error);
}

int run(const sla::daemon::CommandLine& line) {
    sla::Result<sla::daemon::Options> options = sla::daemon::options_of(line);
    if (!options) return fail(options.error());
    std::unique_ptr<sla::linux::Opener> opener;
    if (sla::linux::wants_trace(options->host)) {
        auto started = sla::linux::Opener::start(options->host);
        if (!started) return fail(started.error());
        opener = std::move(*started);
    }
    sla::Result<void> dropped = sla::linux::drop_privileges(line.as_user, sla::linux::wants_perf(options->host));
    if (!dropped) return fail(dropped.error());
    auto agent = sla::daemon::Agent::start(*options, std::move(opener));
    if (!agent) return fail(agent.error());
    sla::Result<void> ended = (*agent)->run();
    return ended ? 0 : fail(ended.error());
}

int act(const sla::daemon::CommandLine& line) {
    if (line.sources) {
        sla::daemon::print_sources();
        return 0;
    }
    if (!line.probes.empty()) {
        sla::Result<void> printed = sla::daemon::print_probes(line.probes);
        return printed ? 0 : fail(printed.error());
    }
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);  // errors of write, not a death
    google::protobuf::SetLogHandler(nullptr);                                  // hostile peers must not write to our stderr
    spdlog::set_default_logger(spdlog::stderr_color_mt("sla-agent"));
    spdlog::set_pattern("sla-agent: %^%l%$: %v");
    spdlog::set_level(line.quiet ? spdlog::level::warn : spdlog::level::info);
    return run(line);
}

}  // namespace

int main(int argc, char** argv) {
    sla::common::Command app("sla-agent", "Collects the events of marked programs and streams them to viewers and files.");
    sla::daemon::CommandLine line;
    sla::daemon::describe(app, line);
    app.action([&line] { return act(line); });
    try {
        return app.run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sla-agent: %s\n", error.what());
        return kOutsideWorld;
    }
}
