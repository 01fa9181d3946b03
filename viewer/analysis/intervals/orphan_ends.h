// OrphanEnds: ends of spans whose begin may be among the events that were lost: behind a loss of their thread, and no span of it is
// open. The span began in a loss, and no table of spans has it.
//
//   rows       begin  end  G  end       a loss that may hide a begin: the second end is an orphan
//   lost                    ├──┤
//
// Behind the loss each such end ends a span that may have begun in it; so many of these may be open as are left.
//
// Private to the room. Value type; some ns a row from the first loss on, nothing before it.
#pragma once

#include "viewer/analysis/intervals/hidden.h"
#include "viewer/store/lane.h"

#include <cstdint>
#include <map>
#include <optional>

namespace sla::analysis {

class OrphanEnds {
public:
    // Begins of that thread (0: of any) may be missing from that tick on, where the loss was before.
    void lose(std::uint32_t thread, std::uint64_t tick, const store::Gap& gap);
    // Over the rows [first, end), and their losses; each orphan is one that is hidden.
    void go_on(const store::Lane& lane, std::uint64_t first, std::uint64_t end, Hidden& hidden);
    // One that began in a loss.
    [[nodiscard]] bool is_any_open() const;

private:
    struct Thread {
        std::uint64_t lost_since = 0;
        std::uint64_t open = 0;        // spans
        std::uint64_t maybe_open = 0;  // that began in losses
        std::uint64_t lost_until = 0;  // the losses last until there
    };
    [[nodiscard]] Thread* find(std::uint32_t thread);
    static void add_orphan(Thread& thread, std::uint64_t tick, Hidden& hidden);
    void pass_gap(const store::Lane& lane, std::uint64_t row, std::uint32_t thread, std::uint64_t tick);

    std::map<std::uint32_t, Thread> threads_;  // that have lost some
    std::optional<std::uint64_t> all_since_;   // of whatever thread, which may be one that is not heard of again
};

}  // namespace sla::analysis
