// What `sla top` reports of channels: rates, counts, losses.
#pragma once

#include "viewer/cli/text/channel_counts.h"
#include "viewer/formats/table/people_table.h"
#include "viewer/formats/table/small_table.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <map>
#include <string>

namespace sla::cli {

// All channels at one moment; rates come from two of them.
struct Sample {
    std::uint64_t tick = 0;
    std::map<ChannelId, ChannelCounts> channels;
    // None of one that came later.
    [[nodiscard]] ChannelCounts of(ChannelId id) const {
        const auto found = channels.find(id);
        return found == channels.end() ? ChannelCounts() : found->second;
    }
};

// At an agent's newest Status.
Sample sample_of(const store::Session& session);
std::uint64_t rate_between(const Sample& before, const Sample& now, ChannelId id, double ticks_per_second);

enum class TopRows { kOfOneMoment, kWithTime };

// The same as a screen shows it: units, no line wider than 120 characters.
formats::PeopleTable people_top_table(const store::Session& session, const Sample& before, const Sample& now,
                                      std::size_t limit);

// What the agent's memory is made of, for a screen.
std::string memory_lines(const store::Health& health);

// How its publishing to a fleet goes; empty when it publishes nothing.
std::string publishing_lines(const store::Publishing& publishing);

// Busiest first; at most `limit` rows, 0: all.
formats::SmallTable top_table(const store::Session& session, const Sample& before, const Sample& now, TopRows rows,
                              std::size_t limit);

}  // namespace sla::cli
