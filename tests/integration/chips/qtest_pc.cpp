#include "tests/integration/chips/qtest_pc.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace sla::chips {

namespace {

constexpr const char* kProgram = "/usr/bin/qemu-system-i386";

[[noreturn]] void become_qemu(int socket, const std::string& drive) {
    ::dup2(socket, STDIN_FILENO);
    ::dup2(socket, STDOUT_FILENO);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDERR_FILENO);
    ::execl(kProgram, kProgram, "-M", "pc", "-m", "16", "-accel", "tcg", "-S", "-qtest", "stdio", "-qtest-log", "/dev/null",
            "-display", "none", "-nodefaults", "-vga", "std", "-rtc", "clock=vm,base=2000-01-01", "-serial", "null",
            "-drive", drive.c_str(), nullptr);
    ::_exit(127);
}

}  // namespace

bool QtestPc::installed() {
    return ::access(kProgram, X_OK) == 0;
}

QtestPc::QtestPc(const std::string& disk) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    const std::string drive = "file=" + disk + ",format=raw,if=ide,snapshot=on";
    pid_ = ::fork();
    if (pid_ == 0) become_qemu(ends[1], drive);
    ::close(ends[1]);
    socket_ = ends[0];
}

QtestPc::~QtestPc() {
    if (socket_ >= 0) ::close(socket_);
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

std::optional<std::vector<std::uint8_t>> QtestPc::run(std::span<const Access> accesses) {
    std::string commands;
    std::array<char, 40> line{};
    for (const Access& access : accesses) {
        std::snprintf(line.data(), line.size(), access.write ? "outb %#x %#x\n" : "inb %#x\n", access.port, access.value);
        commands += line.data();
    }
    if (::send(socket_, commands.data(), commands.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(commands.size())) {
        return std::nullopt;
    }
    std::vector<std::uint8_t> read;
    std::array<char, 16384> buffer{};
    while (read.size() < accesses.size()) {
        const std::size_t end = pending_.find('\n');
        if (end == std::string::npos) {
            const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
            if (got <= 0) return std::nullopt;
            pending_.append(buffer.data(), static_cast<std::size_t>(got));
            continue;
        }
        // "OK" or "OK 0x0012"
        const std::string answer = pending_.substr(0, end);
        pending_.erase(0, end + 1);
        if (answer.compare(0, 2, "OK") != 0) return std::nullopt;
        read.push_back(answer.size() < 4 ? 0 : static_cast<std::uint8_t>(std::strtoul(answer.c_str() + 3, nullptr, 16)));
    }
    return read;
}

}  // namespace sla::chips
