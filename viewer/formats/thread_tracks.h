// Which spans share the track of their thread: those of all its channels that nest, so that other tools show a frame with
// what was done in it below it.
//
//   thread   game.frame   [-----------------------]
//            game.physics    [-------]                  nests: the same track
//            io.write              [-----------]        does not: the thread's second track
//
// Others stay on the track of their lane: spans whose end is lost, open or not exported, and those of no thread.
// Owner: one writer, which asks for every begin and end in their order.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/store/session.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sla::formats {

class ThreadTracks {
public:
    static constexpr std::size_t kMaxRows = 8;  // of one thread; what overlaps more often stays with its lane

    ThreadTracks(const store::Session& session, const analysis::Selection& selection);

    // The row of its thread that a begin or end stands on, from 0; nothing for all others.
    std::optional<std::size_t> row_of(const store::RowRef& place, const store::Event& event);

private:
    struct Open {
        const store::Lane* lane;
        std::uint64_t begin_index;
        std::uint64_t end_tick;
    };
    using Row = std::vector<Open>;  // the innermost last

    std::optional<std::size_t> begin(const store::RowRef& place, const store::Event& event);
    std::optional<std::size_t> end(const store::RowRef& place, const store::Event& event);

    const store::Session& session_;
    const std::uint64_t until_;                       // of what is exported: of a live session only what is final
    const bool has_filter_;                           // it may let a begin through and not its end
    std::map<std::uint32_t, std::vector<Row>> rows_;  // by thread
};

}  // namespace sla::formats
