#include "agent/stream/knock.h"

#include "agent/stream/end_frame.h"
#include "proto/time/tick_clock.h"

#include <sys/socket.h>

namespace sla::stream {
namespace {

using boost::system::error_code;

constexpr std::chrono::seconds kTimeForLastWords{2};
constexpr std::size_t kFirstBytes = 3;

}  // namespace

void Doorkeeper::Knock::start() {
    limit(door_->limits_.time_to_log_in, "it did not log in in time");
    transport_.socket().async_wait(tls::Socket::wait_read, [self = shared_from_this()](const error_code& error) {
        if (self->door_ == nullptr) return;
        if (error) return self->end(error.message());
        self->look_at_first_bytes();
    });
}

void Doorkeeper::Knock::close() {
    door_ = nullptr;
    error_code ignored;
    timer_.cancel(ignored);
    transport_.close();
}

void Doorkeeper::Knock::limit(Clock::duration time, std::string why) {
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this(), why = std::move(why)](const error_code& error) {
        if (!error && self->door_ != nullptr) self->end(why);
    });
}

void Doorkeeper::Knock::end(const std::string& why) {
    Doorkeeper* const door = door_;
    door->no_login(*this, why);
    close();
    door->forget(this);
}

// Looked at, not taken: the handshake needs them.
void Doorkeeper::Knock::look_at_first_bytes() {
    const int fd = transport_.socket().native_handle();
    const ssize_t got = ::recv(fd, buffer_.data(), kFirstBytes, MSG_PEEK | MSG_DONTWAIT);
    if (got <= 0) return end("it said nothing");
    const std::string first(buffer_.data(), static_cast<std::size_t>(got));
    if (begins_like_tls(first)) {
        door_->make_place(true);
        is_talking_ = true;
        return shake_hands();
    }
    while (::recv(fd, buffer_.data(), buffer_.size(), MSG_DONTWAIT) > 0) {  // unread bytes would make the answer a reset
    }
    const std::string answer = answer_in_plain(first);
    (void)::send(fd, answer.data(), answer.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    end("it speaks no TLS");
}

void Doorkeeper::Knock::shake_hands() {
    tls::Stream& stream = transport_.start_tls(*door_->context_);
    stream.handshake(tls::Stream::End::kAgent, [self = shared_from_this()](const error_code& error) {
        if (self->door_ == nullptr) return;
        if (error) return self->end("the handshake failed: " + tls::failure_of(error).text);
        self->read_more();
    });
}

void Doorkeeper::Knock::read_more() {
    transport_.read_some(boost::asio::buffer(buffer_), [self = shared_from_this()](const error_code& error, std::size_t n) {
        if (self->door_ == nullptr) return;
        if (error) return self->end("it left before it had logged in");
        self->received_.append(self->buffer_.data(), n);
        self->judge();
    });
}

void Doorkeeper::Knock::judge() {
    LoginVerdict verdict = judge_login(received_, transport_.tls()->peer_fingerprint(), door_->access_);
    switch (verdict.what) {
        case LoginVerdict::What::kMore: return read_more();
        case LoginVerdict::What::kRefused: return refuse(verdict.why);
        case LoginVerdict::What::kAdmitted: break;
    }
    Doorkeeper* const door = std::exchange(door_, nullptr);
    error_code ignored;
    timer_.cancel(ignored);
    const auto self = shared_from_this();
    door->forget(this);
    door->admit(*this, std::move(verdict.entry), received_.substr(verdict.used));
}

// The limit to the whole ends here: this time is ours.
void Doorkeeper::Knock::refuse(const std::string& why) {
    timer_.expires_after(door_->fail(*this, why));
    timer_.async_wait([self = shared_from_this(), why](const error_code& error) {
        if (!error && self->door_ != nullptr) self->say_last(end_frame(time::read_stamp(), "disconnected: " + why));
    });
}

void Doorkeeper::Knock::say_last(std::string words) {
    last_words_ = std::move(words);
    const auto over = [self = shared_from_this()] {
        if (self->door_ == nullptr) return;
        Doorkeeper* const door = self->door_;
        self->close();
        door->forget(self.get());
    };
    timer_.expires_after(kTimeForLastWords);
    timer_.async_wait([over](const error_code& error) {
        if (!error) over();
    });
    transport_.write({boost::asio::buffer(last_words_)}, [over](const error_code&, std::size_t) { over(); });
}

}  // namespace sla::stream
