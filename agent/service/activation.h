// Listening sockets that a service manager opened for us (systemd's socket activation): $LISTEN_PID says whom they are for,
// $LISTEN_FDS how many there are, from descriptor 3 on. What each is for is seen from the socket itself.
#pragma once

#include "agent/service/environment.h"
#include "proto/base/result.h"

#include <string>
#include <vector>

namespace sla::service {

inline constexpr int kFirstPassed = 3;

struct PassedSocket {
    enum class Kind { kPrograms, kLocalClients, kTcpClients };  // SEQPACKET, STREAM of AF_UNIX; STREAM of AF_INET, AF_INET6
    int fd = -1;
    Kind kind = Kind::kLocalClients;
    std::string path;  // of a Unix socket
};

// How many descriptors were passed to process `self`; 0: none, or they are somebody else's.
Result<int> count_passed(const Environment& environment, int self);

// Looks at `count` descriptors from `first` on; they are closed on exec from here on. An error names the one that is no
// listening socket of ours.
Result<std::vector<PassedSocket>> look_at_passed(int first, int count);

}  // namespace sla::service
