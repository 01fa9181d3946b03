// sla-test-slow-line: a TCP line as bad as one wants it, for machines whose kernel has no netem: connections to PORT go on to
// TARGET, what is sent there arrives THERE ms later, what comes back BACK ms, each up to JITTER ms more, and of a hundred pieces
// STALLS come 200 ms late, as after a lost packet. Order stays.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <random>
#include <string>
#include <vector>

namespace {

using Time = std::chrono::steady_clock::time_point;
using std::chrono::microseconds;

struct Weather {
    int there_ms = 0;
    int back_ms = 0;
    int jitter_ms = 0;
    int stalls = 0;  // of a hundred
};

// One way of a connection.
class Way {
public:
    Way(int from, int to, int delay_ms, const Weather& weather)
        : from_(from), to_(to), delay_ms_(delay_ms), weather_(weather) {}

    [[nodiscard]] int from() const { return from_; }
    // False: it has ended.
    bool take(Time now, std::mt19937& random) {
        std::array<char, 65536> bytes{};
        const ssize_t got = ::read(from_, bytes.data(), bytes.size());
        if (got <= 0) return false;
        const auto jitter = std::uniform_int_distribution<int>(0, weather_.jitter_ms * 1000)(random);
        const bool stalls = std::uniform_int_distribution<int>(0, 99)(random) < weather_.stalls;
        Time due = now + microseconds(delay_ms_ * 1000 + jitter + (stalls ? 200'000 : 0));
        if (!pieces_.empty()) due = std::max(due, pieces_.back().due);
        pieces_.push_back({due, std::string(bytes.data(), static_cast<std::size_t>(got))});
        return true;
    }
    bool give(Time now) {
        for (; !pieces_.empty() && pieces_.front().due <= now; pieces_.pop_front()) {
            const std::string& bytes = pieces_.front().bytes;
            for (std::size_t done = 0; done < bytes.size();) {
                const ssize_t put = ::send(to_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
                if (put <= 0) return false;
                done += static_cast<std::size_t>(put);
            }
        }
        return true;
    }
    [[nodiscard]] Time next(Time otherwise) const {
        return pieces_.empty() ? otherwise : std::min(otherwise, pieces_.front().due);
    }

private:
    struct Piece {
        Time due;
        std::string bytes;
    };
    int from_;
    int to_;
    int delay_ms_;
    const Weather& weather_;
    std::deque<Piece> pieces_;
};

struct Line {
    int near = -1;
    int far = -1;
    Way there;
    Way back;
};

sockaddr_in address(const char* host, int port) {
    sockaddr_in made{};
    made.sin_family = AF_INET;
    made.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, host, &made.sin_addr);
    return made;
}

int listen_on(int port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const sockaddr_in at = address("127.0.0.1", port);
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0 || ::listen(fd, 16) != 0) return -1;
    return fd;
}

void open_line(int listener, const sockaddr_in& target, const Weather& weather, std::list<Line>& lines) {
    const int near = ::accept(listener, nullptr, nullptr);
    if (near < 0) return;
    const int far = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(far, reinterpret_cast<const sockaddr*>(&target), sizeof target) != 0) {
        ::close(near);
        ::close(far);
        return;
    }
    const int yes = 1;
    for (const int fd : {near, far}) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    lines.push_back({near, far, Way(near, far, weather.there_ms, weather), Way(far, near, weather.back_ms, weather)});
}

[[noreturn]] void run(int listener, const sockaddr_in& target, const Weather& weather) {
    std::list<Line> lines;
    std::mt19937 random(1);
    for (;;) {
        std::vector<pollfd> fds{{listener, POLLIN, 0}};
        const Time now = std::chrono::steady_clock::now();
        Time next = now + std::chrono::seconds(1);
        for (const Line& line : lines) {
            fds.push_back({line.near, POLLIN, 0});
            fds.push_back({line.far, POLLIN, 0});
            next = line.back.next(line.there.next(next));
        }
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(std::max(next - now, Time::duration::zero()));
        (void)::poll(fds.data(), fds.size(), static_cast<int>(wait.count()));
        const Time then = std::chrono::steady_clock::now();
        std::size_t at = 1;
        for (auto line = lines.begin(); line != lines.end();) {
            bool is_open = (fds[at].revents == 0 || line->there.take(then, random)) &&
                           (fds[at + 1].revents == 0 || line->back.take(then, random));
            at += 2;
            is_open = is_open && line->there.give(then) && line->back.give(then);
            if (is_open) {
                ++line;
                continue;
            }
            ::close(line->near);
            ::close(line->far);
            line = lines.erase(line);
        }
        if (fds[0].revents != 0) open_line(listener, target, weather, lines);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 8) {
        std::fputs("usage: sla-test-slow-line PORT TARGET-HOST TARGET-PORT THERE BACK JITTER STALLS\n", stderr);
        return 2;
    }
    const int listener = listen_on(std::atoi(argv[1]));
    if (listener < 0) {
        std::perror("sla-test-slow-line");
        return 3;
    }
    std::puts("ready");
    std::fflush(stdout);
    const Weather weather{std::atoi(argv[4]), std::atoi(argv[5]), std::atoi(argv[6]), std::atoi(argv[7])};
    run(listener, address(argv[2], std::atoi(argv[3])), weather);
}
