// A single request to an agent, outside of any stream.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"

#include <chrono>

namespace sla::wire {
class Request;
}

namespace sla::ingest {

// Sends the request and waits (at most `timeout`) until the agent has taken it: it closes the connection after our end does.
// A request with a number is answered: what the agent refused is the error.
Result<void> send_request(const wire::Address& address, const wire::Request& request,
                          std::chrono::milliseconds timeout = std::chrono::milliseconds(2000));

}  // namespace sla::ingest
