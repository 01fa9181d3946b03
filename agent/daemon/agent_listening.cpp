// Where programs, clients and a monitoring system find the agent: sockets of its own, and those that a service manager passed.
#include "agent/daemon/agent.h"
#include "agent/daemon/health/figures.h"
#include "proto/base/runtime_dir.h"

#include <spdlog/spdlog.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace sla::daemon {

Result<void> Agent::listen(const Options& options) {
    if (Result<void> adopted = adopt_passed_sockets(); !adopted) return adopted;
    wire::Address own;
    own.path = lock_.path(SLA_AGENT_SOCKET);
    std::vector<wire::Address> addresses{own};
    addresses.insert(addresses.end(), options.listen.begin(), options.listen.end());
    const bool programs_passed = std::any_of(manager_.sockets.begin(), manager_.sockets.end(), [](const auto& passed) {
        return passed.kind == service::PassedSocket::Kind::kPrograms;
    });
    Result<void> programs = programs_passed ? Result<void>() : programs_.listen(lock_.path(SLA_PROGRAMS_SOCKET));
    if (!programs) return programs;
    if (options.insecure) server_.allow_exposed_tcp();
    tls_ = options.tls;
    serves_tls_ = std::any_of(addresses.begin(), addresses.end(),
                              [](const wire::Address& address) { return address.family == wire::Address::Family::kTls; });
    if (Result<void> read = serves_tls_ ? server_.read_access(tls_) : Result<void>(); !read) return read;
    for (const wire::Address& address : addresses) {
        if (was_passed(address)) continue;
        Result<wire::Address> bound = server_.listen(address);
        if (!bound) return bound.error();
        spdlog::info("listening on {}", bound->text());
    }
    return options.metrics ? answer_metrics(*options.metrics) : Result<void>();
}

bool Agent::was_passed(const wire::Address& address) const {
    return std::any_of(manager_.sockets.begin(), manager_.sockets.end(), [&](const service::PassedSocket& passed) {
        return address.family == wire::Address::Family::kUnix && passed.path == address.path;
    });
}

// A Unix socket is this user's alone only if its file says so.
Result<void> Agent::adopt_passed_sockets() {
    for (const service::PassedSocket& passed : manager_.sockets) {
        if (passed.kind == service::PassedSocket::Kind::kPrograms) {
            if (passed.path != lock_.path(SLA_PROGRAMS_SOCKET)) {
                pipeline_.notice("programs look for the agent at " + lock_.path(SLA_PROGRAMS_SOCKET) +
                                 ", but the service manager listens for them at " + passed.path);
            }
            if (Result<void> adopted = programs_.adopt(passed.fd); !adopted) return adopted;
            continue;
        }
        struct stat info {};
        const bool is_private = passed.kind == service::PassedSocket::Kind::kLocalClients &&
                                ::stat(passed.path.c_str(), &info) == 0 && info.st_uid == ::geteuid() &&
                                (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
        if (Result<void> adopted = server_.adopt(passed.fd, is_private); !adopted) return adopted;
        spdlog::info("listening on {} of the service manager", passed.path.empty() ? "a socket" : "unix:" + passed.path);
    }
    return {};
}

Result<void> Agent::answer_metrics(const wire::Address& address) {
    pipeline_.report_metrics_with([this](service::Metrics metrics) {
        std::lock_guard lock(metrics_mutex_);
        metrics_ = std::move(metrics);
    });
    metrics_server_ = std::make_unique<service::MetricsServer>(io_, [this] { return metrics_page(); });
    Result<wire::Address> bound = metrics_server_->listen(address);
    if (!bound) return bound.error();
    spdlog::info("metrics on {}", bound->text());
    return {};
}

std::string Agent::metrics_page() {
    service::Metrics metrics;
    {
        std::lock_guard lock(metrics_mutex_);
        metrics = metrics_;
    }
    add_process(metrics);
    if (recorder_) metrics.recording = recorder_->is_writing();
    const stream::LoginCounts logins = server_.logins();
    metrics.logins = {{"admitted", logins.admitted}, {"failed", logins.failed}, {"none", logins.no_login}};
    return service::metrics_text(metrics);
}

}  // namespace sla::daemon
