// What was asked of channels by name, now or before they came: the command line's, the configuration's and clients' rules.
//
// A rule is a glob and some settings. For each setting the first rule that has it and matches counts; a newer word stands
// before the older ones. Rules that can no longer count are forgotten, so that a client that keeps turning one knob does not
// fill the list. Owned by the draining thread.
#pragma once

#include "proto/wire/control.pb.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace sla::daemon {

struct ChannelSettings {
    bool enabled = true;
    std::optional<std::uint64_t> keep_bytes;  // nothing said: the agent's default
    std::optional<std::int64_t> keep_ns;      // 0: no limit in time
    std::optional<bool> overwrite;            // nothing said: what the program chose
    wire::Filter filter;
};

class ChannelRules {
public:
    static constexpr std::size_t kMaxRules = 1000;
    static constexpr std::size_t kMaxGlobBytes = 1024;

    // Puts the request before all others. What is wrong with it, or empty: then nothing was changed.
    [[nodiscard]] std::string add(const wire::SetChannels& request);
    // The configuration's rules, the last one said counts most: they take the place of those set by an earlier call, and
    // stand before all others. What is wrong with one of them, or empty.
    [[nodiscard]] std::string configure(const std::vector<wire::SetChannels>& requests);

    [[nodiscard]] ChannelSettings settings_of(const std::string& channel) const;
    [[nodiscard]] std::size_t size() const { return rules_.size(); }

private:
    struct Rule {
        std::string glob;
        wire::SetChannels settings;  // its channels are left out
        bool configured = false;
    };
    std::string put_first(const wire::SetChannels& request, bool configured);
    void forget_settled(const std::string& glob, const wire::SetChannels& by);

    std::deque<Rule> rules_;
};

}  // namespace sla::daemon
