// What a session does with what its client asks.
#include "agent/stream/session.h"

#include "proto/time/tick_clock.h"
#include "proto/wire/glob_list.h"
#include "proto/wire/one_line.h"
#include "proto/wire/utf8.h"
#include "proto/wire/version.h"

#include <sla/ring_abi.h>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace sla::stream {
namespace {

constexpr std::size_t kUnsettledBytes = 256 * 1024;
constexpr std::size_t kRequestBytes = 1024;  // that each takes, and its answer, beside what it says
constexpr int kMaxPatterns = 256;
constexpr std::size_t kMaxPatternBytes = 1024;
constexpr std::size_t kMaxNameBytes = 80;  // of a client

// Empty: they may be compared with every channel's name.
std::string wrong_patterns(const wire::Subscribe& request) {
    if (request.channels_size() > kMaxPatterns)
        return "it asks for " + std::to_string(request.channels_size()) + " patterns of channels, " +
               std::to_string(kMaxPatterns) + " are taken";
    const bool is_long =
        std::ranges::any_of(request.channels(), [](const auto& glob) { return glob.size() > kMaxPatternBytes; });
    return is_long ? "a pattern of channels has more than " + std::to_string(kMaxPatternBytes) + " bytes" : "";
}

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

}  // namespace

// False when the session was closed.
bool Session::handle_request(std::string_view message) {
    wire::Request request;
    if (!wire::parse_message(message, request)) {
        end_with("a request that cannot be read");
        return false;
    }
    const bool only_looks =
        request.has_subscribe() || request.has_login() || request.body_case() == wire::Request::BODY_NOT_SET;
    const std::size_t bytes = message.size() + kRequestBytes;
    if (role_ == Role::kLooker && !only_looks) {
        return refuse(
            request, bytes,
            "this connection may only look: marks, switches and triggers go by the Unix socket, ssh:HOST or, over TLS, "
            "with the role control");
    }
    switch (request.body_case()) {
        case wire::Request::kSubscribe: return subscribe(request.subscribe());
        case wire::Request::kMark: return pass_on_mark(request, bytes);
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
        case wire::Request::kSetRetention: pass_on(std::move(request), bytes); return true;
        case wire::Request::kLogin:                     // of one who need not say who he is
        case wire::Request::BODY_NOT_SET: return true;  // of a newer client: skipped
    }
    return true;
}

// Who waits for an answer gets one; who does not is disconnected, which says it too.
bool Session::refuse(const wire::Request& request, std::size_t bytes, const std::string& why) {
    if (request.number() != 0) {
        unsettled_bytes_ += bytes;
        answer(request.number(), why, bytes);
        return true;
    }
    end_with(why);
    return false;
}

bool Session::pass_on_mark(const wire::Request& request, std::size_t bytes) {
    if (request.mark().channel().size() >= SLA_NAME_BYTES)
        return refuse(request, bytes, "a channel's name has at most " + std::to_string(SLA_NAME_BYTES - 1) + " bytes");
    unsettled_bytes_ += bytes;
    hooks_.mark(request.mark(),
                [weak = weak_from_this(), executor = transport_.socket().get_executor(), number = request.number(), bytes] {
                    boost::asio::post(executor, [weak, number, bytes] {
                        if (auto self = weak.lock()) self->answer(number, "", bytes);
                    });
                });
    return true;
}

void Session::pass_on(wire::Request request, std::size_t bytes) {
    unsettled_bytes_ += bytes;
    ControlRequest control;
    control.local = role_ == Role::kOwner;
    control.may_set_limits = role_ == Role::kController;
    control.answer = [weak = weak_from_this(), executor = transport_.socket().get_executor(), number = request.number(),
                      bytes](const std::string& error) {
        boost::asio::post(executor, [weak, number, error, bytes] {
            if (auto self = weak.lock()) self->answer(number, error, bytes);
        });
    };
    control.request = std::move(request);
    hooks_.control(std::move(control));
}

void Session::answer(std::uint32_t number, const std::string& error, std::size_t bytes) {
    if (number == 0) return settle(bytes);
    answered_bytes_ += bytes;
    wire::Frame frame;
    frame.mutable_answer()->set_request(number);
    frame.mutable_answer()->set_error(wire::to_utf8(error));
    answers_.push_back({std::make_shared<const std::string>(wire::encode_frame(frame)), {}});
    pump();
}

bool Session::has_too_many_requests() const {
    return unsettled_bytes_ >= kUnsettledBytes;
}

// Requests of so many bytes are carried out, and their answers, if they get any, have gone out.
void Session::settle(std::size_t bytes) {
    unsettled_bytes_ -= bytes;
    if (has_too_many_requests() || !is_open() || !last_words_.empty()) return;
    if (std::exchange(holds_back_, false) && take({})) read_more();
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
    if (std::string wrong = wrong_patterns(request); !wrong.empty()) {
        end_with(wrong);
        return false;
    }
    if (!request.client().empty()) {
        const std::string client = wire::one_line(request.client(), kMaxNameBytes);
        peer_ = transport_.tls() == nullptr ? client : client + " of " + peer_;
    }
    cursor_.batches = !request.status_only();
    if (request.channels_size() > 0) {
        std::vector<std::string> globs(request.channels().begin(), request.channels().end());
        cursor_.wants = [globs](const std::string& name) { return wire::any_glob_matches(globs, name); };
    }
    until_now_ = request.until_now();
    until_tick_ = time::read_stamp();
    if (request.skip_history()) retention_.skip_before(cursor_, retain::Retention::kAllHistory);
    if (request.last_ns() > 0) {
        const std::uint64_t age = hooks_.ticks_of(request.last_ns());
        retention_.skip_older(cursor_, age, until_tick_,
                              request.show_history() ? retain::Retention::Keep::kNewest : retain::Retention::Keep::kNone);
        if (request.show_history()) history_from_ = until_tick_ - std::min(until_tick_, age);
    }
    if (request.from_tick() > 0) retention_.skip_before(cursor_, request.from_tick());
    until_status_ = retention_.status_number();
    if (request.until_tick() > 0 && request.until_tick() < until_tick_) {
        until_tick_ = request.until_tick();
        until_status_ = 0;  // a part of the past: no ledger fits it, any will do
    }
    subscribed_ = true;
    timeout_.cancel();
    log(peer_ + " joined", false);
    pump();
    return true;
}

}  // namespace sla::stream
