// One viewer, recorder or command on a socket: receives its requests, streams what it subscribed to, at its own pace.
//
//   connected ── Subscribe ──► streaming ── all seen ──► waiting ── publish ──► streaming ... ── End ──► closed
//
// Lives on the I/O thread. A client that is slow holds at most kInFlightBytes here; what the retention drops meanwhile comes
// back to it as a gap. One that asks faster than it takes answers is not listened to until it has taken some. One that talks
// nonsense is disconnected; nobody else notices.
#pragma once

#include "agent/retain/retention.h"
#include "agent/stream/role.h"
#include "proto/common/tls/transport.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/frame_codec.h"

#include <boost/asio/steady_timer.hpp>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sla::stream {

// A request that changes what the agent does, on its way to whoever applies it.
struct ControlRequest {
    wire::Request request;
    bool local = false;                              // from the same user over a Unix socket
    std::function<void(const std::string&)> answer;  // once, from any thread; empty text: done
    bool may_set_limits = false;                     // switches too; whoever is local may
};

// What a session asks of the rest of the agent.
struct SessionHooks {
    std::function<void(wire::Mark, std::function<void()> taken)> mark;  // `taken`: once, from any thread
    std::function<void(ControlRequest)> control;
    std::function<void()> stop;
    std::function<std::uint64_t(std::int64_t ns)> ticks_of;
    // A line for the log, of a client that is not the owner: whoever comes and goes is not to fill it. Empty: all are written.
    std::function<void(const std::string& line, bool is_warning)> log = {};
};

class Session : public std::enable_shared_from_this<Session> {
public:
    Session(tls::Transport transport, retain::Retention& retention, SessionHooks hooks, Role role);
    ~Session();

    // `received`: what the client has said already. `peer`: who it is, for people; empty: its role says it.
    void start(std::string_view received = {}, std::string peer = "");
    // Something was published.
    void wake();
    void close();
    // Says to the client why, then closes.
    void end_with(const std::string& why);
    [[nodiscard]] bool is_open() const { return transport_.is_open(); }
    // There is something that it still has to be sent, at its own pace.
    [[nodiscard]] bool is_owed() const { return subscribed_ || sending_; }
    [[nodiscard]] bool is_subscribed() const { return subscribed_; }

private:
    void read_more();
    bool take(std::string_view bytes);
    bool handle_request(std::string_view message);
    bool refuse(const wire::Request& request, std::size_t bytes, const std::string& why);
    void pass_on(wire::Request request, std::size_t bytes);
    bool pass_on_mark(const wire::Request& request, std::size_t bytes);
    void answer(std::uint32_t number, const std::string& error, std::size_t bytes);
    void settle(std::size_t bytes);
    [[nodiscard]] bool has_too_many_requests() const;
    bool subscribe(const wire::Subscribe& request);
    void pump();
    void read_on();
    void report_history();
    void send();
    void say_last_words();
    void log(const std::string& line, bool is_warning) const;

    tls::Transport transport_;
    boost::asio::steady_timer timeout_;
    retain::Retention& retention_;
    SessionHooks hooks_;
    Role role_;
    std::string peer_;
    wire::FrameDecoder decoder_;
    std::array<char, 4096> received_{};
    retain::Cursor cursor_;
    std::vector<retain::Delivery> in_flight_;
    std::vector<retain::Delivery> answers_;  // to go out before anything else
    std::size_t unsettled_bytes_ = 0;        // of requests whose answers have not gone out, and what these take
    std::size_t answered_bytes_ = 0;         // of these, with an answer that waits,
    std::size_t in_flight_bytes_ = 0;        // or is on its way
    bool holds_back_ = false;                // reads on once some are settled
    std::string last_words_;                 // behind what is being sent, then it is over
    bool subscribed_ = false;
    bool until_now_ = false;
    std::uint64_t until_tick_ = 0;    // of until_now: the watermark to reach,
    std::uint64_t history_from_ = 0;  // what ends before was left out, and the client wants to know of it
    std::uint64_t until_status_ = 0;  // and the status to be newer than, so that the ledger fits the events
    bool speaks_ = false;             // has said something that may be a request
    bool sending_ = false;
    bool ended_ = false;
};

}  // namespace sla::stream
