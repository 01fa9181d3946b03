// Reports to a service manager how the agent is: systemd's notifications, one datagram each to $NOTIFY_SOCKET. Without
// that variable nobody asked, and nothing is sent.
#pragma once

#include "agent/service/environment.h"
#include "proto/base/result.h"

#include <cstdint>
#include <string>

namespace sla::service {

class Notifier {
public:
    explicit Notifier(const Environment& environment);

    [[nodiscard]] bool is_asked_for() const { return !address_.empty(); }
    // All three: an error says that the manager was not reached. It goes on without.
    Result<void> ready(const std::string& status);
    Result<void> reloading(std::uint64_t monotonic_us);
    Result<void> stopping(const std::string& status);

private:
    Result<void> send(const std::string& message) const;
    std::string address_;  // of a Unix socket; '@' first: an abstract name
};

}  // namespace sla::service
