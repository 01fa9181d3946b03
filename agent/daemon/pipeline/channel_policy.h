// Who is on, what passes, how long it is kept: the rules that were set, and the limits that follow from them.
//
//   SetChannels, SetRetention ─► rules, defaults ─┬─► limits of channels in the retention   (apply)
//                                                 └─► controls in programs' segments        (ProgramEntry::apply)
//
// Owned by the draining thread.
#pragma once

#include "agent/daemon/health/clock_watch.h"
#include "agent/daemon/options/channel_rules.h"
#include "agent/retain/retention.h"
#include "proto/base/strong_id.h"
#include "proto/ring/segment_view.h"
#include "proto/wire/control.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::daemon {

class ChannelPolicy {
public:
    ChannelPolicy(retain::Retention& retention, const ClockWatch& clock);

    // What is wrong with the request, or empty. It has to be applied to all channels afterwards.
    [[nodiscard]] std::string set(const wire::SetChannels& request);
    [[nodiscard]] std::string set(const wire::SetRetention& request);
    // The configuration's rules in the place of those that it had before.
    [[nodiscard]] std::string configure(const std::vector<wire::SetChannels>& rules);
    // Changes whenever it has to be applied again: with every request, and when the tick rate turns out to be another.
    [[nodiscard]] std::uint64_t version();

    // Puts a channel's limits into the retention. Its settings, with the agent's time to keep where no rule has one.
    ChannelSettings apply(ChannelId channel, const std::string& name);
    [[nodiscard]] ring::ChannelControl control_of(const std::string& name) const;

    [[nodiscard]] std::int64_t keep_ns() const { return keep_ns_; }
    // There was no space to keep a channel with these settings as long as it should be.
    [[nodiscard]] bool is_capped(const ChannelSettings& settings, const retain::Retention::Held& held,
                                 std::uint64_t now) const;

private:
    [[nodiscard]] std::uint64_t ticks_of(std::int64_t ns) const;

    retain::Retention& retention_;
    const ClockWatch& clock_;
    ChannelRules rules_;
    std::uint64_t channel_bytes_;
    std::int64_t keep_ns_ = 0;
    std::uint64_t version_ = 1;
    double applied_rate_ = 0;  // ticks a second that the newest version goes by
};

}  // namespace sla::daemon
