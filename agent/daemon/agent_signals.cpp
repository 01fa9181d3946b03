// What signals ask of the agent: to end, or to read its configuration anew.
#include "agent/daemon/agent.h"

#include <spdlog/spdlog.h>
#include <boost/asio/post.hpp>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <utility>

namespace sla::daemon {
namespace {

constexpr std::chrono::milliseconds kGoodbyeStep{20};
constexpr int kGoodbyeSteps = 100;  // clients get two seconds to take the rest

}  // namespace

// On the I/O thread. Whoever knocked already is let in; then the draining thread ends, the rest is drained here, and clients
// get time to take it.
void Agent::shut_down(const std::string& reason) {
    if (shutting_down_) return;
    shutting_down_ = true;
    lock_.say_ending();
    spdlog::info("finishing: {}", reason);
    (void)manager_.notifier.stopping("finishing: " +
                                     reason);  // a manager that cannot be notified waits for our end all the same
    if (metrics_server_) metrics_server_->close();
    programs_.accept_waiting();
    programs_.close();
    server_.stop_listening();
    if (member_) member_->stop();                  // while the other thread drains: it may have to wait for the network
    stop_.store(true, std::memory_order_release);  // pairs with the draining thread's acquire
    drainer_.join();
    pipeline_.finish(reason);
    if (member_) member_->finish();
    wait_for_goodbyes(kGoodbyeSteps);
}

// Answers to what was asked last are on their way when this comes for the second time.
void Agent::wait_for_goodbyes(int tries) {
    if (tries < kGoodbyeSteps) server_.close_idle_sessions();
    if (tries == 0 || server_.session_count() == 0) {
        server_.close_sessions();
        io_.stop();
        return;
    }
    goodbye_.expires_after(kGoodbyeStep);
    goodbye_.async_wait([this, tries](boost::system::error_code) { wait_for_goodbyes(tries - 1); });
}

void Agent::on_signal(int number) {
    if (number == SIGINT) return shut_down("interrupted (SIGINT)");
    if (number == SIGTERM) return shut_down("asked to end (SIGTERM)");
    if (terminal_ >= 0 && ::isatty(terminal_) == 0) return shut_down("its terminal is gone (SIGHUP)");
    reload();
}

void Agent::reload() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    (void)manager_.notifier.reloading(static_cast<std::uint64_t>(now.tv_sec) * 1'000'000 +
                                      static_cast<std::uint64_t>(now.tv_nsec) / 1000);
    if (!manager_.read_options) return end_reload("there is none to read", "", tls_);
    Result<Options> options = manager_.read_options();
    if (!options) return end_reload(options.error().message, "", tls_);
    const stream::TlsFiles tls = options->tls;
    configuration_.hand_over(std::move(*options), [this, tls](const std::string& problem, const std::string& waits) {
        boost::asio::post(io_, [this, tls, problem, waits] { end_reload(problem, waits, problem.empty() ? tls : tls_); });
    });
}

// The files that are in force are read again also when the configuration is wrong, and their list also when what is wanted, or
// the certificate, cannot be read: who was revoked should not stay for that.
void Agent::reload_access(const stream::TlsFiles& wanted) {
    if (!serves_tls_) return;
    const Result<void> read = server_.read_access(wanted);
    if (read) {
        tls_ = wanted;
        return;
    }
    const std::string who =
        server_.read_access_list(tls_.access) ? ", but the list " + tls_.access + " of who may come was read anew: " : ": ";
    pipeline_.notice("the files for TLS were not read anew, they stay as they were" + who + read.error().message);
}

void Agent::end_reload(const std::string& problem, const std::string& waits, const stream::TlsFiles& wanted) {
    reload_access(wanted);
    if (!problem.empty()) {
        pipeline_.notice("the configuration was not read anew, everything stays as it was: " + problem);
    } else {
        spdlog::info("the configuration was read anew{}", waits.empty() ? "" : "; waits for the next start: " + waits);
    }
    (void)manager_.notifier.ready(problem.empty() ? "collecting" : "collecting; the configuration is wrong: " + problem);
}

}  // namespace sla::daemon
