// All triggers of the agent, over the merged stream.
//
//   pipeline   merge ─► rows of lane 7 ─► wants(7)? ─► take: copied ─┐
//              merge ─► rows of lane 9 ─► wants(9)? no               ├─► advance(watermark): every trigger is fed
//              a source's own time, as far as it is known ─► know ───┘
//
// A channel that no trigger looks at costs one look into a table, a step in which it has rows. Owned by the draining thread;
// report() may be called from any.
#pragma once

#include "agent/shots/running_trigger.h"
#include "proto/base/strong_id.h"
#include "proto/wire/event.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
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

    void add_channel(ChannelId channel, const std::string& name, trigger::TimeSource time = trigger::kMachineTime);
    // Nothing of it follows.
    void remove_channel(ChannelId channel);
    [[nodiscard]] bool wants(ChannelId channel) const { return !new_rows_.empty() && new_rows_.contains(channel.value); }
    // Rows of the batch from `from` on are new.
    void take(const wire::EventBatch& batch, std::size_t from);
    // The next advance() finds everything taken up to this tick of the time that the source makes up.
    void know(trigger::TimeSource source, std::uint64_t tick) { times_.set(source, tick); }
    // Its time stands still where it is, for good or until know(); nothing of it is known any more.
    void end_time(trigger::TimeSource source) { times_.end(source); }
    void forget_time(trigger::TimeSource source) { times_.forget(source); }
    // Everything up to the watermark was taken.
    void advance(std::uint64_t watermark);
    void finish();
    void retime(double ticks_per_second);

    // What became of an order that went wrong. Any thread.
    void report(const std::string& trigger, const std::string& problem);
    // Those that came after the last step: for the log.
    [[nodiscard]] std::vector<std::string> take_unsaid();
    void fill(wire::Status& status) const;
    [[nodiscard]] std::size_t size() const { return triggers_.size(); }

private:
    static constexpr std::size_t kMaxTriggers = 64;
    RunningTrigger* find(const std::string& name);
    std::string free_name() const;
    void find_wanted();
    void look_whether_wanted(ChannelId channel);
    void say_reports();
    void say_awaited(const RunningTrigger& trigger);
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> take_reports();

    Hooks hooks_;
    std::vector<std::unique_ptr<RunningTrigger>> triggers_;
    std::uint32_t next_id_ = 1;
    struct Channel {
        std::string name;
        trigger::TimeSource time;
    };
    std::map<ChannelId, Channel> channels_;
    trigger::KnownTimes times_;
    std::unordered_map<std::uint32_t, wire::EventBatch> new_rows_;  // of this step, by the ids of channels that are wanted
    std::vector<wire::EventBatch*> touched_;                        // those that have any
    std::vector<trigger::Rows> rows_;
    std::mutex reports_mutex_;
    std::vector<std::pair<std::string, std::string>> reports_;  // under reports_mutex_
};

}  // namespace sla::shots
