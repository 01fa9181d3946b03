// Channels and threads as a drain resolves them, by name; and what its tests ask of them.
#pragma once

#include "agent/drain/channel_merge.h"
#include "agent/drain/program_drain.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sla::drain {

class Names : public Resolver {
public:
    DrainedChannel& channel(const ring::ChannelDescription& description) override { return channels[description.name]; }
    ThreadId thread(std::uint32_t tid, const std::string&) override { return {tid}; }
    void release_thread(ThreadId thread) override { released.push_back(thread.value); }
    void notice(const std::string& text) override { notices.push_back(text); }

    std::map<std::string, DrainedChannel> channels;
    std::vector<std::string> notices;
    std::vector<std::uint32_t> released;
};

inline wire::EventBatch all_of(DrainedChannel& channel) {
    wire::EventBatch out;
    merge_up_to(SLA_TICK_MASK, 1000, channel, out);
    return out;
}

inline StepClock at_present() {
    return StepClock(time::read_stamp() & SLA_TICK_MASK);
}

inline std::uint64_t waiting(const DrainedChannel& channel) {
    std::uint64_t events = 0;
    for (const auto& run : channel.runs) events += run->size();
    return events;
}

}  // namespace sla::drain
