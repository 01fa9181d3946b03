// Takes connections that come over TLS, and lets those in that show who they are.
//
//   accepted ─► first byte ─► handshake ─► first request ─► judge_login ─┬─► admit(guest)
//                  │ no TLS       │ fails                                 └─► a while ─► why ─► closed
//                  └─► why, in plain, closed
//
// All of it within a time, by a number of them that is bounded twice, apart from the clients that are served: those that have
// said nothing cost little and may be many, those that have are few. One more makes the oldest of its kind go, of those that
// come from the address with the most: whoever holds many connections open drives out his own, and silence drives out
// nobody who speaks. Lives on the I/O thread; counts() is for any.
#pragma once

#include "agent/stream/access_list.h"
#include "agent/stream/failed_logins.h"
#include "agent/stream/line_limit.h"
#include "proto/base/result.h"
#include "proto/common/tls/transport.h"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace sla::stream {

// Somebody who showed who he is.
struct Guest {
    tls::Transport transport;
    AccessEntry entry;
    std::string address;   // that he comes from, for people
    std::string received;  // after the login: for the session
};

struct LoginCounts {
    std::uint64_t admitted = 0;
    std::uint64_t failed = 0;    // wrong token, unknown certificate, neither
    std::uint64_t no_login = 0;  // no TLS, a handshake that failed, silence, one too many
};

class Doorkeeper {
public:
    struct Limits {
        std::chrono::milliseconds time_to_log_in{10'000};
        std::size_t silent = 512;
        std::size_t talking = 64;
    };

    Doorkeeper(boost::asio::io_context& io, std::function<void(Guest)> admit, Limits limits);
    ~Doorkeeper();
    Doorkeeper(const Doorkeeper&) = delete;
    Doorkeeper& operator=(const Doorkeeper&) = delete;

    // Reads certificate, key and list, again if need be; what cannot be read leaves everything as it was.
    Result<void> read(const TlsFiles& files);
    // The list alone.
    Result<void> read_list(const std::string& path);
    [[nodiscard]] const AccessList& access() const { return access_; }
    [[nodiscard]] const std::string& fingerprint() const { return context_->fingerprint(); }

    // A new connection, owned from here on.
    void take(int fd);
    void close();
    [[nodiscard]] std::size_t knocks() const { return knocks_.size(); }  // for tests
    [[nodiscard]] LoginCounts counts() const;

private:
    class Knock;
    // Before one more of a kind joins them.
    void make_place(bool talking);
    void forget(const Knock* knock);
    void admit(Knock& knock, AccessEntry entry, std::string received);
    // How long the answer takes.
    std::chrono::milliseconds fail(const Knock& knock, const std::string& why);
    void no_login(const Knock& knock, const std::string& why);
    void say(const std::string& text);

    boost::asio::io_context& io_;
    std::function<void(Guest)> admit_;
    Limits limits_;
    std::optional<tls::Context> context_;
    AccessList access_;
    FailedLogins failed_logins_;
    std::list<std::shared_ptr<Knock>> knocks_;  // oldest first
    LineLimit lines_{1};
    std::atomic<std::uint64_t> admitted_{0};  // figures for people
    std::atomic<std::uint64_t> failed_{0};
    std::atomic<std::uint64_t> no_login_{0};
};

}  // namespace sla::stream
