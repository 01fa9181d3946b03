// Whoever shares standard input may have left it so that it does not wait for its writer (O_NONBLOCK), for all who share it.
#pragma once

#include <poll.h>

#include <chrono>

namespace sla {

// Until there is something to read, or its end, and no longer than this; below 0: however long. False: there is nothing yet,
// or a signal came.
inline bool wait_for_input(int fd, std::chrono::milliseconds longest) {
    pollfd one{fd, POLLIN, 0};
    return ::poll(&one, 1, static_cast<int>(longest.count())) > 0;
}

}  // namespace sla
