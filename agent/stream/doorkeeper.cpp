#include <utility>  // before Asio, which forgets it

#include "agent/stream/doorkeeper.h"

#include "agent/stream/end_frame.h"
#include "agent/stream/login.h"
#include "proto/time/tick_clock.h"

#include <spdlog/spdlog.h>
#include <boost/asio/steady_timer.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>

namespace sla::stream {
namespace {

using std::chrono::seconds;
using Clock = std::chrono::steady_clock;
using boost::system::error_code;

constexpr seconds kTimeForLastWords{2};
constexpr seconds kBetweenLines{10};  // of the log
constexpr std::size_t kFirstBytes = 3;

// A network of IPv6 is one neighbour: it has more addresses than anybody can count.
std::string address_of(int fd) {
    constexpr std::size_t kNetwork = 8;
    sockaddr_storage name{};
    socklen_t length = sizeof name;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&name), &length) != 0) return "nowhere";
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (name.ss_family == AF_INET) {
        ::inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(name).sin_addr, text.data(), text.size());
        return text.data();
    }
    if (name.ss_family != AF_INET6) return "here";
    in6_addr v6 = reinterpret_cast<const sockaddr_in6&>(name).sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(&v6)) {
        ::inet_ntop(AF_INET, &v6.s6_addr[12], text.data(), text.size());
        return text.data();
    }
    std::fill(v6.s6_addr + kNetwork, v6.s6_addr + sizeof v6.s6_addr, 0);
    ::inet_ntop(AF_INET6, &v6, text.data(), text.size());
    return std::string(text.data()) + "/64";
}

}  // namespace

// One connection until it is admitted or gone. The doorkeeper lets go of it in forget(); handlers under way keep it.
class Doorkeeper::Knock : public std::enable_shared_from_this<Knock> {
public:
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

Doorkeeper::Doorkeeper(boost::asio::io_context& io, std::function<void(Guest)> admit, Limits limits)
    : io_(io), admit_(std::move(admit)), limits_(limits) {}

Doorkeeper::~Doorkeeper() {
    close();
}

Result<void> Doorkeeper::read(const TlsFiles& files) {
    Result<tls::Context> context = tls::Context::for_agent({files.certificate, files.key});
    if (!context) {
        const bool is_missing = context.error().code == ErrorCode::kNotFound;
        return unavailable("no address of tls can be served: " + context.error().message +
                           (is_missing ? ". Make a certificate: sla-agent --make-certificate" : ""));
    }
    Result<AccessList> access = AccessList::read(files.access);
    if (!access) return access.error();
    context_ = std::move(*context);
    access_ = std::move(*access);
    return {};
}

void Doorkeeper::take(int fd) {
    make_place(false);
    sockaddr_storage name{};
    socklen_t length = sizeof name;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length);
    const int on = 1;
    if (name.ss_family != AF_UNIX) {
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);  // the other machine may be gone without a word
    }
    error_code error;
    tls::Socket socket(io_);
    socket.assign({name.ss_family, 0}, fd, error);
    if (error) {
        ::close(fd);
        return say("a client over TLS cannot be taken in: " + error.message());
    }
    knocks_.push_back(std::make_shared<Knock>(*this, std::move(socket), address_of(fd)));
    knocks_.back()->start();
}

void Doorkeeper::make_place(bool talking) {
    std::map<std::string, std::size_t> held;
    std::size_t all = 0;
    for (const auto& knock : knocks_) {
        if (knock->is_talking() != talking) continue;
        held[knock->address()]++;
        all++;
    }
    if (all < (talking ? limits_.talking : limits_.silent)) return;
    const auto most = std::max_element(held.begin(), held.end(),
                                       [](const auto& one, const auto& other) { return one.second < other.second; });
    const auto oldest = std::find_if(knocks_.begin(), knocks_.end(), [&](const auto& knock) {
        return knock->is_talking() == talking && knock->address() == most->first;
    });
    const std::shared_ptr<Knock> gone = *oldest;
    no_login(*gone, std::to_string(all) + " wait to log in");
    gone->close();
    forget(gone.get());
}

void Doorkeeper::forget(const Knock* knock) {
    knocks_.remove_if([knock](const std::shared_ptr<Knock>& held) { return held.get() == knock; });
}

void Doorkeeper::admit(Knock& knock, AccessEntry entry, std::string received) {
    admitted_.fetch_add(1, std::memory_order_relaxed);  // pairs with nothing: a figure
    admit_({std::move(knock.transport()), std::move(entry), knock.address(), std::move(received)});
}

std::chrono::milliseconds Doorkeeper::fail(const Knock& knock, const std::string& why) {
    failed_.fetch_add(1, std::memory_order_relaxed);  // pairs with nothing: a figure
    say("a login from " + knock.address() + " failed: " + why);
    return failed_logins_.add(knock.address(), Clock::now());
}

void Doorkeeper::no_login(const Knock& knock, const std::string& why) {
    no_login_.fetch_add(1, std::memory_order_relaxed);  // pairs with nothing: a figure
    say("a connection from " + knock.address() + " was closed before it logged in: " + why);
}

// A line in ten seconds at most, which counts those that were left out before it.
void Doorkeeper::say(const std::string& text) {
    const Clock::time_point now = Clock::now();
    if (said_ != Clock::time_point() && now - said_ < kBetweenLines) {
        unsaid_++;
        return;
    }
    said_ = now;
    const std::uint64_t more = std::exchange(unsaid_, 0);
    spdlog::warn("{}{}", text, more == 0 ? "" : " (and " + std::to_string(more) + " like it since the last such line)");
}

void Doorkeeper::close() {
    for (const auto& knock : knocks_) knock->close();
    knocks_.clear();
}

LoginCounts Doorkeeper::counts() const {
    return {admitted_.load(std::memory_order_relaxed), failed_.load(std::memory_order_relaxed),
            no_login_.load(std::memory_order_relaxed)};
}

}  // namespace sla::stream
