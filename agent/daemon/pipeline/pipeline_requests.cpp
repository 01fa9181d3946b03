// What clients ask of the pipeline, and what becomes of the shots of their triggers.
#include "agent/daemon/pipeline/announcements.h"
#include "agent/daemon/pipeline/pipeline.h"
#include "proto/base/control_characters.h"
#include "proto/time/duration.h"
#include "proto/wire/capture.pb.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace sla::daemon {
namespace {

std::int64_t window_of(const wire::SetTrigger& request) {
    const std::int64_t said = request.pre_ns() + request.post_ns();
    return said > 0 ? said : request.window_ns();
}

bool notifies_fleet(const wire::SetTrigger& request) {
    return std::find(request.actions().begin(), request.actions().end(), "fleet") != request.actions().end();
}

}  // namespace

shots::Hooks Pipeline::trigger_hooks() {
    shots::Hooks hooks;
    hooks.announce = [this](const wire::Shot& shot) {
        retention_.pin_shot(shot.trigger(), {shot.begin_tick(), shot.end_tick(), SourceId{shot.time_source()}});
        retention_.announce(shot_frame(shot), retain::Topic::kShot);
    };
    hooks.notice = [this](const std::string& text) { notice(text); };
    hooks.log = [this](const std::string& text) { log_of_triggers(text); };
    hooks.stop_guests = [this](const wire::Shot& shot) {
        if (stop_guests_) stop_guests_(shot, emulated_pcs());
    };
    hooks.notify_fleet = [this](const wire::Shot& shot) {
        if (notify_fleet_) notify_fleet_(shot);
    };
    hooks.act = [this](shots::ShotOrder order) {
        const wire::Shot& shot = order.shot;
        if (order.is_cut_short())
            retention_.cut_shot(shot.trigger(), {shot.begin_tick(), order.announced_end, SourceId{shot.time_source()}},
                                shot.end_tick());
        if (act_on_shot_) act_on_shot_(std::move(order));
    };
    return hooks;
}

std::vector<EmulatedPc> Pipeline::emulated_pcs() const {
    std::vector<EmulatedPc> pcs;
    for (const auto& entry : programs_) {
        const SourceFacts& facts = entry->facts();
        if (facts.kind != wire::SOURCE_PC || facts.ended) continue;
        pcs.push_back({facts.pid, facts.clock_domain != 0, facts.is_elsewhere ? facts.name : ""});
    }
    return pcs;
}

// What went wrong, for the one who asked; empty when it is done.
std::string Pipeline::apply(const stream::ControlRequest& control) {
    bool limits = control.request.has_set_channels() || control.request.has_set_retention();
    if (limits && !control.local && !control.may_set_limits)
        return "switches and limits are set over the Unix socket, or over TLS with the role control";
    if (notifies_fleet(control.request.set_trigger()) && !control.local && !control.may_set_limits)
        return "the action fleet reaches other machines: it is taken on the Unix socket, over TLS with the role control, or "
               "from the fleet";
    switch (control.request.body_case()) {
        case wire::Request::kSetTrigger: return set_trigger(control.request.set_trigger(), control.local);
        case wire::Request::kControlTrigger: return triggers_.control(control.request.control_trigger(), watermark_);
        case wire::Request::kSetChannels: return channel_policy_.set(control.request.set_channels());
        case wire::Request::kSetRetention: return channel_policy_.set(control.request.set_retention());
        default: return "this agent cannot do that";
    }
}

std::string Pipeline::problem_of(const wire::SetTrigger& trigger) const {
    if (!notifies_fleet(trigger) || notify_fleet_) return "";
    return "the action fleet is for an agent that publishes to a fleet: sla-agent --publish nats://HOST";
}

std::string Pipeline::set_trigger(const wire::SetTrigger& request, bool local) {
    std::string problem = problem_of(request);
    if (!problem.empty()) return problem;
    const std::uint64_t now = watermark_ > 0 ? watermark_ : flush_pace_.last();
    problem = triggers_.set(request, local, now, clock_.ticks_per_second());
    if (!problem.empty()) return problem;
    log_of_triggers("trigger set: " + (request.expression().empty() ? "levels" : request.expression()));
    warn_of_short_memory(window_of(request));
    return "";
}

void Pipeline::log_of_triggers(const std::string& line) {
    const auto admitted = trigger_lines_.admit(without_control(line, '?'), std::chrono::steady_clock::now());
    if (admitted) spdlog::info("{}", *admitted);
}

// What is kept by size is known only when it is full; a shot says then what it lacks.
void Pipeline::warn_of_short_memory(std::int64_t window_ns) {
    const std::int64_t keep = channel_policy_.keep_ns();
    if (keep == 0 || window_ns <= keep) return;
    notice(
        fmt::format("the trigger's window of {} is longer than the {} that events are kept: its shots will lack their "
                    "beginning (sla-agent --keep, sla set --keep)",
                    time::format_duration(window_ns * 1000), time::format_duration(keep * 1000)));
}

}  // namespace sla::daemon
