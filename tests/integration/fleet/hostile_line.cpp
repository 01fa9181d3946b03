// sla-test-hostile-line: a node that lies: it speaks NATS as the server behind it does, and does things to what that answers.
// KIND is flip (bytes of a message change), drop, double, swap (a message changes places with the next), cut (its end is
// missing), swell (it is made of 900 KiB) or header (its headers are another's); of a hundred large messages PERCENT are meant,
// or, with "acks", of those that answer publishers. What clients say passes as it is.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t kLarge = 300;  // bytes: what is stored, not what is said about it
constexpr std::size_t kSwollen = std::size_t{900} << 10;

struct Lies {
    std::string kind;
    unsigned percent = 0;
    bool of_acks = false;
};

// "MSG subject sid [reply] size" or "HMSG subject sid [reply] header-size size", and what follows.
struct Message {
    std::string words;  // up to the sizes
    bool has_headers = false;
    std::size_t header_size = 0;
    std::string body;

    [[nodiscard]] std::string text() const {
        std::string out = words;
        if (has_headers) out += std::to_string(header_size) + " ";
        return out + std::to_string(body.size()) + "\r\n" + body + "\r\n";
    }
};

// What the server says, in whole lines and messages.
class Answers {
public:
    explicit Answers(const Lies& lies) : lies_(lies) {}

    void take(const char* bytes, std::size_t size) { pending_.append(bytes, size); }
    // What goes on to the client.
    std::string give() {
        std::string out;
        while (auto next = cut_next()) out += *next;
        return out;
    }

private:
    std::optional<std::string> cut_next() {
        const std::size_t end = pending_.find("\r\n");
        if (end == std::string::npos) return std::nullopt;
        const std::string line = pending_.substr(0, end);
        const bool has_headers = line.starts_with("HMSG ");
        if (!has_headers && !line.starts_with("MSG ")) {
            pending_.erase(0, end + 2);
            return line + "\r\n";
        }
        Message message;
        message.has_headers = has_headers;
        std::size_t at = line.rfind(' ');
        const std::size_t size = std::strtoul(line.c_str() + at, nullptr, 10);
        if (has_headers) {
            at = line.rfind(' ', at - 1);
            message.header_size = std::strtoul(line.c_str() + at, nullptr, 10);
        }
        if (pending_.size() < end + 2 + size + 2) return std::nullopt;
        message.words = line.substr(0, at + 1);
        message.body = pending_.substr(end + 2, size);
        pending_.erase(0, end + 2 + size + 2);
        return changed(std::move(message));
    }
    [[nodiscard]] bool is_meant(const Message& message) {
        const bool is_ack = message.body.find("\"seq\":") != std::string::npos && message.body.size() < kLarge;
        const bool is_kind = lies_.of_acks ? is_ack : message.body.size() >= kLarge && message.has_headers;
        return is_kind && random_() % 100 < lies_.percent;
    }
    std::string changed(Message message) {
        std::string held = std::exchange(held_, "");
        if (!is_meant(message)) return message.text() + held;
        if (lies_.kind == "drop") return held;
        if (lies_.kind == "double") return message.text() + message.text() + held;
        if (lies_.kind == "swap") {
            held_ = message.text();
            return held;
        }
        if (lies_.kind == "cut") message.body.resize(message.header_size + (message.body.size() - message.header_size) / 2);
        if (lies_.kind == "swell") message.body.resize(kSwollen, 'x');
        if (lies_.kind == "flip") flip(message, message.header_size, message.body.size());
        if (lies_.kind == "header") flip(message, std::min<std::size_t>(12, message.header_size), message.header_size);
        return message.text() + held;
    }
    void flip(Message& message, std::size_t from, std::size_t until) {
        for (int i = 0; i < 3 && from < until; ++i) {
            char& byte = message.body[from + random_() % (until - from)];
            if (byte != '\r' && byte != '\n') byte = static_cast<char>('0' + random_() % 75);
        }
    }

    const Lies& lies_;
    std::string pending_;
    std::string held_;
    std::mt19937 random_{1};
};

struct Line {
    int near = -1;
    int far = -1;
    Answers answers;
};

sockaddr_in loopback(int port) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_port = htons(static_cast<std::uint16_t>(port));
    made.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return made;
}

bool send_all(int to, const char* bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t put = ::send(to, bytes, size, MSG_NOSIGNAL);
        if (put <= 0) return false;
        bytes += put;
        size -= static_cast<std::size_t>(put);
    }
    return true;
}

void open_line(int listener, int target, const Lies& lies, std::list<Line>& lines) {
    const int near = ::accept(listener, nullptr, nullptr);
    if (near < 0) return;
    const int far = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in at = loopback(target);
    if (::connect(far, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) {
        ::close(near);
        ::close(far);
        return;
    }
    lines.push_back({near, far, Answers(lies)});
}

bool pass_on(Line& line, bool from_client, bool from_server) {
    std::array<char, 65536> bytes{};
    if (from_client) {
        const ssize_t got = ::read(line.near, bytes.data(), bytes.size());
        if (got <= 0 || !send_all(line.far, bytes.data(), static_cast<std::size_t>(got))) return false;
    }
    if (!from_server) return true;
    const ssize_t got = ::read(line.far, bytes.data(), bytes.size());
    if (got <= 0) return false;
    line.answers.take(bytes.data(), static_cast<std::size_t>(got));
    const std::string out = line.answers.give();
    return send_all(line.near, out.data(), out.size());
}

[[noreturn]] void run(int listener, int target, const Lies& lies) {
    std::list<Line> lines;
    for (;;) {
        std::vector<pollfd> fds{{listener, POLLIN, 0}};
        for (const Line& line : lines) {
            fds.push_back({line.near, POLLIN, 0});
            fds.push_back({line.far, POLLIN, 0});
        }
        (void)::poll(fds.data(), fds.size(), -1);
        std::size_t at = 1;
        for (auto line = lines.begin(); line != lines.end(); at += 2) {
            if (pass_on(*line, fds[at].revents != 0, fds[at + 1].revents != 0)) {
                ++line;
                continue;
            }
            ::close(line->near);
            ::close(line->far);
            line = lines.erase(line);
        }
        if (fds[0].revents != 0) open_line(listener, target, lies, lines);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4 && argc != 5) {
        std::fputs("usage: sla-test-hostile-line TARGET-PORT KIND PERCENT [acks]\n", stderr);
        return 2;
    }
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at = loopback(0);
    socklen_t length = sizeof at;
    if (::bind(listener, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 || ::listen(listener, 16) != 0 ||
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&at), &length) != 0) {
        std::perror("sla-test-hostile-line");
        return 3;
    }
    std::printf("port %d\nready\n", ntohs(at.sin_port));
    std::fflush(stdout);
    run(listener, std::atoi(argv[1]), {argv[2], static_cast<unsigned>(std::atoi(argv[3])), argc == 5});
}
