// One marked program within the pipeline: its drain, and its names turned into the agent's channels and threads.
#pragma once

#include "agent/daemon/pipeline/announcements.h"
#include "agent/daemon/pipeline/channel_policy.h"
#include "agent/daemon/pipeline/channel_table.h"
#include "agent/daemon/pipeline/notices.h"
#include "agent/drain/program_drain.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

class ProgramEntry final : public drain::Resolver {
public:
    ProgramEntry(std::shared_ptr<source::Program> program, ChannelTable& channels, Notices& notices);

    drain::ProgramDrain& drain() { return drain_; }
    [[nodiscard]] const SourceFacts& facts() const { return facts_; }
    void end();
    [[nodiscard]] bool has_ended() const { return facts_.ended; }
    // By a time of its own, and not the machine's.
    [[nodiscard]] bool has_own_time() const { return facts_.clock_domain != 0; }
    // Puts what is wanted of this program's channels into its segment, as far as that is new, and notifies it.
    void apply(const ChannelPolicy& channel_policy, std::uint64_t version);

    drain::DrainedChannel& channel(const ring::ChannelDescription& description) override;
    ThreadId thread(std::uint32_t tid, const std::string& name) override;
    void release_thread(ThreadId thread) override;
    void notice(const std::string& text) override;

private:
    ChannelTable& channels_;
    Notices& notices_;
    SourceFacts facts_;
    drain::ProgramDrain drain_;
    std::vector<ring::ChannelControl> controls_;  // as last set, by descriptor from 1
    std::uint64_t applied_version_ = 0;
};

}  // namespace sla::daemon
