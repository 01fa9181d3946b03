// SshTunnel: the stream to an agent on another machine. The user's own `ssh` (keys, jump hosts, configuration: theirs) runs
// `sla relay` over there; what that says is the agent's stream.
//
//   Connection ◄── stream() ──► ssh ═══════════► sshd ─► sla relay ◄── Unix socket ──► sla-agent
//                                └─ stderr ─► the last kTailBytes of it, for people
//
// Belongs to the thread of its io_context, which starts it and ends it. No ssh outlives it.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"
#include "viewer/process/child.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sla::ingest {

// What is run: {"ssh", "-T", "--", "ann@lab", "sla relay '/run/x.sock'"}.
std::vector<std::string> ssh_command(const wire::Address& address);
// Why there is no stream, for people: by how ssh ended (nothing: it has not), what it said last, and whether anything had come
// from over there.
std::string ssh_failure(const wire::Address& address, const std::optional<process::Ending>& ending, std::string_view said,
                        bool was_heard);
// What is waited for, and that it came to nothing.
std::string ssh_is_silent(const wire::Address& address);
std::string ssh_was_silent(const wire::Address& address);

class SshTunnel {
public:
    static Result<std::unique_ptr<SshTunnel>> start(boost::asio::io_context& context, const wire::Address& address);
    ~SshTunnel();
    SshTunnel(const SshTunnel&) = delete;
    SshTunnel& operator=(const SshTunnel&) = delete;

    // Our end, a Unix stream socket; the caller closes it.
    [[nodiscard]] int take_stream() { return std::exchange(stream_, -1); }
    // The stream is over: why, as ssh_failure() says it. Waits for ssh to end, a second at most.
    [[nodiscard]] std::string last_words(bool was_heard);
    // The same as a result: ssh that ended well has done what it should.
    Result<void> end(bool was_heard);

private:
    static constexpr std::size_t kTailBytes = 2048;

    // What ssh says on its standard error. Outlives the tunnel while it is read.
    struct Listener {
        Listener(boost::asio::io_context& context, int descriptor) : errors(context, descriptor) {}
        void keep(std::string_view more);
        static void listen(const std::shared_ptr<Listener>& self);

        boost::asio::posix::stream_descriptor errors;
        std::array<char, 1024> received{};
        std::string said;
    };

    SshTunnel(boost::asio::io_context& context, wire::Address address, process::Child child, int stream, int errors);
    std::optional<process::Ending> wait_and_listen();

    wire::Address address_;
    process::Child child_;
    int stream_;
    std::shared_ptr<Listener> listener_;
};

}  // namespace sla::ingest
