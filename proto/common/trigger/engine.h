// Runs one trigger over events, in the order (tick, channel id, place in its channel), with no event read that the level it
// stands in has no use for.
//
//   feed:   channel 3  │ · · · · · ·        runs of one channel up to the next other one's tick, or the next deadline,
//           channel 7  │   · ·    ·  ·      whichever is first; channels that this level does not look at are skipped
//           deadlines  │       |            over, and looked up again when a level does
//
// Each feed brings all events of the wanted channels up to a watermark, and time goes on to that watermark also where no
// event is. Events from before the watermark (a program that attached late) are taken when they come, with their own ticks.
// Where sources make up their time, a deadline goes by the time of the channels that its condition looks at.
// One owner thread. Cost: tests/bench/trigger_bench.
#pragma once

#include "proto/base/strong_id.h"
#include "proto/common/trigger/ast.h"
#include "proto/common/trigger/known_times.h"
#include "proto/common/trigger/program.h"
#include "proto/common/trigger/row.h"
#include "proto/common/trigger/row_clocks.h"
#include "proto/wire/event.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sla::trigger {

// New events of one channel, in tick order. `extras` may be of more events: those behind `first_position` count.
struct Rows {
    ChannelId channel;
    std::span<const std::uint64_t> ticks;
    std::span<const std::uint8_t> codes;
    std::span<const std::uint64_t> values;
    std::span<const std::uint32_t> threads;
    std::span<const wire::Extra> extras = {};
    std::size_t first_position = 0;  // of ticks[0], as extras count

    static Rows of(const wire::EventBatch& batch, std::size_t from = 0);
    // One of them. `next_extra`: the first extra that may be its own, or of one behind it; 0 to begin with.
    [[nodiscard]] Row row(std::size_t at, std::size_t& next_extra) const;
};

inline Row Rows::row(std::size_t at, std::size_t& next_extra) const {
    Row row;
    row.tick = ticks[at];
    row.code = codes[at];
    row.value = row.code == SLA_CODE_LEVEL && values[at] != 0 ? 1 : values[at];
    row.thread = threads[at];
    if (!row.is_loss()) return row;
    const std::size_t position = first_position + at;
    while (next_extra < extras.size() && extras[next_extra].position < position) ++next_extra;
    if (next_extra < extras.size() && extras[next_extra].position == position) row.until = extras[next_extra].until_tick;
    return row;
}

struct Hit {
    std::uint64_t tick = 0;
    bool certain = true;  // false: losses hide whether it happened
    std::size_t level = 0;
    TimeSource time = kMachineTime;  // that `tick` is of
};

class Engine {
public:
    // Called for every hit; gives the tick before which the trigger looks away (0: it does not). What it gives for a hit
    // that is not certain does not count.
    using OnHit = std::function<std::uint64_t(const Hit&)>;

    Engine(const Trigger& trigger, double ticks_per_second, OnHit on_hit);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // A channel there is; true when the trigger looks at it.
    bool add_channel(ChannelId channel, std::string_view name, TimeSource time = kMachineTime);
    // It is no more; nothing of it may be on its way. Its place is given to the next one.
    void remove_channel(ChannelId channel);
    [[nodiscard]] bool wants(ChannelId channel) const { return places_.contains(channel.value); }
    // Looks away until this tick of that time, of which it is `now`, and by other times for as long; conditions that measure
    // go on measuring.
    void look_away(std::uint64_t until, TimeSource by, std::uint64_t now) { clocks_.look_away(until, by, now); }
    // What feed() begins with.
    void learn(const KnownTimes& times) { clocks_.learn(times); }
    // By which all its channels are stamped; the machine's when they are several.
    [[nodiscard]] TimeSource time() const { return clocks_.source(clocks_.only()); }
    // Begins anew, at the first level; what conditions have measured stays.
    void restart();
    void retime(double ticks_per_second);

    // All there is up to there, that was not fed before; at most one Rows a channel.
    void feed(std::span<const Rows> rows, const KnownTimes& known);

    // Of one channel, before anything of it is fed: the row of its newest number, those of spans that are open and of losses
    // that are not over. They are no events of what is fed.
    void recall(const Rows& rows);

    // It was stopped for good: its deadlines make each other, far more often than anything could follow.
    [[nodiscard]] bool goes_in_circles() const { return circling_; }
    [[nodiscard]] std::size_t level() const { return level_; }
    [[nodiscard]] const std::string& level_text(std::size_t level) const { return program_.levels[level].text; }
    // For tests: places for channels, taken or free.
    [[nodiscard]] std::size_t place_count() const { return channels_.size(); }

private:
    struct Listener {  // a leaf that listens to a channel
        Leaf* leaf;
        std::uint16_t number;  // of the leaf
        bool in_a;
        bool in_b;
    };
    struct Channel {
        ChannelId id;
        ChannelState state;
        bool tracked = false;  // some leaf with a memory listens
        RowClocks::Number clock = RowClocks::kMachine;
    };
    struct Listening {  // of one channel in one level
        std::vector<Listener> listeners;
        const RowTest* scan = nullptr;  // the only one is memoryless: rows it says no to change nothing
        Primitive* passes = nullptr;    // the only one remembers, and may pass over rows by itself
        bool any = false;
        [[nodiscard]] bool is_as(const Listening& other) const {
            return any == other.any && (scan != nullptr) == (other.scan != nullptr);
        }
    };
    struct Cursor {
        const Rows* rows;
        std::uint32_t place;
        Channel* channel;
        const std::uint64_t* ticks;
        std::size_t size;
        std::size_t at = 0;
        std::size_t from = 0;  // where a range began
        std::size_t next_extra = 0;
        bool watched = false;  // by this level
        [[nodiscard]] std::uint64_t tick() const { return ticks[at]; }
        [[nodiscard]] bool over() const { return at == size; }
    };

    struct Head {  // of the heap of channels that this level watches
        std::uint64_t tick;
        Cursor* cursor;
    };
    static bool comes_later(const Head& a, const Head& b) {
        return a.tick != b.tick ? a.tick > b.tick : a.cursor > b.cursor;
    }

    void attach(std::uint32_t channel, std::string_view name);
    Listening& listening(std::size_t level, std::uint32_t channel) { return listening_[channel * level_count_ + level]; }
    void count_differences(std::uint32_t channel, std::uint32_t by);
    void forget_move_between_alike_levels(std::size_t from);
    bool take_next();
    void choose_active();
    void settle_first();
    void skip_unwatched(Cursor& cursor) const;
    void run(Cursor& cursor, std::uint64_t last_tick);
    bool scan(Cursor& cursor, const Listening& here, std::uint64_t last_tick) const;
    void pass_over(Cursor& cursor, Primitive& primitive, std::uint64_t last_tick);
    bool may_scan_together();
    [[nodiscard]] std::uint64_t range_end() const;
    static void step_back(Cursor& cursor, std::size_t from, std::uint64_t tick, ChannelId channel);
    void scan_together();
    void take_row(Cursor& cursor, const Listening& here);
    void note_losses(Channel& channel, const Row& row) const;
    static void remember(Channel& channel, const Row& row);
    void take_deadline();
    void find_deadline();
    [[nodiscard]] RowClocks::Number known_clock(const Leaf& leaf) const;
    [[nodiscard]] std::uint64_t known(const Leaf& leaf) const { return clocks_.known(known_clock(leaf)); }
    // Its deadline, once nothing can change that any more.
    [[nodiscard]] std::uint64_t due(const Leaf& leaf) const {
        const std::uint64_t deadline = leaf.primitive->deadline();
        return !clocks_.any_own() || deadline <= known(leaf) ? deadline : kNever;
    }
    [[nodiscard]] std::uint64_t level_due() const;
    bool stop_if_circling(std::uint64_t due);
    void judge(bool is_row);
    Truth happens(const Node& node, bool is_row) const;
    Truth holds(const Node& node) const;
    bool is_complete(ReadyBranch& branch) const;
    void act_on(const ReadyBranch& branch);
    void enter(std::size_t level, bool by_goto);
    void enter(Leaf& leaf);
    void clear_happenings();

    Program program_;
    std::size_t level_count_;
    OnHit on_hit_;
    std::uint64_t timeout_ = 0;  // of a loss without an end: one second
    RowClocks clocks_;
    std::deque<Channel> channels_;                             // stay where they are: primitives look at their states
    std::unordered_map<std::uint32_t, std::uint32_t> places_;  // by channel id, in channels_
    std::vector<std::uint32_t> free_places_;
    std::vector<Listening> listening_;      // by place and level
    std::vector<std::uint32_t> differing_;  // by two levels: channels that one of them watches otherwise than the other
    std::vector<std::uint16_t> timed_;      // leaves that may have deadlines
    std::vector<std::uint16_t> happened_;   // leaves to be cleared after this moment

    std::size_t level_ = 0;
    std::uint64_t level_deadline_ = kNever;
    RowClocks::Number level_clock_ = RowClocks::kMachine;
    std::uint64_t next_deadline_ =
        kNever;                      // no deadline is before it; of other times than the machine's, those that are due
    std::uint64_t since_row_ = 0;    // deadlines since the newest row
    std::uint64_t burst_begin_ = 0;  // deadlines since then that no row can have made
    std::uint64_t burst_ = 0;
    bool circling_ = false;

    std::uint64_t now_ = 0;
    RowClocks::Number now_clock_ = RowClocks::kMachine;
    std::uint32_t now_channel_ = 0;  // id of the row at `now_`
    bool now_is_row_ = false;
    bool moved_ = false;  // the level changed: other channels count
    std::vector<Cursor> cursors_;
    std::vector<Head> active_;       // a heap: the earliest first
    bool all_scan_ = false;          // none of them has a memory
    std::size_t range_rows_ = 64;    // of a channel, that are looked at together
    std::size_t rows_in_order_ = 0;  // before ranges are tried again
};

}  // namespace sla::trigger
