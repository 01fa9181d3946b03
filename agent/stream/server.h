// Where viewers, recorders and commands connect: any number of Unix, TCP and TLS addresses, one session a client.
//
// Lives on the I/O thread, except wake(), which any thread may call.
#pragma once

#include "agent/source/acceptor.h"
#include "agent/stream/doorkeeper.h"
#include "agent/stream/session.h"
#include "proto/base/result.h"
#include "proto/wire/address.h"

#include <boost/asio/io_context.hpp>

#include <sys/socket.h>

#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace sla::stream {

inline constexpr std::size_t kMaxSessions = 256;
inline constexpr std::size_t kPlacesOfOwner = 32;  // of these, that nobody else gets: whoever may stop the agent can

// What a client may do who connects to a socket that listens there: of TCP it depends on who can reach it.
Role role_of(const sockaddr_storage& listening, bool is_private);

class Server {
public:
    Server(boost::asio::io_context& io, retain::Retention& retention, SessionHooks hooks);
    ~Server();

    // A stale Unix socket (nobody answers) is replaced; a live one is an error that says so. Gives the address listened on,
    // with the port that was found for port 0.
    // TCP without encryption that other machines can reach has to be allowed first.
    Result<wire::Address> listen(const wire::Address& address);
    void allow_exposed_tcp() { may_be_exposed_ = true; }
    // Who may come to addresses of TLS, before the first listen() on one; again when the files have changed. Clients who may come
    // no more are disconnected.
    Result<void> read_access(const TlsFiles& files);
    // Only the list of who may come, where the certificate cannot be read; disconnects as read_access does.
    Result<void> read_access_list(const std::string& path);
    [[nodiscard]] LoginCounts logins() const { return door_.counts(); }  // any thread
    // Takes clients of a socket that somebody else bound, and will remove: a service manager. It is owned from here on. A
    // Unix socket is `is_private` when only this user can reach it.
    Result<void> adopt(int listening, bool is_private);

    // Something was published. Any thread; cheap when called often.
    void wake();
    // No new clients from here on.
    void stop_listening();
    // Those who only asked for something, or nothing, have nothing more to come.
    void close_idle_sessions();
    void close_sessions();
    [[nodiscard]] std::size_t session_count();
    [[nodiscard]] std::size_t subscriber_count() const { return subscribers_.load(std::memory_order_relaxed); }

private:
    Result<void> accept_from(int listening, std::function<void(int)> take);
    void add(int fd, Role role);
    void admit(Guest guest);
    std::shared_ptr<Session> serve(tls::Transport transport, Role role);
    void turn_away(const std::string& problem);
    void end_revoked();
    void forget_closed();

    boost::asio::io_context& io_;
    retain::Retention& retention_;
    SessionHooks hooks_;
    std::list<source::Acceptor> acceptors_;  // closed ones stay: a handler of theirs may be due
    std::vector<std::string> unix_paths_;
    std::vector<std::weak_ptr<Session>> sessions_;
    Doorkeeper door_;
    bool has_access_list_ = false;
    std::vector<std::pair<std::weak_ptr<Session>, AccessEntry>> guests_;  // of sessions_, by what let them in
    bool may_be_exposed_ = false;
    bool turning_away_ = false;  // was said: once a run of them
    std::atomic<bool> wake_posted_{false};
    std::atomic<bool> anybody_{false};         // is connected: else there is nobody to wake
    std::atomic<std::size_t> subscribers_{0};  // a figure for people
};

}  // namespace sla::stream
