// What a program says when it attaches, as it comes from the programs' socket, and what it is answered.
#pragma once

#include <sla/ring_abi.h>

#include <sys/types.h>

namespace sla::source {

struct ReceivedHello {
    ssize_t bytes = -1;
    sla_hello hello{};
    int fd = -1;
    bool cut = false;  // a descriptor came, but there was none free to take it
};

// One datagram and the first descriptor that came with it; any further descriptors are closed.
ReceivedHello receive_hello(int peer);
void answer(int peer, sla_welcome_status status);

}  // namespace sla::source
