// All triggers of the agent, over the merged stream.
//
//   pipeline   merge ─► rows of lane 7 ─► wants(7)? ─► take: copied ─┐
//              merge ─► rows of lane 9 ─► wants(9)? no               ├─► advance(watermark): every trigger is fed
//
// A channel that no trigger looks at costs one look into a table of bytes a step. Owned by the draining thread; report() may
// be called from any.
#pragma once

#include "agent/shots/running_trigger.h"
#include "proto/base/strong_id.h"
#include "proto/wire/event.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace sla::wire {
class ControlTrigger;
class SetTrigger;
class Status;
}  // namespace sla::wire

namespace sla::shots {

class TriggerWatch {
public:
    explicit TriggerWatch(Hooks hooks) : hooks_(std::move(hooks)) {}

    // Both give what went wrong, for the one who asked; empty when it is done.
    std::string set(const wire::SetTrigger& request, bool local, std::uint64_t now, double ticks_per_second);
    std::string control(const wire::ControlTrigger& request, std::uint64_t now);

    void add_channel(ChannelId channel, const std::string& name);
    [[nodiscard]] bool wants(ChannelId channel) const {
        return channel.value < wanted_.size() && wanted_[channel.value] != 0;
    }
    // Rows of the batch from `from` on are new.
    void take(const wire::EventBatch& batch, std::size_t from);
    // Everything up to the watermark was taken.
    void advance(std::uint64_t watermark);
    void finish();
    void retime(double ticks_per_second);

    // What became of an order that went wrong. Any thread.
    void report(const std::string& trigger, const std::string& problem);
    void fill(wire::Status& status) const;
    [[nodiscard]] std::size_t size() const { return triggers_.size(); }

private:
    static constexpr std::size_t kMaxTriggers = 64;
    RunningTrigger* find(const std::string& name);
    std::string free_name() const;
    void find_wanted();
    void take_reports();

    Hooks hooks_;
    std::vector<std::unique_ptr<RunningTrigger>> triggers_;
    std::uint32_t next_id_ = 1;
    std::vector<std::pair<ChannelId, std::string>> channels_;
    std::vector<std::uint8_t> wanted_;        // by channel id
    std::vector<wire::EventBatch> new_rows_;  // by channel id, of this step
    std::vector<std::uint32_t> touched_;      // channels with new rows
    std::vector<trigger::Rows> rows_;
    std::mutex reports_mutex_;
    std::vector<std::pair<std::string, std::string>> reports_;  // under reports_mutex_
};

// "armed", "pre-filling", "fired", "post-filling", "stopped".
const char* state_name(wire::TriggerState state);

}  // namespace sla::shots
