#include "agent/daemon/agent.h"
#include "agent/daemon/options/command_line.h"
#include "agent/daemon/options/linux_options.h"
#include "agent/linux/tracefs/privileged_helper.h"

#include "agent/service/activation.h"
#include "agent/service/descriptor_limit.h"
#include "agent/service/log.h"
#include "proto/base/heap_pages.h"
#include "proto/base/standard_streams.h"

#include <google/protobuf/stubs/logging.h>

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <new>

namespace {

constexpr int kOutsideWorld = 3;

int fail(const sla::Error& error) {
    std::fprintf(stderr, "%ssla-agent: %s\n", sla::service::error_prefix().c_str(), error.message.c_str());
    return sla::exit_code(error);
}

// Ends with what is on disk by now: a capture that lacks its end says so to whoever reads it.
void end_without_memory() {
    constexpr char kWhy[] =
        "sla-agent: no memory is left: it ends here; a recording lacks its end. Less is needed with a smaller --memory\n";
    (void)!::write(STDERR_FILENO, kWhy, sizeof kWhy - 1);
    ::_exit(kOutsideWorld);
}

// Of what the standard library throws only the start of a thread has that reason.
constexpr const char* kNoThread =
    "it cannot start a thread, which needs memory for its stack and a place among the user's processes (ulimit -v, ulimit "
    "-u; "
    "of a service LimitAS=, TasksMax=): ";

sla::Result<std::vector<sla::service::PassedSocket>> passed_sockets() {
    const sla::Result<int> count = sla::service::count_passed(sla::service::take_variable, ::getpid());
    if (!count) return count.error();
    return sla::service::look_at_passed(sla::service::kFirstPassed, *count);
}

int run(const sla::daemon::CommandLine& line) {
    sla::Result<sla::daemon::Options> options = sla::daemon::options_of(line);
    if (!options) return fail(options.error());
    auto sockets = passed_sockets();
    if (!sockets) return fail(sockets.error());
    sla::daemon::ServiceManager manager{std::move(*sockets), sla::service::Notifier(sla::service::take_variable),
                                        [&line] { return sla::daemon::options_of(line); }};
    std::unique_ptr<sla::linux::PrivilegedHelper> privileged_helper;
    if (sla::linux::wants_trace(options->host)) {
        auto started = sla::linux::PrivilegedHelper::start(options->host);
        if (!started) return fail(started.error());
        privileged_helper = std::move(*started);
    }
    sla::Result<void> dropped = sla::linux::drop_privileges(line.as_user, sla::linux::wants_perf(options->host));
    if (!dropped) return fail(dropped.error());
    auto agent = sla::daemon::Agent::start(*options, std::move(privileged_helper), std::move(manager));
    if (!agent) return fail(agent.error());
    sla::Result<void> ended = (*agent)->run();
    return ended ? 0 : fail(ended.error());
}

// What was to be said is said when it is written.
int answered(const sla::Result<void>& done) {
    if (!done) return fail(done.error());
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0
               ? 0
               : fail(sla::system_error("cannot write to standard output", errno));
}

int act(const sla::daemon::CommandLine& line) {
    if (line.sources) {  // it looks at what the program file's capabilities open, and reads nothing that the user names
        sla::daemon::print_sources();
        return answered({});
    }
    if (sla::Result<void> aside = sla::linux::set_privileges_aside(); !aside) return fail(aside.error());
    if (line.access.wanted()) {
        const sla::Result<sla::daemon::Options> options = sla::daemon::options_of(line);
        if (!options) return fail(options.error());
        return answered(sla::daemon::run_access_command(line.access, options->tls));
    }
    if (!line.probes.empty()) return answered(sla::daemon::print_probes(line.probes));
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);  // errors of write, not a death
    google::protobuf::SetLogHandler(nullptr);                                  // hostile peers must not write to our stderr
    sla::service::raise_descriptor_limit();
    const bool for_journal = sla::service::stderr_is_journal(sla::service::read_variable);
    sla::service::set_up_log("sla-agent", for_journal, line.quiet);
    return run(line);
}

}  // namespace

int main(int argc, char** argv) {
    sla::hold_standard_streams();
    sla::set_up_heap();
    std::set_new_handler(end_without_memory);
    sla::common::Command app("sla-agent", "Collects the events of marked programs and streams them to viewers and files.");
    sla::daemon::CommandLine line;
    sla::daemon::describe(app, line);
    app.action([&line] { return act(line); });
    try {
        return app.run(argc, argv);
    } catch (const std::system_error& error) {
        const bool is_thread = error.code() == std::errc::resource_unavailable_try_again;
        std::fprintf(stderr, "sla-agent: %s%s\n", is_thread ? kNoThread : "", error.what());
        return kOutsideWorld;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sla-agent: %s\n", error.what());
        return kOutsideWorld;
    }
}
