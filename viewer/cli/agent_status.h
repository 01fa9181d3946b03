// How an agent is: names and its newest Status, without events.
#pragma once

#include "proto/base/result.h"
#include "proto/wire/address.h"
#include "viewer/store/session.h"

#include <chrono>
#include <string>

namespace sla::cli {

// Into `session`; fails when nothing came in time, or the person wants it to stop. `client` is how the agent shows us.
Result<void> ask_for_status(const wire::Address& address, const std::string& client, std::chrono::milliseconds patience,
                            store::Session& session);

}  // namespace sla::cli
