#include "agent/daemon/health/retention_alarm.h"

#include "agent/daemon/pipeline/channel_table.h"
#include "proto/time/duration.h"
#include "proto/time/picoseconds.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sla::daemon {
namespace {

constexpr std::size_t kNamed = 3;
constexpr std::int64_t kLongestShownNs = INT64_MAX / time::kPicosecondsPerNanosecond;

// What they were to be kept for, and whether a rule says how much memory each may take: what helps one of them helps all.
using Asked = std::pair<std::int64_t, bool>;

std::string remedy(bool is_channel_full, bool has_rule) {
    if (!is_channel_full) return "the agent's memory is full; give more with --memory";
    if (has_rule)
        return "the memory that a rule gives each is full; give more by `bytes` in --channel, or with sla set --bytes";
    return "the memory of one channel is full; give more with --channel-memory";
}

std::string text_for(const Asked& asked, const std::vector<const OpenChannel*>& channels, bool is_channel_full) {
    std::string names;
    for (std::size_t i = 0; i < channels.size() && i < kNamed; i++) names += (i > 0 ? ", " : "") + channels[i]->name;
    if (channels.size() > kNamed) names += fmt::format(" and {} more", channels.size() - kNamed);
    const std::int64_t keep = std::min(asked.first, kLongestShownNs) * time::kPicosecondsPerNanosecond;
    return fmt::format("{} cannot be kept for {}: {}, or keep less", names, time::format_duration(keep),
                       remedy(is_channel_full, asked.second));
}

}  // namespace

std::vector<std::string> RetentionAlarm::look(const std::vector<OpenChannel*>& channels, retain::Retention& retention,
                                              ChannelPolicy& channel_policy, std::uint64_t now) {
    const std::uint64_t version = channel_policy.version();
    std::map<Asked, std::vector<const OpenChannel*>> found;
    for (OpenChannel* channel : channels) {
        const ChannelSettings& settings = channel->settings;
        if (channel->capped_version == version || settings.keep_ns.value_or(0) == 0) continue;
        if (!channel_policy.is_capped(settings, retention.held(channel->id), now)) continue;
        channel->capped_version = version;
        found[{*settings.keep_ns, settings.keep_bytes.has_value()}].push_back(channel);
    }
    if (found.empty()) return {};
    const retain::Retention::Usage usage = retention.usage();
    const bool is_channel_full = usage.counted < usage.limits.total_bytes / 16 * 15;
    std::vector<std::string> texts;
    for (const auto& [asked, short_ones] : found) texts.push_back(text_for(asked, short_ones, is_channel_full));
    return texts;
}

}  // namespace sla::daemon
