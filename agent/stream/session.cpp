#include "agent/stream/session.h"

#include "agent/stream/end_frame.h"
#include "agent/stream/login.h"
#include "proto/time/tick_clock.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/glob.h"
#include "proto/wire/utf8.h"
#include "proto/wire/version.h"

#include <spdlog/spdlog.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace sla::stream {
namespace {

constexpr std::size_t kInFlightBytes = 512 * 1024;
constexpr std::size_t kMaxRequestBytes = 64 * 1024;
constexpr auto kTimeToSubscribe = std::chrono::seconds(10);
constexpr auto kTimeToTakeLastWords = std::chrono::seconds(10);

// Empty: this client and we understand each other.
std::string wrong_version(const wire::Subscribe& request) {
    constexpr unsigned kFirstVersion = 1;  // clients that do not say what they read are of that time
    const unsigned reads = std::max(request.reads(), kFirstVersion);
    if (request.version() > wire::kControlVersion) {
        return "it asks in version " + std::to_string(request.version()) + ", this agent understands version " +
               std::to_string(wire::kControlVersion) + ": update the agent";
    }
    if (reads >= wire::kWireVersion || request.status_only()) return "";
    return "it reads version " + std::to_string(reads) + " of the stream, this agent sends version " +
           std::to_string(wire::kWireVersion) + ": update the client";
}

const char* name_of(Role role) {
    switch (role) {
        case Role::kOwner: return "a local client";
        case Role::kLocal: return "a client over TCP";
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
    if (subscribed_)
        spdlog::info("{} left{}", peer_, cursor_.lagged ? fmt::format(", too slow for {} events", cursor_.lagged) : "");
}

void Session::start(std::string_view received, std::string peer) {
    if (!peer.empty()) peer_ = std::move(peer);
    timeout_.expires_after(kTimeToSubscribe);
    timeout_.async_wait([self = shared_from_this()](boost::system::error_code error) {
        if (!error && !self->subscribed_) self->end_with("no Subscribe within 10 s");
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
    spdlog::warn("{} was disconnected: {}", peer_, why);
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

// False: the session is over.
bool Session::take(std::string_view bytes) {
    if (!speaks_ && begins_like_tls(bytes)) {
        end_with("this address speaks no TLS: write tcp:HOST:PORT instead of tls:HOST:PORT");
        return false;
    }
    speaks_ = true;
    decoder_.feed(bytes);
    for (;;) {
        auto message = decoder_.next();
        if (!message) {
            end_with(message.error().message);
            return false;
        }
        if (!*message) break;
        if (!handle_request(**message)) return false;
    }
    if (decoder_.pending_bytes() <= kMaxRequestBytes) return true;
    end_with("a request of more than 64 KiB");
    return false;
}

// False when the session was closed.
bool Session::handle_request(std::string_view message) {
    wire::Request request;
    if (!wire::parse_message(message, request)) {
        end_with("a request that cannot be read");
        return false;
    }
    const bool only_looks =
        request.has_subscribe() || request.has_login() || request.body_case() == wire::Request::BODY_NOT_SET;
    if (role_ == Role::kLooker && !only_looks) return refuse(request);
    switch (request.body_case()) {
        case wire::Request::kSubscribe: return subscribe(request.subscribe());
        case wire::Request::kMark: hooks_.mark(request.mark()); return true;
        case wire::Request::kStop:
            if (role_ == Role::kOwner) {
                hooks_.stop();
                return true;
            }
            end_with("Stop is allowed on the Unix socket only");
            return false;
        case wire::Request::kSetChannels:
        case wire::Request::kSetTrigger:
        case wire::Request::kControlTrigger:
        case wire::Request::kSetRetention: pass_on(std::move(request)); return true;
        case wire::Request::kLogin:                     // of one who need not say who he is
        case wire::Request::BODY_NOT_SET: return true;  // of a newer client: skipped
    }
    return true;
}

// Who waits for an answer gets one; who does not is disconnected, which says it too.
bool Session::refuse(const wire::Request& request) {
    const std::string why =
        "this connection may only look: marks, switches and triggers go by the Unix socket, ssh:HOST or, over TLS, with the "
        "role "
        "control";
    if (request.number() != 0) {
        answer(request.number(), why);
        return true;
    }
    end_with(why);
    return false;
}

void Session::pass_on(wire::Request request) {
    ControlRequest control;
    control.local = role_ == Role::kOwner;
    control.may_set_limits = role_ == Role::kController;
    control.answer = [weak = weak_from_this(), executor = transport_.socket().get_executor(),
                      number = request.number()](const std::string& error) {
        boost::asio::post(executor, [weak, number, error] {
            if (auto self = weak.lock()) self->answer(number, error);
        });
    };
    control.request = std::move(request);
    hooks_.control(std::move(control));
}

void Session::answer(std::uint32_t number, const std::string& error) {
    if (number == 0) return;
    wire::Frame frame;
    frame.mutable_answer()->set_request(number);
    frame.mutable_answer()->set_error(wire::to_utf8(error));
    answers_.push_back({std::make_shared<const std::string>(wire::encode_frame(frame)), {}});
    pump();
}

bool Session::subscribe(const wire::Subscribe& request) {
    if (subscribed_) {
        end_with("it subscribed twice");
        return false;
    }
    if (std::string wrong = wrong_version(request); !wrong.empty()) {
        end_with(wrong);
        return false;
    }
    if (!request.client().empty()) {
        const std::string client = request.client().substr(0, 80);
        peer_ = transport_.tls() == nullptr ? client : client + " of " + peer_;
    }
    cursor_.batches = !request.status_only();
    if (request.channels_size() > 0) {
        std::vector<std::string> globs(request.channels().begin(), request.channels().end());
        cursor_.wants = [globs](const std::string& name) {
            return std::any_of(globs.begin(), globs.end(), [&](const auto& glob) { return wire::glob_match(glob, name); });
        };
    }
    until_now_ = request.until_now();
    until_tick_ = time::read_stamp();
    if (request.skip_history()) retention_.skip_before(cursor_, retain::Retention::kAllHistory);
    if (request.last_ns() > 0) {
        std::uint64_t length = hooks_.ticks_of(request.last_ns());
        const std::uint64_t from = until_tick_ > length ? until_tick_ - length : 0;
        retention_.skip_before(cursor_, from,
                               request.show_history() ? retain::Retention::Keep::kNewest : retain::Retention::Keep::kNone);
        if (request.show_history()) history_from_ = from;
    }
    if (request.from_tick() > 0) retention_.skip_before(cursor_, request.from_tick());
    until_status_ = retention_.status_number();
    if (request.until_tick() > 0 && request.until_tick() < until_tick_) {
        until_tick_ = request.until_tick();
        until_status_ = 0;  // a part of the past: no ledger fits it, any will do
    }
    subscribed_ = true;
    timeout_.cancel();
    spdlog::info("{} joined", peer_);
    pump();
    return true;
}

void Session::wake() {
    if (subscribed_) pump();
}

void Session::pump() {
    if (sending_ || ended_ || !is_open()) return;
    in_flight_.clear();
    in_flight_.swap(answers_);
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
        self->pump();
    });
}

}  // namespace sla::stream
