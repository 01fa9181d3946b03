#include "agent/daemon/cap_watch.h"

#include "agent/daemon/pipeline.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace sla::daemon {
namespace {

constexpr std::size_t kNamed = 3;
constexpr std::int64_t kLongestShownNs = INT64_MAX / time::kPicosecondsPerNanosecond;

std::string text_for(const std::vector<const Lane*>& lanes, retain::Retention& retention) {
    std::string names;
    for (std::size_t i = 0; i < lanes.size() && i < kNamed; i++) names += (i > 0 ? ", " : "") + lanes[i]->name;
    if (lanes.size() > kNamed) names += fmt::format(" and {} more", lanes.size() - kNamed);
    std::int64_t keep = std::min(lanes.front()->settings.keep_ns.value_or(0), kLongestShownNs);
    bool own = retention.held_bytes() < retention.limits().total_bytes / 16 * 15;
    return fmt::format("{} cannot be kept for {}: {} full; give more with {}, or keep less", names,
                       time::format_duration(keep * time::kPicosecondsPerNanosecond),
                       own ? "the memory of one channel is" : "the agent's memory is",
                       own ? "--channel-memory" : "--memory");
}

}  // namespace

std::string CapWatch::look(const std::vector<std::unique_ptr<Lane>>& lanes, retain::Retention& retention,
                           Switchboard& switchboard, std::uint64_t now) {
    if (version_ != switchboard.version()) told_.clear();
    version_ = switchboard.version();
    std::vector<const Lane*> news;
    told_.resize(lanes.size());
    for (std::size_t id = 0; id < lanes.size(); id++) {
        if (!lanes[id] || told_[id] || lanes[id]->settings.keep_ns.value_or(0) == 0) continue;
        if (!switchboard.is_capped(lanes[id]->settings, retention.held(lanes[id]->channel.id), now)) continue;
        told_[id] = true;
        news.push_back(lanes[id].get());
    }
    return news.empty() ? "" : text_for(news, retention);
}

}  // namespace sla::daemon
