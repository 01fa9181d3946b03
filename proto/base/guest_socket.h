// The sockets of emulated PCs in a user's runtime directory, by the process that runs one: "emu-4711.control".
#pragma once

#include "proto/base/result.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace sla {

inline constexpr std::string_view kGuestSocketBegin = "emu-";
inline constexpr std::string_view kGuestSocketEnd = ".control";

inline std::string guest_socket_leaf(std::string_view process) {
    return std::string(kGuestSocketBegin) + std::string(process) + std::string(kGuestSocketEnd);
}

// The process as it is written in the name; nothing: the name is of something else.
inline std::optional<std::string_view> guest_of_socket_leaf(std::string_view leaf) {
    if (!leaf.starts_with(kGuestSocketBegin) || !leaf.ends_with(kGuestSocketEnd)) return std::nullopt;
    leaf.remove_prefix(kGuestSocketBegin.size());
    if (leaf.size() <= kGuestSocketEnd.size()) return std::nullopt;
    leaf.remove_suffix(kGuestSocketEnd.size());
    return leaf;
}

inline Result<sockaddr_un> socket_address(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return invalid_input("the path " + path + " is too long for a socket");
    std::memcpy(address.sun_path, path.c_str(), path.size());
    return address;
}

}  // namespace sla
