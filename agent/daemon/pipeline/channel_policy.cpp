#include "agent/daemon/pipeline/channel_policy.h"

#include "agent/daemon/options/memory_size.h"
#include "proto/wire/event.h"
#include "proto/wire/filter_text.h"

#include <cmath>

namespace sla::daemon {
namespace {

constexpr double kRateTolerance = 1e-3;  // of the tick rate, before limits in time are worth setting anew

ring::ChannelControl control_for(const ChannelSettings& settings) {
    const wire::Filter& filter = settings.filter;
    ring::ChannelControl control;
    control.off = !settings.enabled;
    if (settings.overwrite) control.policy = *settings.overwrite ? 1 + SLA_OVERWRITE : 1 + SLA_DROP_NEWEST;
    control.compare = static_cast<std::uint32_t>(filter.compare());
    control.real = filter.real();
    control.low = filter.real() ? wire::as_bits(filter.real_low()) : static_cast<std::uint64_t>(filter.low());
    control.high = filter.real() ? wire::as_bits(filter.real_high()) : static_cast<std::uint64_t>(filter.high());
    control.every = filter.every();
    return control;
}

}  // namespace

ChannelPolicy::ChannelPolicy(retain::Retention& retention, const ClockWatch& clock)
    : retention_(retention), clock_(clock), channel_bytes_(retention.limits().channel_bytes) {}

std::string ChannelPolicy::set(const wire::SetChannels& request) {
    std::string problem = rules_.add(request);
    if (problem.empty()) version_++;
    return problem;
}

std::string ChannelPolicy::configure(const std::vector<wire::SetChannels>& rules) {
    std::string problem = rules_.configure(rules);
    if (problem.empty()) version_++;
    return problem;
}

std::string ChannelPolicy::set(const wire::SetRetention& request) {
    if (!request.has_total_bytes() && !request.has_channel_bytes() && !request.has_keep_ns()) return "nothing is to be set";
    if (request.has_keep_ns() && request.keep_ns() < 0) return "a time to keep events is negative";
    if (request.has_total_bytes()) {
        std::string problem = memory_problem(request.total_bytes(), std::to_string(request.total_bytes()) + " bytes");
        if (!problem.empty()) return problem;
    }
    if (request.has_total_bytes()) retention_.limit_total(request.total_bytes());
    if (request.has_channel_bytes()) channel_bytes_ = request.channel_bytes();
    if (request.has_keep_ns()) keep_ns_ = request.keep_ns();
    version_++;
    return "";
}

std::uint64_t ChannelPolicy::version() {
    double rate = clock_.ticks_per_second();
    if (std::abs(rate - applied_rate_) > kRateTolerance * rate) {
        applied_rate_ = rate;
        version_++;
    }
    return version_;
}

// Nothing above what 64 bits hold: that is for ever.
std::uint64_t ChannelPolicy::ticks_of(std::int64_t ns) const {
    double ticks = static_cast<double>(ns) * clock_.ticks_per_second() * 1e-9;
    return ticks < 1e18 ? static_cast<std::uint64_t>(ticks) : 0;
}

ChannelSettings ChannelPolicy::apply(ChannelId channel, const std::string& name) {
    ChannelSettings settings = rules_.settings_of(name);
    if (!settings.keep_ns) settings.keep_ns = keep_ns_;
    retention_.limit_channel(channel, {settings.keep_bytes.value_or(channel_bytes_), ticks_of(*settings.keep_ns)});
    return settings;
}

ring::ChannelControl ChannelPolicy::control_of(const std::string& name) const {
    return control_for(rules_.settings_of(name));
}

bool ChannelPolicy::is_capped(const ChannelSettings& settings, const retain::Retention::Held& held,
                              std::uint64_t now) const {
    std::uint64_t ticks = ticks_of(settings.keep_ns.value_or(0));
    return ticks > 0 && held.cut_tick > 0 && held.cut_tick + ticks > (held.own_now > 0 ? held.own_now : now);
}

}  // namespace sla::daemon
