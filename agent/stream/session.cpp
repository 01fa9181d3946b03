#include "agent/stream/session.h"

#include "agent/stream/end_frame.h"
#include "agent/stream/login.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/capture.pb.h"

#include <spdlog/spdlog.h>
#include <boost/asio/buffer.hpp>

#include <chrono>
#include <optional>
#include <utility>

namespace sla::stream {
namespace {

constexpr std::size_t kInFlightBytes = 512 * 1024;
constexpr std::size_t kMaxRequestBytes = 64 * 1024;
constexpr auto kTimeToSubscribe = std::chrono::seconds(10);
constexpr auto kTimeToTakeLastWords = std::chrono::seconds(10);

const char* name_of(Role role) {
    switch (role) {
        case Role::kOwner: return "a local client";
        case Role::kLocal: return "a client of this machine";
        case Role::kController: return "a client that may control";
        case Role::kLooker: break;
    }
    return "a client that may only look";
}

}  // namespace

Session::Session(tls::Transport transport, retain::Retention& retention, SessionHooks hooks, Role role)
    : transport_(std::move(transport)),
      timeout_(transport_.socket().get_executor()),
      retention_(retention),
      hooks_(std::move(hooks)),
      role_(role),
      peer_(name_of(role)) {}

Session::~Session() {
    if (!subscribed_) return;
    log(peer_ + " left" + (cursor_.lagged ? fmt::format(", too slow for {} events", cursor_.lagged) : ""), false);
}

void Session::log(const std::string& line, bool is_warning) const {
    if (role_ != Role::kOwner && hooks_.log) return hooks_.log(line, is_warning);
    spdlog::log(is_warning ? spdlog::level::warn : spdlog::level::info, "{}", line);
}

void Session::start(std::string_view received, std::string peer) {
    if (!peer.empty()) peer_ = std::move(peer);
    timeout_.expires_after(kTimeToSubscribe);
    timeout_.async_wait([self = shared_from_this()](boost::system::error_code error) {
        if (!error && !self->subscribed_) self->end_with(fmt::format("no Subscribe within {} s", kTimeToSubscribe.count()));
    });
    if (received.empty() || take(received)) read_more();
}

void Session::close() {
    boost::system::error_code ignored;
    timeout_.cancel(ignored);
    transport_.close();
}

// Says to the peer why: at once as far as its socket takes it; over TLS, or behind a write that is under way, it takes a
// moment.
void Session::end_with(const std::string& why) {
    if (!is_open() || !last_words_.empty()) return;
    if (ended_) return close();  // it has been notified already
    log(peer_ + " was disconnected: " + why, true);
    last_words_ = end_frame(time::read_stamp(), "disconnected: " + why);
    ended_ = true;
    if (!sending_ && transport_.tls() == nullptr) {
        boost::system::error_code ignored;
        transport_.socket().non_blocking(true, ignored);
        transport_.socket().send(boost::asio::buffer(last_words_), MSG_NOSIGNAL, ignored);
        return close();
    }
    timeout_.expires_after(kTimeToTakeLastWords);
    timeout_.async_wait([self = shared_from_this()](boost::system::error_code error) {
        if (!error) self->close();
    });
    if (!sending_) say_last_words();
}

void Session::say_last_words() {
    sending_ = true;
    transport_.write({boost::asio::buffer(last_words_)},
                     [self = shared_from_this()](boost::system::error_code, std::size_t) { self->close(); });
}

void Session::read_more() {
    transport_.read_some(boost::asio::buffer(received_),
                         [self = shared_from_this()](boost::system::error_code error, std::size_t n) {
                             if (error) return self->close();
                             if (!self->last_words_.empty()) return;  // nothing of it is applied any more
                             if (self->take({self->received_.data(), n})) self->read_more();
                         });
}

// False: nothing more is to be read, or not now.
bool Session::take(std::string_view bytes) {
    if (!speaks_ && begins_like_tls(bytes)) {
        end_with("this address speaks no TLS: write tcp:HOST:PORT instead of tls:HOST:PORT");
        return false;
    }
    speaks_ = true;
    decoder_.feed(bytes);
    for (;;) {
        if (has_too_many_requests()) {
            holds_back_ = true;
            return false;
        }
        auto message = decoder_.next();
        if (!message) {
            end_with(message.error().message);
            return false;
        }
        if (!*message) break;
        if (!handle_request(**message)) return false;
    }
    if (decoder_.pending_bytes() <= kMaxRequestBytes) return true;
    end_with(fmt::format("a request of more than {} KiB", kMaxRequestBytes / 1024));
    return false;
}

void Session::wake() {
    if (subscribed_) pump();
}

void Session::pump() {
    if (sending_ || ended_ || !is_open()) return;
    in_flight_.clear();
    in_flight_.swap(answers_);
    in_flight_bytes_ = std::exchange(answered_bytes_, 0);
    if (subscribed_) read_on();
    if (!in_flight_.empty()) send();
}

void Session::read_on() {
    ended_ = !retention_.read(cursor_, kInFlightBytes, in_flight_);
    if (history_from_ != 0 && cursor_.next_announcement > 0) report_history();
    if (!ended_ && until_now_ && cursor_.watermark >= until_tick_ && cursor_.status_number > until_status_) {
        in_flight_.push_back({std::make_shared<const std::string>(end_frame(until_tick_, "up to now, as asked")), {}});
        ended_ = true;
    }
}

// Once, behind the first words; the End of an agent that ends stays last.
void Session::report_history() {
    const std::uint64_t from = std::exchange(history_from_, 0);
    const std::optional<std::uint64_t> oldest = retention_.oldest_tick();
    if (ended_ || !oldest || *oldest >= from) return;
    wire::Frame frame;
    frame.mutable_history()->set_from_tick(from);
    frame.mutable_history()->set_oldest_tick(*oldest);
    in_flight_.push_back({std::make_shared<const std::string>(wire::encode_frame(frame)), {}});
}

void Session::send() {
    std::vector<boost::asio::const_buffer> buffers;
    buffers.reserve(in_flight_.size());
    for (const retain::Delivery& delivery : in_flight_) buffers.emplace_back(boost::asio::buffer(*delivery.frame));
    sending_ = true;
    transport_.write(buffers, [self = shared_from_this()](boost::system::error_code error, std::size_t) {
        self->sending_ = false;
        if (!error && !self->last_words_.empty()) return self->say_last_words();
        if (error || self->ended_) return self->close();
        self->settle(std::exchange(self->in_flight_bytes_, 0));
        self->pump();
    });
}

}  // namespace sla::stream
