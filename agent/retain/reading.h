// Reading: one reader at one moment, which takes what it has not had of all that is held. Made for one call; under the
// retention's lock.
//
//   names that are new ── batches, the channel whose next begins first in front ── how far all is complete ── status
#pragma once

#include "agent/retain/cursor.h"
#include "agent/retain/delivery.h"
#include "agent/retain/holdings.h"
#include "agent/retain/missed_frame.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sla::wire {
class Frame;
}

namespace sla::retain {

// Of a channel without a batch that reaches the tick from which a reader wants to read.
enum class Keep : std::uint8_t { kNone, kNewest };

class Reading {
public:
    // Both outlive it.
    Reading(const Holdings& held, Cursor& cursor) : held_(held), cursor_(cursor) {}

    // As Retention::read() and Retention::skip_before() promise.
    bool read(std::size_t max_bytes, std::vector<Delivery>& out);
    void skip_before(std::uint64_t tick, Keep of_others);
    void skip_older(std::uint64_t age, std::uint64_t now, Keep of_others);

private:
    // A batch to be delivered.
    struct Next {
        const HeldBatch* entry = nullptr;  // null: there is none
        std::uint64_t number = 0;
        const GivenUp* before = nullptr;
        bool has_own_time = false;
    };
    // Of channels that a reader never saw.
    struct Unseen {
        std::uint64_t events = 0;
        std::uint64_t channels = 0;
        std::uint64_t history = 0;  // events that were there before it joined
        bool is_exact = true;
    };
    // What a channel had, of which nothing is held any more.
    struct Gone {
        ChannelId channel;
        std::uint64_t offered = 0;
        std::uint64_t begin_tick = 0;
        std::uint64_t reach = 0;
        bool has_own_time = false;
    };

    void join();
    void skip_before(const HeldChannel& lane, std::uint64_t tick, Keep of_others);
    bool read_announcements();
    void take_space(const std::string& frame);
    std::optional<std::uint64_t> read_batches();
    void visit_changed();
    void visit(const HeldChannel& lane, Cursor::Place& place);
    void put_due(Cursor::Due due);
    void take_due();
    static Next next_of(const HeldChannel& lane, const Cursor::Place& place);
    [[nodiscard]] std::uint64_t tick_of(const Next& next, const Cursor::Place& place) const;
    [[nodiscard]] std::uint64_t promised_until(bool has_own_time) const;
    [[nodiscard]] std::uint64_t gap_tick(const Next& next, const Cursor::Place& place) const;
    void deliver_next(const Next& next, Cursor::Place& place);
    void deliver_gap(const Next& next, Cursor::Place& place);
    void deliver_missed(ChannelId channel, const std::vector<Missed>& missed, const Cursor::Place& place,
                        std::uint64_t offered);
    void deliver_end(const Gone& gone, Cursor::Place& place);
    void read_retired();
    void skip_forgotten(Unseen& unseen, wire::Frame& frame);
    void deliver_unseen(const Unseen& unseen);
    void read_state(std::uint64_t watermark);

    const Holdings& held_;
    Cursor& cursor_;
    std::vector<Delivery>* out_ = nullptr;  // of read(), as long as it lasts,
    std::size_t space_ = 0;                 // and what may still be put there
};

}  // namespace sla::retain
