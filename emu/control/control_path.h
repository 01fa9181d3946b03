// Where the control sockets of running PCs are: emu-PID.control in the runtime directory (proto/base/runtime_dir.h).
#pragma once

#include "proto/base/result.h"

#include <string>

namespace sla::control {

// Somebody listens at that socket.
bool listens(const std::string& path);

// Of this process. Makes the directory if need be; it must be this user's and closed to others. Takes away those of PCs that were
// killed.
Result<std::string> own_socket_path();

// What somebody typed: a process's number, or a path; "" for the only one that runs.
Result<std::string> find_socket(const std::string& typed);

}  // namespace sla::control
