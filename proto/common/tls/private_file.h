// Files that hold what is nobody else's business: keys, hashes of tokens, whom to believe.
#pragma once

#include "proto/base/result.h"

#include <string>
#include <string_view>

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

}  // namespace sla::tls
