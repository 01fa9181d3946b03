#include "agent/linux/tracefs/opened_trace.h"

#include "agent/linux/events/task_table.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace sla::linux {
namespace {

std::uint64_t number_behind(std::string_view stats, std::string_view label) {
    const std::size_t at = stats.find(label);
    if (at == std::string_view::npos) return 0;
    std::uint64_t value = 0;
    std::from_chars(stats.data() + at + label.size(), stats.data() + stats.size(), value);
    return value;
}

// The whole of a kernel's file, from its beginning, as it is now.
std::string read_again(const UniqueFd& fd) {
    std::string text;
    std::array<char, 8192> piece{};
    for (;;) {
        const ssize_t got = ::pread(fd.get(), piece.data(), piece.size(), static_cast<off_t>(text.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
}

}  // namespace

CpuLosses parse_cpu_losses(std::string_view stats) {
    return {number_behind(stats, "\noverrun: "), number_behind(stats, "commit overrun: "),
            number_behind(stats, "dropped events: ")};
}

Result<void> OpenedTrace::set_running(bool on) const {
    if (::write(running.get(), on ? "1" : "0", 1) == 1) return {};
    return unavailable(std::string("the kernel's trace cannot be switched ") + (on ? "on: " : "off: ") +
                       std::strerror(errno));
}

std::vector<CpuLosses> OpenedTrace::losses() const {
    std::vector<CpuLosses> all;
    for (const Cpu& cpu : cpus) all.push_back(parse_cpu_losses(read_again(cpu.stats)));
    return all;
}

std::string OpenedTrace::name_of(std::int32_t tid) const {
    const std::string name = name_from_proc(tid);
    if (!name.empty() || !names) return name;
    std::istringstream lines(read_again(names));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t space = line.find(' ');
        if (space != std::string::npos && std::strtol(line.c_str(), nullptr, 10) == tid) return line.substr(space + 1);
    }
    return "";
}

}  // namespace sla::linux
