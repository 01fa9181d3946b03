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
// thread appends, any number read. The lock is held for moving pointers, and for encoding a gap or a watermark of a few
// bytes; where very many shots go at once, for some of them, and the next call goes on.
//
// Limits: a channel's own bytes; its own time (expire); over the total, a channel that holds nearly the most gives. Dropping
// is O(1) a batch. The newest batch of a channel whose source lives always stays: whoever joins later learns the state it is
// in. A batch that a shot's window needs goes from the history to the pinned ones, which have a budget of their own.
// Under the total counts everything else that is held: batches, channels, names, the status, what the caller says it holds
// beside, and of what readers hold all beyond kFreeReaderBytes.
//
//   source lives ── end_source ──► ended: its newest batches may go too ── nothing held any more ──► retired: forgotten;
//        ▲                              │                                                 readers that saw it are notified
//        └──────── begin_source ────────┘
//
// A source of which only shots hold a batch rests: its names count with the shots, and go when the last of those goes.
// What ended sources hold gives first once it is more than a quarter of the total, the longest ended one before the others.
#pragma once

#include "agent/retain/by_size.h"
#include "agent/retain/cursor.h"
#include "agent/retain/delivery.h"
#include "agent/retain/given_up.h"
#include "agent/retain/gone_ticks.h"
#include "agent/retain/holdings.h"
#include "agent/retain/reading.h"
#include "agent/retain/shot_pins.h"
#include "proto/capture/summary/batch_summarizer.h"
#include "proto/wire/event.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sla::retain {

struct Limits {
    std::uint64_t channel_bytes = std::uint64_t{64} << 20;  // of a channel that nobody limited
    std::uint64_t total_bytes = std::uint64_t{512} << 20;
    static constexpr std::uint64_t kLeastTotalBytes = std::uint64_t{256} << 10;  // of less not even names would be kept
    std::uint64_t shot_bytes = std::uint64_t{64} << 20;  // beside the total: what shots' windows keep from being given up
};

class Retention {
public:
    explicit Retention(Limits limits) : limits_(limits) {}

    // Seen by every reader before later batches.
    void announce(std::string frame, Topic topic = Topic::kStream);
    // The same, of a source: goes with it. Source 0 has no end.
    // Gives its number, by which it can be dropped before.
    std::uint64_t announce_of(SourceId source, std::string frame);
    void drop_of(SourceId source, std::uint64_t number);
    // Its batches carry a time that it makes up: what is old goes by its newest tick. Before its channels are announced.
    void set_own_time(SourceId source);
    void announce_channel(ChannelId channel, const std::string& name, std::string frame, SourceId source = {});
    // `rows`: what was encoded; what recorders want to know of it is summed up while it is at hand, when there are any.
    void append(const BatchFacts& facts, std::string frame, const wire::EventBatch* rows = nullptr);
    // Everything at or below is appended.
    void set_watermark(std::uint64_t tick);
    // The newest one only is delivered, all its pages.
    void set_status(std::string frame);
    void set_status(std::vector<std::string> pages);
    std::uint64_t status_number();
    // Nothing follows; readers get this last.
    void finish(std::string end_frame);

    // No batch of its channels follows; or it comes again.
    void end_source(SourceId source, std::uint64_t tick);
    // False: it is retired already, which another thread's pin_shot may have done since take_retired.
    [[nodiscard]] bool begin_source(SourceId source);
    // Those retired since the last call: their ids, and those of their channels, mean nothing any more.
    std::vector<SourceId> take_retired();

    // What is kept from now on; what is too much goes at once.
    void limit_channel(ChannelId channel, ChannelLimits limits);
    void limit_total(std::uint64_t bytes);
    Limits limits();
    // What the caller holds beside: it counts under the total.
    struct Beside {
        std::uint64_t open_batches = 0;
        std::uint64_t programs = 0;  // what is remembered of those that are drained
    };
    void count_beside(const Beside& bytes);
    // Drops what its channel's limit in time says is too old at this tick; of very many channels only some at a time.
    // Retires sources that ended kLingerTicks ago and hold nothing.
    void expire(std::uint64_t now);
    static constexpr std::uint64_t kLingerTicks = 15'000'000'000;  // 5 s at 3 GHz

    // Appends what the reader has not seen to `out`, in time order, up to about max_bytes. False: all seen and finished.
    // Costs what has changed since, however many channels there are.
    bool read(Cursor& cursor, std::size_t max_bytes, std::vector<Delivery>& out);
    // Moves the cursor of a batch reader to each channel's first batch that reaches this tick: what is before is left out
    // on purpose, and no loss; what is behind it and was given up is a gap. kAllHistory: behind everything held now.
    // Newest: of a channel without such a batch the newest one all the same, which gives the state that it is in.
    using Keep = retain::Keep;
    void skip_before(Cursor& cursor, std::uint64_t tick, Keep of_others = Keep::kNone);
    // The same by age: of what is so many ticks older than now. Of a source that makes up its time that is its newest event.
    void skip_older(Cursor& cursor, std::uint64_t age, std::uint64_t now, Keep of_others = Keep::kNone);
    // Of all that is held; nothing when nothing is.
    std::optional<std::uint64_t> oldest_tick();
    static constexpr std::uint64_t kAllHistory = ~std::uint64_t{0};

    // Keeps what is held of that window of time, and what comes of it, until shot memory is short; then the oldest shot's
    // window goes, and of the last one left as much of its beginning as must.
    void pin_shot(std::uint32_t trigger, Interval window);
    // The window of that shot, as it was pinned, ends at `last` already: what comes later is held for it no more.
    void cut_shot(std::uint32_t trigger, const Interval& window, std::uint64_t last);
    // Nothing of that window of time has been given up.
    bool holds(Interval window);
    [[nodiscard]] std::uint64_t shot_bytes();
    // Shots of this trigger whose window is not held whole.
    [[nodiscard]] std::uint64_t shots_lacking(std::uint32_t trigger);

    // For readers with a thread of their own: waits until something new was published, or the time is up.
    void wait(std::chrono::milliseconds limit);
    // For those that may have it later: until there is so much that it should be fetched before it goes, or the end, or the
    // time is up. A thread that is woken 200 times a second costs more than what it reads.
    void wait_for_much(std::chrono::milliseconds limit);
    // Called after each publish(); must not call back.
    void on_publish(std::function<void()> notify);
    // Wakes readers: what was appended since is worth reading.
    void publish();

    using Held = retain::Held;
    Held held(ChannelId channel);
    // Bytes by what takes them, at one moment. Under the total counts all but the shots.
    struct Usage {
        std::uint64_t history = 0;  // batches
        std::uint64_t names = 0;    // announcements, channels, status
        std::uint64_t shots = 0;    // batches of windows, and names of sources of which nothing else is held
        Beside beside;
        std::uint64_t readers = 0;    // where they stand, and frames that only they hold
        std::uint64_t recorders = 0;  // where those stand, what they remember of channels, and summaries for them
        std::uint64_t counted = 0;    // of all this, under the total
        Limits limits;
    };
    Usage usage();
    // Of batches; and of all that counts under the total.
    std::uint64_t held_bytes();
    std::uint64_t counted_bytes();

    // What a channel costs in memory beside its name and its batches, here and with who appends to it
    // (tests/bench/churn_bench measures it).
    static constexpr std::uint64_t kChannelBytes = 1560;
    // What readers and recorders may hold together before it counts: so much the agent takes beside the total.
    static constexpr std::uint64_t kFreeReaderBytes = std::uint64_t{16} << 20;

private:
    static constexpr std::size_t kMaxRetired = 16'384;  // remembered one by one

    static GivenUp given_up(const BatchFacts& facts);
    static GivenUp given_up(const Retired& gone);
    static std::uint64_t cost_of(const HeldBatch& entry);
    void count(Owner& owner, std::int64_t bytes);
    bool is_much(HeldChannel& lane, std::uint64_t bytes, std::uint64_t with_summary);
    void drop_oldest(HeldChannel& lane);
    void note_gone(HeldChannel& lane, const BatchFacts& facts);
    void cut_oldest(HeldChannel& lane);
    void pin(HeldChannel& lane, std::uint64_t until);
    // What one call may do about shots before it lets the lock go.
    struct Turn {
        std::size_t shots = 0;
        std::size_t channels = 0;  // looked at
    };
    bool give_up_shot(Turn& turn);
    void keep_within_limits();
    void unpin(const Interval& gone, Turn& turn);
    void unpin(HeldChannel& lane, const Interval& gone);
    void let_go_of_pinned(Owner& owner, std::uint32_t id);
    [[nodiscard]] bool is_whole(const Interval& window) const;
    void keep_within_bytes(HeldChannel& lane);
    void keep_within_total();
    HeldChannel* find(ChannelId channel);
    [[nodiscard]] std::uint64_t counted() const;
    [[nodiscard]] std::uint64_t names() const;
    [[nodiscard]] std::uint64_t frames_of_readers() const;
    void charge(Cursor& cursor) const { cursor.charge.set(holdings_.account, cursor.is_recorder, cursor.bytes()); }
    [[nodiscard]] std::uint64_t of_shots() const { return pinned_bytes_ + resting_bytes_; }

    void settle_empty(Owner& owner, std::uint32_t id);
    bool give_of_ended();
    void expire_channel(HeldChannel& lane, std::uint64_t by_machine);
    void expire_some(std::uint64_t now);
    void retire_empty(std::uint64_t now);
    void retire(std::uint32_t source);
    void remember_retired(Retired retired);

    Limits limits_;  // under mutex_, as all below but notify_
    std::mutex mutex_;
    std::condition_variable published_;
    std::function<void()> notify_;
    std::uint64_t publications_ = 0;
    std::condition_variable much_;
    std::uint64_t wakeups_ = 0;            // that there was much
    std::uint64_t fresh_bytes_ = 0;        // appended since the newest of these, with their summaries
    capture::BatchSummarizer summarizer_;  // not under mutex_: of the one thread that appends
    Holdings holdings_;
    std::unordered_map<std::uint32_t, Owner> owners_;  // by source id
    std::uint32_t expired_until_ = 0;                  // channels up to here had their turn
    BySize by_size_;                                   // channels that have a batch to give
    std::uint64_t held_bytes_ = 0;                     // without what is pinned
    ShotPins pins_;
    std::set<std::pair<std::uint64_t, std::uint32_t>> pinned_channels_;  // by the first tick of their oldest pinned batch
    std::uint64_t pinned_bytes_ = 0;
    std::uint64_t channel_bytes_ = 0;  // of channels themselves
    Beside beside_;
    std::uint64_t status_bytes_ = 0;
    std::list<std::uint32_t> ended_;                               // sources, the longest ended first
    std::list<std::uint32_t> resting_;                             // ended sources of which shots hold all that there is
    std::uint64_t ended_bytes_ = 0;                                // of ended_
    std::uint64_t resting_bytes_ = 0;                              // of resting_: names
    std::deque<std::pair<std::uint32_t, std::uint64_t>> emptied_;  // sources that held nothing when they ended then
    std::vector<SourceId> retired_sources_;                        // not taken yet
    GoneTicks gone_ticks_;                                         // of channels that go by the machine's time
};

}  // namespace sla::retain
