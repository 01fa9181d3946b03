// The slots of one ring, in a process that reads them: which of their pages are mapped, and copies of them.
//
//   pages not mapped    ── map ──────────────► read where they are: together, and some behind them when the ring is read on
//   would be too many   ── copy_unmapped ────► copied past the mapping, a few of them
//
// Positions are the caller's, checked; what is in a slot is the program's, at any moment. One owner thread.
#pragma once

#include "proto/ring/segment_view.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::ring {

struct RingDescription {
    std::uint32_t channel = 0;  // index in the segment, from 1
    std::uint32_t thread = 0;
    std::uint32_t width = SLA_WIDTH_PLAIN;
    bool overwrite = false;
    bool follows = false;  // it took another ring's place
    std::uint32_t capacity = 0;
    std::uint64_t generation = 0;
    std::string thread_name;
};

// Slots copied by one read(), oldest first, and what is missing before them.
struct RingChunk {
    std::vector<std::uint64_t> words;  // the first count * words_per_slot of them
    std::size_t words_per_slot = 2;
    std::size_t count = 0;
    std::uint64_t overwritten = 0;  // events lost before the first slot: the writer went round
    std::uint64_t torn = 0;         // of the same place, lost while they were being read
    std::uint64_t available = 0;    // slots there were to read, at most the ring's capacity
    bool drained = false;           // everything published at the time of the read is out
};

class RingSlots {
public:
    explicit RingSlots(const SegmentView& view) : view_(&view) {}

    // Of a ring that is read from this position on. False: they would lie outside the segment; nothing has changed.
    [[nodiscard]] bool open(std::uint64_t offset, const RingDescription& ring, std::uint64_t position);
    [[nodiscard]] bool are_there() const { return slots_ != nullptr; }

    [[nodiscard]] std::size_t words_per_slot() const { return words_; }
    [[nodiscard]] std::uint64_t slot_bytes() const { return words_ * sizeof(std::uint64_t); }
    [[nodiscard]] const std::uint64_t* at(std::uint64_t position) const {
        return reinterpret_cast<const std::uint64_t*>(slots_) + (position & (capacity_ - 1)) * words_;
    }
    // So many of them, from there on, lie one behind the other.
    [[nodiscard]] std::uint64_t until_end(std::uint64_t position) const { return capacity_ - (position & (capacity_ - 1)); }

    // They are read now: maps those that are not yet, and some behind them when the ring goes on being read.
    void map(std::uint64_t position, std::size_t count);
    // Of slots that stand still. False: they are to be read where they are.
    [[nodiscard]] bool copy_unmapped(std::uint64_t position, std::size_t count, RingChunk& chunk) const;
    // It copies no more at once.
    [[nodiscard]] std::uint64_t most_copied() const;
    void copy_slots(std::uint64_t position, std::size_t count, RingChunk& chunk) const;

private:
    // Positions whose slots are in this process's memory.
    struct Mapped {
        std::uint64_t from = 0;
        std::uint64_t until = 0;
        std::uint64_t releases = 0;  // of the view, when that began
    };
    // As far as we know.
    [[nodiscard]] bool are_mapped(std::uint64_t position, std::size_t count) const;
    void make_room(std::size_t count, RingChunk& chunk) const;

    const SegmentView* view_;
    const unsigned char* slots_ = nullptr;
    std::uint64_t capacity_ = 0;
    std::size_t words_ = 0;  // of a slot
    Mapped mapped_;
};

}  // namespace sla::ring
