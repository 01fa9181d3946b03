// The pipeline's triggers: what they tell readers, and whom they order about.
#include "agent/daemon/announcements.h"
#include "agent/daemon/pipeline.h"
#include "proto/time/duration.h"
#include "proto/wire/capture.pb.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <utility>

namespace sla::daemon {
namespace {

constexpr std::size_t kMaxShotsTold = 10'000;  // announcements are kept for ever

std::int64_t window_of(const wire::SetTrigger& request) {
    const std::int64_t said = request.pre_ns() + request.post_ns();
    return said > 0 ? said : request.window_ns();
}

}  // namespace

shots::Hooks Pipeline::trigger_hooks() {
    shots::Hooks hooks;
    hooks.announce = [this](const wire::Shot& shot) {
        retention_.pin_shot(shot.trigger(), {shot.begin_tick(), shot.end_tick()});
        if (++shots_told_ <= kMaxShotsTold) announce(shot_frame(shot));
        if (shots_told_ == kMaxShotsTold)
            notice("ten thousand shots were told: readers hear of further ones only by their number");
    };
    hooks.notice = [this](const std::string& text) { notice(text); };
    hooks.act = [this](shots::ShotOrder order) {
        if (act_on_shot_) act_on_shot_(std::move(order));
    };
    return hooks;
}

std::string Pipeline::set_trigger(const wire::SetTrigger& request, bool local) {
    const std::uint64_t now = watermark_ > 0 ? watermark_ : last_flush_;
    std::string problem = triggers_.set(request, local, now, clock_.ticks_per_second());
    if (!problem.empty()) return problem;
    spdlog::info("trigger set: {}", request.expression().empty() ? "levels" : request.expression());
    warn_of_short_memory(window_of(request));
    return "";
}

// What is kept by size is known only when it is full; a shot says then what it lacks.
void Pipeline::warn_of_short_memory(std::int64_t window_ns) {
    const std::int64_t keep = switchboard_.keep_ns();
    if (keep == 0 || window_ns <= keep) return;
    notice(
        fmt::format("the trigger's window of {} is longer than the {} that events are kept: its shots will lack their "
                    "beginning (sla-agent --keep, sla set --keep)",
                    time::format_duration(window_ns * 1000), time::format_duration(keep * 1000)));
}

}  // namespace sla::daemon
