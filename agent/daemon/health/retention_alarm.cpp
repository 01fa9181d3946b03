#include "agent/daemon/health/retention_alarm.h"

#include "agent/daemon/pipeline/channel_table.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace sla::daemon {
namespace {

constexpr std::size_t kNamed = 3;
constexpr std::int64_t kLongestShownNs = INT64_MAX / time::kPicosecondsPerNanosecond;

std::string text_for(const std::vector<const OpenChannel*>& channels, retain::Retention& retention) {
    std::string names;
    for (std::size_t i = 0; i < channels.size() && i < kNamed; i++) names += (i > 0 ? ", " : "") + channels[i]->name;
    if (channels.size() > kNamed) names += fmt::format(" and {} more", channels.size() - kNamed);
    std::int64_t keep = std::min(channels.front()->settings.keep_ns.value_or(0), kLongestShownNs);
    const retain::Retention::Usage usage = retention.usage();
    const bool own = usage.counted < usage.limits.total_bytes / 16 * 15;
    return fmt::format("{} cannot be kept for {}: {} full; give more with {}, or keep less", names,
                       time::format_duration(keep * time::kPicosecondsPerNanosecond),
                       own ? "the memory of one channel is" : "the agent's memory is",
                       own ? "--channel-memory" : "--memory");
}

}  // namespace

std::string RetentionAlarm::look(const std::vector<OpenChannel*>& channels, retain::Retention& retention,
                                 ChannelPolicy& channel_policy, std::uint64_t now) {
    const std::uint64_t version = channel_policy.version();
    std::vector<const OpenChannel*> found;
    for (OpenChannel* channel : channels) {
        if (channel->capped_version == version || channel->settings.keep_ns.value_or(0) == 0) continue;
        if (!channel_policy.is_capped(channel->settings, retention.held(channel->id), now)) continue;
        channel->capped_version = version;
        found.push_back(channel);
    }
    return found.empty() ? "" : text_for(found, retention);
}

}  // namespace sla::daemon
