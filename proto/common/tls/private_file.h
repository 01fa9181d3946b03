// Files that hold what is nobody else's business: keys, hashes of tokens, whom to believe.
#pragma once

#include "proto/base/result.h"

#include <string>
#include <string_view>
#include <utility>

namespace sla::tls {

inline constexpr std::size_t kMaxPrivateFile = std::size_t{1} << 20;

// $XDG_CONFIG_HOME/sla/LEAF, else ~/.config/sla/LEAF; empty: there is no such place.
std::string config_file(std::string_view leaf);

enum class Others { kMayNotRead, kMayRead };  // none but the owner may change it, ever
// All of it; an error when it is not a file of this user (or root's), or others may do more than is said here. No such file is
// kNotFound.
Result<std::string> read_private(const std::string& path, Others others);

// Written beside it and renamed, mode 0600, with the folder (0700) where there is none.
Result<void> write_private(const std::string& path, std::string_view text);

// Held by whoever reads such a file, changes it and writes it again, so that none writes over what another has just written: waits
// for the one who has it. PATH.lock, with the folder (0700) where there is none; it stays.
class PrivateFileLock {
public:
    // `doing` is for people: "remember agents in".
    static Result<PrivateFileLock> take(const std::string& path, const std::string& doing);
    PrivateFileLock(PrivateFileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    PrivateFileLock& operator=(PrivateFileLock&&) = delete;
    ~PrivateFileLock();

private:
    explicit PrivateFileLock(int fd) : fd_(fd) {}
    int fd_;
};

}  // namespace sla::tls
