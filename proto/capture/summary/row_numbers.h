// The numbers of a channel's rows as a file has them: without holes where rows tell what is missing.
//
//   as they come     gap 0 │ 7000 ... 7999 │ gap 8000 │ 9500 ...      7000 were no longer held, 1500 came too late
//   in the file      gap 0 │ 1    ... 1000 │ gap 1001 │ 1002 ...
//
// What readers look up by number (PagedCapture) needs no more than one number a page for it. A hole that no row explains stays:
// something is missing that should be there.
#pragma once

#include "proto/wire/event.h"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace sla::capture {

// One owner, one thread. A batch costs one look into a table.
class RowNumbers {
public:
    // The next batch begins where the last one ended, and nothing is to be taken off its numbers.
    [[nodiscard]] bool go_on(std::uint32_t channel, std::uint64_t first_index) const;
    // Of so many rows none of which explains a hole.
    void take(std::uint32_t channel, std::uint64_t first_index, std::uint64_t rows);
    // Takes off the batch's numbers what is to be, and gives it.
    std::uint64_t close_holes(wire::EventBatch& batch);

    // Of a channel that has no row for a while: what follows from its next one alone.
    void rest(std::uint32_t channel);
    void forget(std::uint32_t channel) { lanes_.erase(channel); }
    [[nodiscard]] std::size_t bytes() const { return lanes_.size() * (sizeof(Lane) + kNodeBytes); }

private:
    static constexpr std::size_t kNodeBytes = 32;
    struct Lane {
        std::uint64_t next = 0;       // as they come
        std::uint64_t explained = 0;  // that may be missing there
        std::uint64_t shift = 0;      // is taken off
    };

    std::unordered_map<std::uint32_t, Lane> lanes_;
};

}  // namespace sla::capture
