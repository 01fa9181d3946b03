// Says it once when memory runs out before the time that events were to be kept. Owned by the draining thread.
#pragma once

#include "agent/daemon/pipeline/channel_policy.h"
#include "agent/retain/retention.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

struct OpenChannel;

class RetentionAlarm {
public:
    // What people should read about channels that ran short since the last look, those of one time and one remedy together. A new
    // version of the channel_policy's limits makes all of them news again.
    static std::vector<std::string> look(const std::vector<OpenChannel*>& channels, retain::Retention& retention,
                                         ChannelPolicy& channel_policy, std::uint64_t now);
};

}  // namespace sla::daemon
