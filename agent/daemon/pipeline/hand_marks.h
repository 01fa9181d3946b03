// Marks of `sla mark`: events of the agent's own source, stamped here, where no watermark can have passed them. Who marks by
// another name (`sla counters log --lanes`) has a source of that name, up to kMaxNames of them.
// Owned by the stepping thread.
#pragma once

#include "agent/daemon/pipeline/channel_table.h"
#include "agent/daemon/pipeline/control_inbox.h"
#include "agent/drain/run.h"
#include "proto/wire/control.pb.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

class HandMarks {
public:
    explicit HandMarks(ChannelTable& channels) : channels_(channels) {}
    void take(const std::vector<HandMark>& marks);

    static constexpr std::size_t kMaxNames = 64;
    static constexpr std::size_t kMaxNameBytes = 64;

private:
    struct Marker {
        std::string name;
        SourceId source;
    };
    void take(const wire::Mark& mark);
    Marker marker(const std::string& name);
    drain::Run& run_of(const Marker& marker, OpenChannel& channel);

    ChannelTable& channels_;
    std::map<ChannelId, std::shared_ptr<drain::Run>> runs_;
    std::vector<std::string> names_;  // of sources that were announced
};

}  // namespace sla::daemon
