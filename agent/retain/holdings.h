// All that is held, for the retention that fills it and the readers that take it out; under the retention's lock.
#pragma once

#include "agent/retain/announcements.h"
#include "agent/retain/batch_queue.h"
#include "agent/retain/delivery.h"
#include "agent/retain/given_up.h"

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sla::retain {

struct ChannelLimits {
    std::uint64_t bytes = 0;
    std::uint64_t ticks = 0;  // how long events are kept; 0: as long as there is space
};

// Of one channel, in figures.
struct Held {
    std::uint64_t bytes = 0;
    std::uint64_t rows = 0;
    std::uint64_t first_tick = 0;  // 0: nothing is held
    std::uint64_t cut_tick = 0;    // newest event that had to go for want of bytes; 0: none had
    GivenUp given_up;              // all that is no longer held, in sum; its ticks are of events, however long losses last
    std::uint64_t own_now = 0;     // its source's time, where that makes it up; else 0
};

struct HeldBatch {
    BatchFacts facts;
    std::uint64_t offered_before = 0;  // in this channel, since the beginning
    SharedFrame frame;
    // By which it has its turn among those of other channels: its first tick, or, where its source makes up its time, the
    // watermark before it came.
    std::uint64_t turn = 0;
    std::uint64_t summary = 0;       // its number in Holdings::summaries, as long as it is there
    std::uint64_t reach_before = 0;  // of all batches of the channel that came before it, the latest tick
};

// One that a shot's window needs, older than the channel's entries.
struct PinnedBatch {
    HeldBatch entry;
    std::uint64_t until = 0;  // first tick of the batch behind it, or behind all of its own
    GivenUp before;
};

// A source, as far as its channels and names go together.
struct Owner {
    std::vector<std::uint64_t> announcements;  // numbers, rising
    std::vector<std::uint32_t> channels;
    std::vector<std::uint32_t> giving;  // once it has ended: those that hold batches
    std::size_t next_to_give = 0;
    std::uint64_t bytes = 0;    // all that counts of it
    std::uint64_t batches = 0;  // held, without pinned ones
    std::uint64_t pinned = 0;
    bool rests = false;  // ended, and only shots hold something of it
    bool has_own_time = false;
    std::uint64_t own_now = 0;  // the newest tick of that time
    bool ended = false;
    std::uint64_t ended_tick = 0;
    std::list<std::uint32_t>::iterator place;  // among those that ended or those that rest, once it has ended
};

struct HeldChannel {
    ChannelId id;
    std::string name;
    std::uint32_t owner_id = 0;
    Owner* owner = nullptr;
    std::map<std::uint64_t, PinnedBatch> pinned;  // by number
    GivenUp before;                               // between the newest pinned batch, or the beginning, and entries.front()
    BatchQueue<HeldBatch> entries;
    std::uint64_t first_number = 0;  // of entries.front(); batches are numbered per channel
    std::uint64_t offered = 0;
    std::uint64_t begin_tick = 0;  // first and last of all that was appended
    std::uint64_t last_tick = 0;
    std::uint64_t reach = 0;                  // or of a loss in it that lasted longer
    std::uint64_t announced = 0;              // the announcement's number
    std::uint64_t last_change = 0;            // the newest append
    std::list<HeldChannel*>::iterator place;  // in Holdings::changed
    ChannelLimits limits;
    Held held;
    // What time it is where its ticks are from.
    [[nodiscard]] std::uint64_t now(std::uint64_t by_machine) const {
        return owner->has_own_time ? owner->own_now : by_machine;
    }
    // Whose time that is; none: the machine's.
    [[nodiscard]] SourceId time() const { return owner->has_own_time ? SourceId{owner_id} : SourceId{}; }
    std::uint64_t fresh_bytes = 0;  // appended since the wake-up of that number
    std::uint64_t fresh_since = 0;
};

// A channel that is no more, for readers that knew it.
struct Retired {
    ChannelId channel;
    SourceId source;
    std::string name;
    std::uint64_t announced = 0;
    std::uint64_t offered = 0;
    std::uint64_t begin_tick = 0;
    std::uint64_t reach = 0;  // the last tick, of a row or a loss
    bool has_own_time = false;
};

struct Holdings {
    Announcements announcements;
    FreshSummaries summaries;
    std::map<std::uint32_t, HeldChannel> channels;  // by id
    std::list<HeldChannel*> changed;                // the last one appended to is the last
    std::uint64_t changes = 0;
    std::deque<Retired> retired;       // the newest
    std::uint64_t retired_before = 0;  // how many channels were retired before those
    std::uint64_t offered_before = 0;  // events of these
    std::uint64_t watermark = 0;
    std::vector<SharedFrame> status;  // pages
    std::uint64_t status_number = 0;
    SharedFrame end;
    const std::shared_ptr<ReaderAccount> account = std::make_shared<ReaderAccount>();

    [[nodiscard]] SharedFrame share(std::string frame) const { return share_frame(account, std::move(frame)); }
};

}  // namespace sla::retain
