#include "agent/shots/trigger_watch.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/trigger_state.h"

#include <algorithm>
#include <utility>

namespace sla::shots {

namespace {

std::string in_words(const std::string& name, const std::string& problem) {
    return "trigger " + name + ": " + problem;
}

constexpr std::size_t kMaxAskedBytes = 64 * 1024;  // in one Status: it is sent again and again

}  // namespace

RunningTrigger* TriggerWatch::find(const std::string& name) {
    const auto found =
        std::find_if(triggers_.begin(), triggers_.end(), [&](const auto& one) { return one->name() == name; });
    return found == triggers_.end() ? nullptr : found->get();
}

std::string TriggerWatch::free_name() const {
    for (std::size_t i = 1;; ++i) {
        const std::string name = "trigger-" + std::to_string(i);
        const bool taken =
            std::any_of(triggers_.begin(), triggers_.end(), [&](const auto& one) { return one->name() == name; });
        if (!taken) return name;
    }
}

std::string TriggerWatch::set(const wire::SetTrigger& request, bool local, std::uint64_t now, double ticks_per_second) {
    Result<Plan> plan = plan_of(request, local);
    if (!plan) return plan.error().message;
    if (plan->name.empty()) plan->name = free_name();
    plan->asked.set_name(plan->name);
    const std::string name = plan->name;
    if (find(name) == nullptr && triggers_.size() == kMaxTriggers)
        return "an agent has at most 64 triggers: remove one first";
    if (RunningTrigger* before = find(name)) before->finish();
    std::erase_if(triggers_, [&](const auto& one) { return one->name() == name; });
    RunningTrigger& trigger = *triggers_.emplace_back(
        std::make_unique<RunningTrigger>(next_id_++, std::move(plan).value(), ticks_per_second, times_, hooks_));
    for (const auto& [id, channel] : channels_) trigger.add_channel(id, channel.name, channel.time);
    times_.set(trigger::kMachineTime, now);
    trigger.arm();
    say_awaited(trigger);
    find_wanted();
    return "";
}

// That programs are still to come is nothing to tell everybody; a name that looks mistyped is.
void TriggerWatch::say_awaited(const RunningTrigger& trigger) {
    const auto& say = trigger.awaited().has_near() ? hooks_.notice : hooks_.log;
    if (say && !trigger.awaited().empty()) say(in_words(trigger.name(), trigger.awaited().text()));
}

std::string TriggerWatch::control(const wire::ControlTrigger& request, std::uint64_t now) {
    RunningTrigger* trigger = find(name_of(request.name()));
    if (trigger == nullptr && request.name().empty() && triggers_.size() == 1) trigger = triggers_[0].get();
    if (trigger == nullptr) {
        if (triggers_.empty()) return "this agent has no trigger: set one first";
        if (request.name().empty()) return "which of its triggers? `sla trigger list` shows them";
        return "there is no trigger named '" + name_of(request.name()) + "'; `sla trigger list` shows them";
    }
    times_.set(trigger::kMachineTime, now);
    switch (request.what()) {
        case wire::ControlTrigger::ARM: trigger->arm(); return "";
        case wire::ControlTrigger::STOP: trigger->stop(); return "";
        case wire::ControlTrigger::FIRE:
            if (trigger->fire()) return "";
            return "trigger " + trigger->name() + " is " + wire::trigger_state_name(trigger->state()) +
                   ", it fires when it is armed";
        case wire::ControlTrigger::REMOVE:
            trigger->finish();
            std::erase_if(triggers_, [&](const auto& one) { return one.get() == trigger; });
            find_wanted();
            return "";
        default: return "this agent does not know how to do that to a trigger";
    }
}

void TriggerWatch::add_channel(ChannelId channel, const std::string& name, trigger::TimeSource time) {
    channels_.emplace(channel, Channel{name, time});
    for (const auto& trigger : triggers_) {
        if (trigger->add_channel(channel, name, time)) say_awaited(*trigger);
    }
    look_whether_wanted(channel);
}

void TriggerWatch::remove_channel(ChannelId channel) {
    channels_.erase(channel);
    for (const auto& trigger : triggers_) trigger->engine().remove_channel(channel);
    look_whether_wanted(channel);
}

void TriggerWatch::look_whether_wanted(ChannelId channel) {
    const bool wanted = std::any_of(triggers_.begin(), triggers_.end(),
                                    [&](const auto& trigger) { return trigger->engine().wants(channel); });
    if (wanted) {
        new_rows_.try_emplace(channel.value);
        return;
    }
    const auto rows = new_rows_.find(channel.value);
    if (rows == new_rows_.end()) return;
    std::erase(touched_, &rows->second);
    new_rows_.erase(rows);
}

void TriggerWatch::find_wanted() {
    for (const auto& [id, channel] : channels_) look_whether_wanted(id);
}

void TriggerWatch::take(const wire::EventBatch& batch, std::size_t from) {
    if (from == batch.size()) return;
    wire::EventBatch& to = new_rows_.at(batch.channel.value);
    if (to.empty()) touched_.push_back(&to);
    to.channel = batch.channel;
    const auto begin = static_cast<std::ptrdiff_t>(from);
    for (const wire::Extra& extra : batch.extras) {
        if (extra.position < from || batch.codes[extra.position] != SLA_CODE_GAP) continue;
        wire::Extra moved;
        moved.position = static_cast<std::uint32_t>(to.size() + extra.position - from);
        moved.until_tick = extra.until_tick;
        to.extras.push_back(std::move(moved));
    }
    to.ticks.insert(to.ticks.end(), batch.ticks.begin() + begin, batch.ticks.end());
    to.codes.insert(to.codes.end(), batch.codes.begin() + begin, batch.codes.end());
    to.values.insert(to.values.end(), batch.values.begin() + begin, batch.values.end());
    to.threads.insert(to.threads.end(), batch.threads.begin() + begin, batch.threads.end());
}

void TriggerWatch::advance(std::uint64_t watermark) {
    say_reports();
    times_.set(trigger::kMachineTime, watermark);
    if (triggers_.empty()) return;
    rows_.clear();
    for (const wire::EventBatch* rows : touched_) rows_.push_back(trigger::Rows::of(*rows));
    for (const auto& trigger : triggers_) trigger->feed(rows_);
    for (wire::EventBatch* rows : touched_) rows->clear();
    touched_.clear();
}

void TriggerWatch::finish() {
    for (const auto& trigger : triggers_) trigger->finish();
}

void TriggerWatch::retime(double ticks_per_second) {
    for (const auto& trigger : triggers_) trigger->retime(ticks_per_second);
}

void TriggerWatch::report(const std::string& trigger, const std::string& problem) {
    std::lock_guard lock(reports_mutex_);
    reports_.emplace_back(trigger, problem);
}

std::vector<std::pair<std::string, std::string>> TriggerWatch::take_reports() {
    std::lock_guard lock(reports_mutex_);
    return std::exchange(reports_, {});
}

void TriggerWatch::say_reports() {
    for (const auto& [name, problem] : take_reports()) {
        if (RunningTrigger* trigger = find(name)) trigger->set_problem(problem);
        hooks_.notice(in_words(name, problem));
    }
}

std::vector<std::string> TriggerWatch::take_unsaid() {
    std::vector<std::string> texts;
    for (const auto& [name, problem] : take_reports()) texts.push_back(in_words(name, problem));
    return texts;
}

void TriggerWatch::fill(wire::Status& status) const {
    std::size_t space = kMaxAskedBytes;
    for (const auto& trigger : triggers_) {
        wire::TriggerStatus& one = *status.add_triggers();
        one = trigger->status();
        const std::size_t bytes = trigger->asked().ByteSizeLong();
        if (bytes > space) continue;
        space -= bytes;
        *one.mutable_asked() = trigger->asked();
    }
    if (!triggers_.empty()) status.set_trigger_state(wire::trigger_state_name(triggers_.front()->state()));
}

}  // namespace sla::shots
