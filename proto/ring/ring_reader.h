// The agent's side of one ring: copies published slots out, gives their space back, and accounts for every event that
// is missing.
//
// Trusts nothing: what it needs is copied once and checked. Positions and drawings: ring_abi.h. One owner thread, the only
// one that writes `tail`. Cost: 1 to 2 ns a plain event, memory bandwidth (tests/bench/drain_bench).
#pragma once

#include "proto/ring/ring_slots.h"
#include "proto/ring/segment_view.h"

#include <cstdint>

namespace sla::ring {

// Published slots where they are, in the ring itself or copied out of it: one extent that does not wrap.
struct ContiguousSlots {
    const std::uint64_t* words = nullptr;
    std::size_t count = 0;
    std::uint64_t available = 0;  // slots there were to read, these and others
    [[nodiscard]] bool is_all() const { return count == available; }
};

// Of very many rings most have nothing new. Whether one has costs a line of its header, which can be fetched while others are
// looked at; these lie side by side, where their readers do not.
class QuietRing {
public:
    void prefetch(bool for_end) const {
        __builtin_prefetch(header_);
        if (for_end) __builtin_prefetch(&header_->state);
    }
    // Nothing was published, reserved or dropped since its reader last looked.
    [[nodiscard]] bool is_quiet() const {
        const std::uint64_t head = __atomic_load_n(&header_->head, __ATOMIC_ACQUIRE);  // pairs with publish
        return head == position_ && __atomic_load_n(&header_->reserve, __ATOMIC_RELAXED) == head &&
               __atomic_load_n(&header_->lost, __ATOMIC_RELAXED) == lost_;
    }

    // Slots that were published since; very many where positions are impossible.
    [[nodiscard]] std::uint64_t waiting() const {
        return __atomic_load_n(&header_->head, __ATOMIC_ACQUIRE) - position_;  // pairs with publish
    }
    [[nodiscard]] bool has_dropped() const { return __atomic_load_n(&header_->lost, __ATOMIC_RELAXED) != lost_; }

    // Its thread has ended: another line.
    [[nodiscard]] bool is_closed() const { return __atomic_load_n(&header_->state, __ATOMIC_ACQUIRE) == SLA_RING_CLOSED; }

private:
    friend class RingReader;
    QuietRing(const sla_ring_header* header, std::uint64_t position, std::uint64_t lost)
        : header_(header), position_(position), lost_(lost) {}
    const sla_ring_header* header_;
    std::uint64_t position_;
    std::uint64_t lost_;
};

class RingReader {
public:
    // The view must outlive the reader.
    RingReader(const SegmentView& view, std::uint32_t number);

    // Reads the description anew when the ring has a new owner. False: nothing there to read (free, or being claimed).
    // An error: the description is nonsense; the ring is to be left alone for ever.
    Result<bool> open();

    [[nodiscard]] const RingDescription& description() const { return description_; }

    // Copies at most max_slots. An error: the positions are nonsense; the ring is to be left alone.
    Result<void> read(std::size_t max_slots, RingChunk& chunk);

    // For rings that drop the newest: what is published stays as it is until release(), if the program is honest. One
    // that is not may change a word between two looks at it: look once, by load(). Takes nothing. `copies`: where they are
    // copied to when pages are scarce.
    Result<ContiguousSlots> look(std::size_t max_slots, RingChunk& copies);
    void release(std::size_t count);
    // Of the next max_slots, how many lie before the first that is stamped after `tick`; where pages are scarce, of fewer.
    // `copies` as with look().
    struct Until {
        std::size_t count = 0;
        bool is_next_later = false;  // the one behind them is known to be stamped after it
    };
    [[nodiscard]] Until count_until(std::uint64_t tick, std::size_t max_slots, RingChunk& copies) const;
    static std::uint64_t load(const std::uint64_t* word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
    [[nodiscard]] bool can_look() const { return !description_.overwrite; }

    // Nothing in it was stamped before the program's markers came on; 0: it does not say, or stamps with a clock of its own.
    [[nodiscard]] std::uint64_t earliest_stamp() const;

    // A marker is between reserving its slot and publishing it: its stamp may be older than now.
    [[nodiscard]] bool writer_inside() const;

    // Losses (drop-newest) as the writer counts them, since the ring was made, with the ticks of the newest run's first and
    // last (which may be that of one more, being counted right now). last_tick 0: the program does not say.
    struct Dropped {
        std::uint64_t total = 0;
        std::uint64_t first_tick = 0;
        std::uint64_t last_tick = 0;
    };
    [[nodiscard]] Dropped dropped() const;
    [[nodiscard]] std::uint64_t accounted() const { return accounted_; }
    // How it stands now.
    [[nodiscard]] QuietRing quiet() const { return {header_, position_, accounted_}; }
    // Accounts for losses up to this total; answers how many are new. Kept in the ring for an agent that comes later.
    std::uint64_t account(std::uint64_t total);

    // Events turned away by the channel's filter since this was last asked, by whichever agent.
    std::uint64_t account_filtered();

    // Asks the program for a ring of so many slots in this one's place; somebody must then notify it (source::Program).
    void ask_for(std::uint64_t slots);
    // The program would rather lose events than have a bigger ring.
    [[nodiscard]] bool is_of_fixed_size() const;

    [[nodiscard]] bool is_empty() const;
    [[nodiscard]] bool is_closed() const;
    [[nodiscard]] bool was_never_used() const;
    // The owner ended and everything is out: another thread may have it.
    void give_back();

private:
    // The next slots, past the mapping. False: they are to be read where they are.
    [[nodiscard]] bool copy_unmapped(std::size_t count, RingChunk& chunk) const;

    const SegmentView* view_;
    sla_ring_header* header_;
    RingDescription description_;
    RingSlots slots_;
    std::uint64_t position_ = 0;  // our own tail; the shared one only follows
    std::uint64_t accounted_ = 0;
};

}  // namespace sla::ring
