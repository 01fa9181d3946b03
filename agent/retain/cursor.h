// Where one reader of the retention stands. Made by the reader, moved by Retention::read under its lock.
#pragma once

#include "agent/retain/reader_account.h"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sla::retain {

struct Cursor {
    // Which channels' batches are wanted; empty: all.
    std::function<bool(const std::string& channel_name)> wants;
    bool batches = true;  // false: names, ledger and health only
    bool is_recorder = false;
    std::uint64_t own_bytes = 0;  // that the reader holds beside this, by its own word before each read

    // Of one channel.
    struct Place {
        bool wanted = true;
        bool is_due = false;             // stands in `due` below
        std::uint64_t next_number = 0;   // of the next batch
        std::uint64_t offered_seen = 0;  // events accounted for so far, delivered or reported as lost
        std::uint64_t next_index = 0;    // row ordinal that follows what was delivered
        std::uint64_t last_tick = 0;     // of what was delivered, or asked for
        // What of the channel was there when the reader joined: of the first batch that came since, and before it.
        std::uint64_t joined_number = 0;
        std::uint64_t joined_offered = 0;
        std::uint64_t joined_tick = 0;
        bool is_count_known = true;  // of what is missed before the next batch
    };
    std::unordered_map<std::uint32_t, Place> places;  // by channel id, as long as the channel is there
    // Channels with batches that it has not got, the one whose next begins first in front: a heap. Of one whose batches went
    // meanwhile the tick is older than what there is now.
    using Due = std::pair<std::uint64_t, std::uint32_t>;  // tick, channel id
    std::vector<Due> due;
    std::uint64_t changes = 0;            // of channels, looked at so far
    std::uint64_t next_announcement = 0;  // the first that was not delivered
    std::uint64_t watermark = 0;          // delivered
    std::uint64_t status_number = 0;
    std::uint64_t lagged = 0;    // events this reader was too slow for
    std::uint64_t not_kept = 0;  // events from before it joined that were no longer held

    bool joined = false;                // the next two are set
    std::uint64_t retired = 0;          // channels that were retired, looked at so far
    std::uint64_t retired_offered = 0;  // events of those

    // What of this counts as the agent's memory.
    [[nodiscard]] std::uint64_t bytes() const {
        constexpr std::uint64_t kPlaceBytes = 96;  // with its node
        return own_bytes + places.size() * kPlaceBytes + places.bucket_count() * sizeof(void*) +
               due.capacity() * sizeof(due[0]);
    }
    ReaderCharge charge;
};

}  // namespace sla::retain
