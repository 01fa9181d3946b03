// Course: what stands open on the lanes at one moment of a run: spans that have begun, and levels. Value type; small.
#pragma once

#include "emu/tap/sink.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sla::history {

class Course {
public:
    // An event of that channel.
    void take(tap::ChannelId channel, sla_code code, std::uint64_t value);
    // Ends on the lanes what this course left open, and begins what the other one has open: one that has the same beginning.
    void turn_to(const Course& other, tap::Sink& lanes) const;

private:
    static constexpr std::size_t kMostOpen = 1024;  // of a channel; of more that never end the oldest are given up

    struct Begin {
        std::uint64_t number = 0;  // among the begins of its channel
        std::uint64_t value = 0;
    };
    struct Lane {
        std::uint64_t begins = 0;
        std::vector<Begin> open;
        std::optional<std::uint64_t> level;
    };
    static void turn_lane(tap::ChannelId channel, const Lane& from, const Lane& to, tap::Sink& lanes);

    std::vector<Lane> lanes_;
};

}  // namespace sla::history
