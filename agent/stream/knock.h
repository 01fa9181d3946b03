// Doorkeeper::Knock: one connection from its first byte to its login. Private to the room.
//
//   first bytes ─► handshake of TLS ─► login, read and judged ─► admitted
//        └──────────────┴──────────────────┴──► refused, after a time that grows, with a last word where it can be said
#pragma once

#include <utility>  // before Asio, which forgets it

#include "agent/stream/doorkeeper.h"
#include "agent/stream/login.h"

#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <memory>
#include <string>

namespace sla::stream {

// One connection until it is admitted or gone. The doorkeeper lets go of it in forget(); handlers under way keep it.
class Doorkeeper::Knock : public std::enable_shared_from_this<Knock> {
public:
    using Clock = std::chrono::steady_clock;

    Knock(Doorkeeper& door, tls::Socket socket, std::string address)
        : door_(&door), address_(std::move(address)), transport_(std::move(socket)), timer_(door.io_) {}

    void start();
    void close();
    [[nodiscard]] const std::string& address() const { return address_; }
    tls::Transport& transport() { return transport_; }
    [[nodiscard]] bool is_talking() const { return is_talking_; }

private:
    void limit(Clock::duration time, std::string why);
    void look_at_first_bytes();
    void shake_hands();
    void read_more();
    void judge();
    void refuse(const std::string& why);
    void say_last(std::string words);
    void end(const std::string& why);

    Doorkeeper* door_;  // nullptr: let go
    std::string address_;
    tls::Transport transport_;
    boost::asio::steady_timer timer_;
    std::array<char, kMaxLoginBytes> buffer_{};
    std::string received_;
    std::string last_words_;
    bool is_talking_ = false;  // something like TLS
};

}  // namespace sla::stream
