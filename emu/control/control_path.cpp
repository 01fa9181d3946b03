#include "emu/control/control_path.h"

#include "proto/base/guest_socket.h"
#include "proto/base/runtime_dir.h"
#include "proto/base/text.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <vector>

namespace sla::control {

namespace {

Result<std::string> runtime_path(const std::string& leaf) {
    std::array<char, sizeof(sockaddr_un::sun_path)> path{};
    if (sla_runtime_path(path.data(), path.size(), leaf.empty() ? nullptr : leaf.c_str()) < 0) {
        return unavailable("the runtime directory's path is too long for a socket; set SLA_RUNTIME_DIR to a shorter one");
    }
    return std::string(path.data());
}

// Others could leave sockets of their own where nobody made it yet.
Result<void> check_trust(const std::string& directory) {
    const int failed = sla_runtime_dir_trusted(directory.c_str());
    if (failed == 0) return {};
    return system_error("the runtime directory " + directory + " must be yours and closed to others", failed);
}

// Both are asked: one that has just begun does not listen yet, and the processes of containers that share the directory have
// numbers of their own.
bool is_left_behind(const std::filesystem::path& socket) {
    const std::string leaf = socket.filename().string();
    const auto process = guest_of_socket_leaf(leaf);
    const auto number = process ? whole_number<pid_t>(*process) : std::nullopt;
    return number && *number > 0 && ::kill(*number, 0) != 0 && errno == ESRCH && !listens(socket.string());
}

void remove_left_behind(const std::string& directory) {
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(directory, failed)) {
        if (is_left_behind(entry.path())) ::unlink(entry.path().c_str());
    }
}

}  // namespace

bool listens(const std::string& path) {
    const auto address = socket_address(path);
    if (!address) return false;
    const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return false;
    const bool answers = ::connect(probe, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0;
    ::close(probe);
    return answers;
}

Result<std::string> own_socket_path() {
    const auto directory = runtime_path("");
    if (!directory) return directory.error();
    if (::mkdir(directory->c_str(), S_IRWXU) != 0 && errno != EEXIST)
        return system_error("cannot make " + *directory, errno);
    if (auto trusted = check_trust(*directory); !trusted) return trusted.error();
    remove_left_behind(*directory);
    return runtime_path(guest_socket_leaf(std::to_string(::getpid())));
}

Result<std::string> find_socket(const std::string& typed) {
    if (typed.find('/') != std::string::npos) return typed;
    const auto directory = runtime_path("");
    if (!directory) return directory.error();
    std::error_code failed;
    if (std::filesystem::exists(*directory, failed)) {
        if (auto trusted = check_trust(*directory); !trusted) return trusted.error();
    }
    if (!typed.empty()) return runtime_path(guest_socket_leaf(typed));
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(*directory, failed)) {
        const std::string name = entry.path().filename().string();
        if (guest_of_socket_leaf(name) && listens(entry.path().string())) found.push_back(entry.path().string());
    }
    if (found.size() == 1) return found.front();
    if (found.empty()) return unavailable("no emulated PC of yours runs; start one with `sla-emu run`");
    std::sort(found.begin(), found.end());
    std::string list;
    for (const std::string& path : found) list += "\n  " + path;
    return invalid_input("several emulated PCs run; say which, by process number or path:" + list);
}

}  // namespace sla::control
