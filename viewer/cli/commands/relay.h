// Bytes between a client on two descriptors and an agent on a socket, both ways, until one side is done.
#pragma once

#include "proto/base/result.h"

#include <functional>

namespace sla::cli {

// Ends when the agent hangs up, when the client does not listen any more, or (`go_on`, asked after signals) when it shall. The
// client's end of input is passed on; the agent may still answer. Holds at most 64 KiB each way.
Result<void> relay(int input, int output, int agent, const std::function<bool()>& go_on);

}  // namespace sla::cli
