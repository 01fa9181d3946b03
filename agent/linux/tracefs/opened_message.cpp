#include "agent/linux/tracefs/opened_message.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sla::linux {
namespace {

constexpr std::uint32_t kRefused = 0;
constexpr std::uint32_t kOpened = 1;
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;  // thousands of formats are some MB

class BlockWriter {
public:
    void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void text(const std::string& value) {
        number(value.size());
        bytes_ += value;
    }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

class BlockReader {
public:
    explicit BlockReader(std::string_view bytes) : rest_(bytes) {}
    std::uint64_t number() {
        std::uint64_t value = 0;
        whole_ = whole_ && rest_.size() >= sizeof value;
        if (!whole_) return 0;
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
        return value;
    }
    std::string text() {
        const std::uint64_t length = number();
        whole_ = whole_ && length <= rest_.size();
        if (!whole_) return "";
        std::string value(rest_.substr(0, length));
        rest_.remove_prefix(length);
        return value;
    }
    [[nodiscard]] bool whole() const { return whole_; }

private:
    std::string_view rest_;
    bool whole_ = true;
};

bool write_all(int socket, const void* from, std::size_t bytes) {
    const char* at = static_cast<const char*>(from);
    while (bytes > 0) {
        const ssize_t sent = ::send(socket, at, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        at += sent;
        bytes -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool read_all(int socket, void* to, std::size_t bytes) {
    char* at = static_cast<char*>(to);
    while (bytes > 0) {
        const ssize_t got = ::recv(socket, at, bytes, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        bytes -= static_cast<std::size_t>(got);
    }
    return true;
}

bool send_block(int socket, const BlockWriter& block) {
    const std::uint64_t length = block.bytes().size();
    return write_all(socket, &length, sizeof length) && write_all(socket, block.bytes().data(), length);
}

// One byte, with space for a descriptor beside it.
struct Parcel {
    char byte = '.';
    iovec io{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    Parcel() {
        message.msg_iov = &io;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
    }
};

bool send_fd(int socket, int fd) {
    Parcel parcel;
    cmsghdr* header = CMSG_FIRSTHDR(&parcel.message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
    return ::sendmsg(socket, &parcel.message, MSG_NOSIGNAL) == 1;
}

UniqueFd receive_fd(int socket) {
    Parcel parcel;
    ssize_t got = 0;
    do {
        got = ::recvmsg(socket, &parcel.message, MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    const cmsghdr* header = CMSG_FIRSTHDR(&parcel.message);
    if (got != 1 || header == nullptr || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int)))
        return UniqueFd();
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return UniqueFd(fd);
}

void read_events(BlockReader& block, OpenedTrace& opened) {
    for (std::uint64_t left = block.number(); left > 0 && block.whole(); left--) {
        OpenedTrace::Event event;
        event.system = block.text();
        event.format = block.text();
        event.lane = block.text();
        const std::uint64_t edge = block.number();
        event.edge = edge == 1 ? ProbeEdge::kBegin : (edge == 2 ? ProbeEdge::kEnd : ProbeEdge::kTick);
        opened.events.push_back(std::move(event));
    }
}

std::uint64_t number_of(ProbeEdge edge) {
    return edge == ProbeEdge::kBegin ? 1 : (edge == ProbeEdge::kEnd ? 2 : 0);
}

bool receive_fds(int socket, bool has_names, OpenedTrace& opened) {
    opened.running = receive_fd(socket);
    if (has_names) opened.names = receive_fd(socket);
    bool all = static_cast<bool>(opened.running);
    for (OpenedTrace::Cpu& cpu : opened.cpus) {
        cpu.pages = receive_fd(socket);
        cpu.stats = receive_fd(socket);
        all = all && cpu.pages && cpu.stats;
    }
    return all;
}

}  // namespace

bool send_refusal(int socket, const Error& error) {
    BlockWriter block;
    block.number(kRefused);
    block.number(static_cast<std::uint64_t>(error.code));
    block.text(error.message);
    return send_block(socket, block);
}

bool send_opened(int socket, const OpenedTrace& opened) {
    BlockWriter block;
    block.number(kOpened);
    block.number(opened.page_bytes);
    block.number(opened.buffer_bytes);
    block.number(opened.names ? 1 : 0);
    block.number(opened.cpus.size());
    for (const OpenedTrace::Cpu& cpu : opened.cpus) block.number(static_cast<std::uint64_t>(cpu.number));
    block.number(opened.events.size());
    for (const OpenedTrace::Event& event : opened.events) {
        block.text(event.system);
        block.text(event.format);
        block.text(event.lane);
        block.number(number_of(event.edge));
    }
    bool sent = send_block(socket, block) && send_fd(socket, opened.running.get());
    if (opened.names) sent = sent && send_fd(socket, opened.names.get());
    for (const OpenedTrace::Cpu& cpu : opened.cpus)
        sent = sent && send_fd(socket, cpu.pages.get()) && send_fd(socket, cpu.stats.get());
    return sent;
}

Result<OpenedTrace> receive_opened(int socket) {
    const Error gone = unavailable("the opener of the trace has ended without an answer; see the kernel's log");
    std::uint64_t length = 0;
    if (!read_all(socket, &length, sizeof length) || length > kMaxBytes) return gone;
    std::string bytes(length, '\0');
    if (!read_all(socket, bytes.data(), length)) return gone;
    BlockReader block(bytes);
    OpenedTrace opened;
    if (block.number() == kRefused) {
        const auto code = static_cast<ErrorCode>(block.number());
        return Error{code, block.text()};
    }
    opened.page_bytes = block.number();
    opened.buffer_bytes = block.number();
    const bool has_names = block.number() != 0;
    for (std::uint64_t left = block.number(); left > 0 && block.whole(); left--) {
        opened.cpus.emplace_back();
        opened.cpus.back().number = static_cast<int>(block.number());
    }
    read_events(block, opened);
    if (!block.whole() || opened.page_bytes < 4096 || !receive_fds(socket, has_names, opened)) return gone;
    return opened;
}

void wait_for_hang_up(int socket) {
    char byte = 0;
    for (;;) {
        const ssize_t got = ::read(socket, &byte, 1);
        if (got == 0 || (got < 0 && errno != EINTR)) return;
    }
}

}  // namespace sla::linux
