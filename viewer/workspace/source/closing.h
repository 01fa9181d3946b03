// What waits for servers when it is let go of is let go of beside the window: a server that is stopped holds nobody up.
#pragma once

#include <memory>

namespace sla::workspace {

// `last`: nobody else has it. At the end of the program what is still being closed is waited for.
void close_beside(std::shared_ptr<void> last);

}  // namespace sla::workspace
