// The agent's deep memory: per channel a ring of encoded batches, bounded in bytes and in time, and everything a late joiner
// must know.
//
//   channel 7   │ given up │ batch 12 │ given up │ batch 41 │ batch 42 │ batch 43 │
//                           pinned: of a shot    ▲ oldest              ▲ a reader's cursor
//
// Of what was given up, how much it was and from when until when is remembered, so that a reader that was not there in time
// gets an exact gap: "not kept" of what came before it joined, "lagged" of what came since.
//
// A viewer, a recorder and a late joiner are all readers with a Cursor; nobody waits for any of them. Thread-safe: one
// thread appends, any number read. The lock is held for moving pointers only, never while encoding or sending.
//
// Limits: a channel's own bytes; its own time (expire); over the total, a channel that holds nearly the most gives. Dropping
// is O(1) a batch. The newest batch of a channel always stays: whoever joins later learns the state it is in. A batch that a
// shot's window needs goes from the history to the pinned ones, which have a budget of their own.
#pragma once

#include "agent/retain/by_size.h"
#include "agent/retain/cursor.h"
#include "agent/retain/given_up.h"
#include "agent/retain/shot_pins.h"
#include "proto/wire/event.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sla::retain {

struct Limits {
    std::uint64_t channel_bytes = std::uint64_t{64} << 20;  // of a channel that nobody limited
    std::uint64_t total_bytes = std::uint64_t{512} << 20;
    std::uint64_t shot_bytes = std::uint64_t{64} << 20;  // beside the total: what shots' windows keep from being given up
};

struct ChannelLimits {
    std::uint64_t bytes = 0;
    std::uint64_t ticks = 0;  // how long events are kept; 0: as long as there is room
};

// What is known of an encoded batch without decoding it.
struct BatchFacts {
    ChannelId channel;
    std::uint64_t first_index = 0;
    std::uint64_t first_tick = 0;
    std::uint64_t last_tick = 0;
    std::uint32_t rows = 0;
    std::uint64_t offered = 0;  // events in it, plus the events its gap rows stand for
};

// One frame on its way to a reader, with its stream header.
struct Delivery {
    std::shared_ptr<const std::string> frame;
    BatchFacts facts;  // rows == 0: not a batch
};

class Retention {
public:
    explicit Retention(Limits limits) : limits_(limits) {}

    // Hello, sources, channels, threads, clocks, notices: kept for ever, seen by every reader before later batches.
    void announce(std::string frame);
    void announce_channel(ChannelId channel, const std::string& name, std::string frame);
    void append(const BatchFacts& facts, std::string frame);
    // Everything at or below is appended.
    void set_watermark(std::uint64_t tick);
    // The newest one only is delivered.
    void set_status(std::string frame);
    std::uint64_t status_number();
    // Nothing follows; readers get this last.
    void finish(std::string end_frame);

    // What is kept from now on; what is too much goes at once.
    void limit_channel(ChannelId channel, ChannelLimits limits);
    void limit_total(std::uint64_t bytes);
    Limits limits();
    // Drops what its channel's limit in time says is too old at this tick.
    void expire(std::uint64_t now);

    // Appends what the reader has not seen to `out`, in time order, up to about max_bytes. False: all seen and finished.
    bool read(Cursor& cursor, std::size_t max_bytes, std::vector<Delivery>& out);
    // Moves the cursor of a batch reader to each channel's first batch that reaches this tick: what is before is left out
    // on purpose, and no loss; what is behind it and was given up is a gap. kAllHistory: behind everything held now.
    void skip_before(Cursor& cursor, std::uint64_t tick);
    static constexpr std::uint64_t kAllHistory = ~std::uint64_t{0};

    // Keeps what is held of that window of time, and what comes of it, until shot memory is short; then the oldest shot's
    // window goes, and of the last one left as much of its beginning as must.
    void pin_shot(std::uint32_t trigger, Interval window);
    [[nodiscard]] std::uint64_t shot_bytes();
    // Shots of this trigger whose window is not held whole.
    [[nodiscard]] std::uint64_t shots_lacking(std::uint32_t trigger);

    // For readers with a thread of their own: waits until something new was published, or the time is up.
    void wait(std::chrono::milliseconds limit);
    // Told after each publish(); must not call back.
    void on_publish(std::function<void()> tell);
    // Wakes readers: what was appended since is worth reading.
    void publish();

    struct Held {
        std::uint64_t bytes = 0;
        std::uint64_t rows = 0;
        std::uint64_t first_tick = 0;  // 0: nothing is held
        std::uint64_t cut_tick = 0;    // newest event that had to go for want of bytes; 0: none had
        GivenUp given_up;              // all that is no longer held, in sum
    };
    Held held(ChannelId channel);
    std::uint64_t held_bytes();

private:
    struct Entry {
        BatchFacts facts;
        std::uint64_t offered_before = 0;  // in this channel, since the beginning
        std::shared_ptr<const std::string> frame;
    };
    // One that a shot's window needs, older than the lane's entries.
    struct Pinned {
        Entry entry;
        std::uint64_t until = 0;  // first tick of the batch behind it
        GivenUp before;
    };
    struct Lane {
        std::string name;
        std::map<std::uint64_t, Pinned> pinned;  // by number
        GivenUp before;                          // between the newest pinned batch, or the beginning, and entries.front()
        std::deque<Entry> entries;
        std::uint64_t first_number = 0;  // of entries.front(); batches are numbered per channel
        std::uint64_t offered = 0;
        ChannelLimits limits;
        Held held;
    };
    // A batch to be delivered.
    struct Next {
        const Entry* entry = nullptr;  // null: there is none
        std::uint64_t number = 0;
        const GivenUp* before = nullptr;
    };
    static std::shared_ptr<const std::string> share(std::string frame);
    static GivenUp given_up(const BatchFacts& facts);
    static std::uint64_t cost_of(const Entry& entry);
    void drop_oldest(ChannelId channel, Lane& lane);
    void pin(ChannelId channel, Lane& lane, std::uint64_t until);
    void keep_within_shot_bytes();
    void unpin(const Interval& gone);
    void unpin(ChannelId channel, const Interval& gone);
    void keep_within_bytes(ChannelId channel, Lane& lane);
    void keep_within_total();
    Lane* find(ChannelId channel);
    bool read_announcements(Cursor& cursor, std::size_t& room, std::vector<Delivery>& out);
    std::optional<std::uint64_t> read_batches(Cursor& cursor, std::size_t& room, std::vector<Delivery>& out);
    static Next next_of(const Lane& lane, const Cursor::Place& place);
    void join(Cursor& cursor);
    static std::uint64_t gap_tick(const Next& next, const Cursor::Place& place, std::uint64_t told);
    static void deliver_gap(const Next& next, Cursor::Place& place, Cursor& cursor, std::vector<Delivery>& out);
    void read_state(Cursor& cursor, std::uint64_t watermark, std::vector<Delivery>& out);

    Limits limits_;  // under mutex_, as all below but tell_
    std::mutex mutex_;
    std::condition_variable published_;
    std::function<void()> tell_;
    std::uint64_t publications_ = 0;
    std::vector<std::shared_ptr<const std::string>> announcements_;
    std::vector<std::unique_ptr<Lane>> lanes_;  // by channel id
    BySize by_size_;                            // channels that have a batch to give
    std::uint64_t held_bytes_ = 0;              // without what is pinned
    ShotPins pins_;
    std::set<std::uint32_t> pinned_channels_;
    std::uint64_t pinned_bytes_ = 0;
    std::uint64_t watermark_ = 0;
    std::shared_ptr<const std::string> status_;
    std::uint64_t status_number_ = 0;
    std::shared_ptr<const std::string> end_;
};

}  // namespace sla::retain
