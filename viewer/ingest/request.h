// A single request to an agent, outside of any stream.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"

#include <chrono>

namespace sla::wire {
class Request;
}

namespace sla::ingest {

// Sends the request, whose number it sets, and waits (at most `timeout`) for the answer: the agent has carried it out, or what it
// refused is the error.
Result<void> send_request(const wire::Address& address, wire::Request request,
                          std::chrono::milliseconds timeout = std::chrono::milliseconds(2000));

// Whether the agent there has begun: one that still starts, and may yet fail, listens and does not answer.
bool is_running(const wire::Address& address, std::chrono::milliseconds timeout);

}  // namespace sla::ingest
