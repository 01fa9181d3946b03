// Takes marked programs in: accepts on programs.sock, checks who they are, maps their segments, notices when they end.
//
// Lives on the I/O thread. A peer that sends anything but one hello with one descriptor is turned away; nobody else notices.
// A hello without one is of a program that had no memory for a segment.
#pragma once

#include "agent/source/acceptor.h"
#include "agent/source/program.h"
#include "proto/base/result.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <functional>
#include <memory>
#include <string>

namespace sla::source {

class ProgramListener {
public:
    using OnProgram = std::function<void(std::shared_ptr<Program>)>;
    struct OnRefused {
        std::function<void(const std::string& what)> say;
        // A program of this user that marks: what it marks is lost. `why` is empty where say() has said it.
        std::function<void(const std::string& why)> turned_away;
    };

    ProgramListener(boost::asio::io_context& io, OnProgram on_program, OnRefused on_refused);
    ~ProgramListener();

    // Binds and listens; the directory is checked by the caller. Replaces a stale socket.
    Result<void> listen(const std::string& path);
    // The same for a socket that somebody else bound, and will remove: a service manager. It is owned from here on.
    Result<void> adopt(int listening) { return acceptor_.start(listening); }

    // Takes in whoever has connected already, without waiting: before the agent ends, so that a short program's last words
    // are received. Call with the I/O loop stopped.
    void accept_waiting();
    void close();

private:
    struct Peer;
    void welcome(int fd);
    void wait_for_words(const std::shared_ptr<Peer>& peer);
    bool on_readable(const std::shared_ptr<Peer>& peer);
    bool take_hello(const std::shared_ptr<Peer>& peer, int segment_fd, std::uint32_t own_pid);
    Result<std::shared_ptr<Program>> take_in(int peer_fd, int segment_fd, std::uint32_t own_pid) const;

    boost::asio::io_context& io_;
    std::vector<std::weak_ptr<Peer>> silent_peers_;  // connected, hello not yet received
    OnProgram on_program_;
    OnRefused on_refused_;
    Acceptor acceptor_;
    std::string path_;  // to be removed; empty: nothing is
};

}  // namespace sla::source
