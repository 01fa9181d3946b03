// The pipeline's triggers: what they tell readers, and whom they order about.
#include "agent/daemon/announcements.h"
#include "agent/daemon/pipeline.h"
#include "proto/wire/capture.pb.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace sla::daemon {
namespace {

constexpr std::size_t kMaxShotsTold = 10'000;  // announcements are kept for ever

}  // namespace

trigger::Hooks Pipeline::trigger_hooks() {
    trigger::Hooks hooks;
    hooks.announce = [this](const wire::Shot& shot) {
        if (++shots_told_ <= kMaxShotsTold) announce(shot_frame(shot));
        if (shots_told_ == kMaxShotsTold)
            notice("ten thousand shots were told: readers hear of further ones only by their number");
    };
    hooks.notice = [this](const std::string& text) { notice(text); };
    hooks.act = [this](trigger::ShotOrder order) {
        if (act_on_shot_) act_on_shot_(std::move(order));
    };
    return hooks;
}

std::string Pipeline::set_trigger(const wire::SetTrigger& request, bool local) {
    const std::uint64_t now = watermark_ > 0 ? watermark_ : last_flush_;
    std::string problem = triggers_.set(request, local, now, clock_.ticks_per_second());
    if (problem.empty()) spdlog::info("trigger set: {}", request.expression().empty() ? "levels" : request.expression());
    return problem;
}

}  // namespace sla::daemon
