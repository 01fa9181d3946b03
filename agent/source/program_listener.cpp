#include "agent/source/program_listener.h"

#include "agent/source/program_hello.h"
#include "proto/time/tick_clock.h"

#include <sla/ring_abi.h>

#include <boost/asio/post.hpp>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sla::source {
namespace {

// A program takes a stamp right before it says hello. One that is far from ours is of another clock: containers may shift
// theirs. One that was stopped meanwhile comes again with a new one. 0: an older program, which says nothing.
bool shares_clock(std::uint64_t attached_tick) {
    constexpr std::uint64_t kAheadNs = 1'000'000'000;
    constexpr std::uint64_t kBehindNs = 60'000'000'000;
    const std::uint64_t now = time::read_stamp() & SLA_TICK_MASK;
    return attached_tick == 0 || (attached_tick <= now + kAheadNs && attached_tick + kBehindNs >= now);
}

std::string segment_needs() {
    return "one takes " + std::to_string(SLA_SEGMENT_BYTES >> 20) + " MiB of addresses";
}

std::string turned_away(std::uint32_t pid) {
    return "program " + std::to_string(pid) + " was turned away, what it marks is lost: ";
}

}  // namespace

struct ProgramListener::Peer {
    explicit Peer(boost::asio::io_context& io) : socket(io) {}
    ~Peer() {
        if (program) program->ended.store(true, std::memory_order_release);  // pairs with ProgramDrain's acquire
    }
    boost::asio::posix::stream_descriptor socket;
    std::shared_ptr<Program> program;
};

ProgramListener::ProgramListener(boost::asio::io_context& io, OnProgram on_program, OnRefused on_refused)
    : io_(io),
      on_program_(std::move(on_program)),
      on_refused_(std::move(on_refused)),
      acceptor_(io, {"programs", [this](int fd) { welcome(fd); },
                     [this](int fd) {
                         answer(fd, SLA_WELCOME_REFUSED);
                         on_refused_.turned_away("");
                     },
                     [this](const std::string& what) { on_refused_.say(what); }}) {}

ProgramListener::~ProgramListener() {
    close();
}

Result<void> ProgramListener::listen(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        return invalid_input("the socket's path is too long (" + std::to_string(path.size()) + " bytes, at most " +
                             std::to_string(sizeof address.sun_path - 1) + "): " + path +
                             "; choose a shorter $SLA_RUNTIME_DIR");
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    int fd = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return system_error("cannot make a socket for programs", errno);
    ::unlink(path.c_str());
    if (::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(fd, 512) != 0) {
        const int failed = errno;
        ::close(fd);
        return system_error("cannot listen on " + path, failed);
    }
    ::chmod(path.c_str(), 0600);
    path_ = path;
    return acceptor_.start(fd);
}

void ProgramListener::close() {
    acceptor_.close();
    if (!path_.empty()) ::unlink(std::exchange(path_, {}).c_str());
}

void ProgramListener::welcome(int fd) {
    auto peer = std::make_shared<Peer>(io_);
    boost::system::error_code error;
    peer->socket.assign(fd, error);
    if (error) {
        answer(fd, SLA_WELCOME_REFUSED);
        ::close(fd);
        on_refused_.turned_away("a program was turned away: " + error.message());
        return;
    }
    std::erase_if(silent_peers_, [](const std::weak_ptr<Peer>& silent) { return silent.expired(); });
    if (on_readable(peer)) {
        if (!peer->program) silent_peers_.push_back(peer);
        wait_for_words(peer);
    }
}

void ProgramListener::accept_waiting() {
    acceptor_.accept_waiting();
    for (const std::weak_ptr<Peer>& silent : silent_peers_) {
        std::shared_ptr<Peer> peer = silent.lock();
        if (peer && !peer->program) on_readable(peer);
    }
}

void ProgramListener::wait_for_words(const std::shared_ptr<Peer>& peer) {
    peer->socket.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this, peer](boost::system::error_code error) {
        if (!error && on_readable(peer)) wait_for_words(peer);
    });
}

// True while the peer is worth listening to.
bool ProgramListener::on_readable(const std::shared_ptr<Peer>& peer) {
    const int socket = peer->socket.native_handle();
    ReceivedHello received = receive_hello(socket);
    if (received.bytes < 0) return errno == EAGAIN || errno == EINTR;
    if (received.bytes == 0) {  // it has gone, or said nothing with a descriptor
        if (received.fd >= 0) ::close(received.fd);
        return false;
    }
    const bool is_hello = received.bytes == sizeof(sla_hello) && received.hello.magic == SLA_HELLO_MAGIC;
    if (received.cut && received.fd < 0) {
        answer(socket, SLA_WELCOME_REFUSED);
        on_refused_.turned_away(
            "a program was turned away: no descriptor is left for its segment (ulimit -n, or LimitNOFILE=)");
        return false;
    }
    if (peer->program || !is_hello || (received.fd < 0 && received.hello.segment_bytes != 0)) {
        if (received.fd >= 0) ::close(received.fd);
        on_refused_.say("a peer on the programs' socket said something that is not a hello; it was turned away");
        return false;
    }
    const std::uint32_t own_pid = received.hello.pid;
    if (received.hello.version != SLA_ABI_VERSION) {
        if (received.fd >= 0) ::close(received.fd);
        answer(socket, SLA_WELCOME_VERSION);
        on_refused_.turned_away(turned_away(own_pid) + "it was built with another version of the marker library (" +
                                std::to_string(received.hello.version) + ", this agent: " + std::to_string(SLA_ABI_VERSION) +
                                ")");
        return false;
    }
    if (received.fd < 0) {
        answer(socket, SLA_WELCOME_REFUSED);
        on_refused_.turned_away(turned_away(own_pid) + "it could make no segment (SLA_DEBUG=1 says why; " + segment_needs() +
                                ", and a quarter at most of what ulimit -v leaves)");
        return false;
    }
    return take_hello(peer, received.fd, own_pid);
}

bool ProgramListener::take_hello(const std::shared_ptr<Peer>& peer, int segment_fd, std::uint32_t own_pid) {
    const int socket = peer->socket.native_handle();
    Result<std::shared_ptr<Program>> program = take_in(socket, segment_fd, own_pid);
    answer(socket, program ? SLA_WELCOME_OK : SLA_WELCOME_REFUSED);
    if (!program) {
        const bool marks = program.error().code == ErrorCode::kUnavailable;
        (marks ? on_refused_.turned_away : on_refused_.say)(program.error().message);
        return false;
    }
    peer->program = *program;
    // A peer whose socket is full has not received an earlier change yet, and looks at the newest when it does.
    peer->program->notify_controls = [weak = std::weak_ptr(peer), this] {
        boost::asio::post(io_, [weak] {
            if (auto there = weak.lock()) answer(there->socket.native_handle(), SLA_WELCOME_CONTROLS);
        });
    };
    on_program_(peer->program);
    return true;
}

// kUnavailable: a program that marks, and cannot be read.
Result<std::shared_ptr<Program>> ProgramListener::take_in(int peer_fd, int segment_fd, std::uint32_t own_pid) const {
    ucred who{};
    socklen_t length = sizeof who;
    struct stat info {};
    if (::getsockopt(peer_fd, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0 || ::fstat(segment_fd, &info) != 0) {
        int failed = errno;
        ::close(segment_fd);
        return system_error("cannot learn who wants to attach", failed);
    }
    const std::uint32_t pid = who.pid == 0 ? own_pid : static_cast<std::uint32_t>(who.pid);
    if (who.uid != ::geteuid() && who.uid != 0) {
        ::close(segment_fd);
        return invalid_input("program " + std::to_string(pid) + " belongs to user " + std::to_string(who.uid) +
                             ", this agent serves user " + std::to_string(::geteuid()) + " only");
    }
    Result<ring::SegmentView> view = ring::SegmentView::map(segment_fd);
    if (!view && view.error().code == ErrorCode::kUnavailable)
        return unavailable(turned_away(pid) + view.error().message + " (" + segment_needs() + ": ulimit -v, or LimitAS=)");
    if (!view) return Error{view.error().code, "program " + std::to_string(pid) + ": " + view.error().message};
    const bool raw = time::stamp_clock() == time::StampClock::kMonotonicRaw;
    const bool own = view->stamp_clock() == SLA_STAMP_OWN;
    if (!own && (view->stamp_clock() == SLA_STAMP_MONOTONIC_RAW) != raw) {
        return unavailable(
            turned_away(pid) + view->program() + " began to stamp with " +
            (raw ? "the TSC, this agent with CLOCK_MONOTONIC_RAW" : "CLOCK_MONOTONIC_RAW, this agent with the TSC") +
            ": start the program again");
    }
    if (raw && !shares_clock(view->attached_tick())) {
        return unavailable(turned_away(pid) + view->program() +
                           " lives in a time namespace whose CLOCK_MONOTONIC_RAW is not this agent's: run both in the same");
    }
    view->release_pages();  // many programs may wait to be drained; what is looked at is mapped with much around it
    auto program = std::make_shared<Program>(std::move(view).value());
    program->residence = look_up_residence(who.pid, own_pid);
    program->segment_id = info.st_ino;
    return program;
}

}  // namespace sla::source
