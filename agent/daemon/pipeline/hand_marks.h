// Marks of `sla mark`: events of the agent's own source, stamped here, where no watermark can have passed them.
// Owned by the stepping thread.
#pragma once

#include "agent/daemon/pipeline/channel_table.h"
#include "agent/daemon/pipeline/control_inbox.h"
#include "agent/drain/run.h"
#include "proto/wire/control.pb.h"

#include <map>
#include <memory>
#include <vector>

namespace sla::daemon {

class HandMarks {
public:
    explicit HandMarks(ChannelTable& channels) : channels_(channels) {}
    void take(const std::vector<HandMark>& marks);

private:
    void take(const wire::Mark& mark);
    drain::Run& run_of(SourceId self, OpenChannel& channel);

    ChannelTable& channels_;
    std::map<ChannelId, std::shared_ptr<drain::Run>> runs_;
    bool is_announced_ = false;
};

}  // namespace sla::daemon
