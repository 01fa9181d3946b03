// Takes connections of a listening socket, whatever its kind, and lives through a shortage of descriptors.
//
//   readable ──► accept ──┬─ a descriptor ──► take(fd)
//                         └─ none left ──► the reserve is given up for a moment: accept, refuse(fd), close; wait 100 ms
//
// So whoever knocks during a shortage gets a no instead of nothing, the loop does not spin on a socket that stays
// readable, and the log gets a line when a shortage begins and one when it is over. Lives on the I/O thread.
#pragma once

#include "proto/base/result.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace sla::source {

class Acceptor {
public:
    struct Hooks {
        std::string whom;                 // is taken in here, for people: "programs"
        std::function<void(int)> take;    // a new connection, non-blocking and closed on exec; the hook owns it
        std::function<void(int)> refuse;  // may say why; is closed afterwards
        std::function<void(const std::string&)> say;
    };
    Acceptor(boost::asio::io_context& io, Hooks hooks);
    ~Acceptor();
    Acceptor(const Acceptor&) = delete;
    Acceptor& operator=(const Acceptor&) = delete;

    // From here on it takes connections. The socket listens already; it is owned, also when this fails.
    Result<void> start(int listening);
    // Takes in whoever has connected already, without waiting.
    void accept_waiting();
    void close();
    [[nodiscard]] bool is_open() const { return socket_.is_open(); }

private:
    enum class Accepted { kOne, kNobody, kNothingLeft };
    void wait();
    void accept_some();
    Accepted accept_one();
    void turn_away(int why);
    void back_off();
    void note_recovery();

    Hooks hooks_;
    boost::asio::posix::stream_descriptor socket_;
    boost::asio::steady_timer pause_;
    int reserve_ = -1;
    bool short_of_ = false;  // a shortage was said and its end was not
    std::uint64_t refused_ = 0;
    std::chrono::steady_clock::time_point last_shortage_;
};

}  // namespace sla::source
