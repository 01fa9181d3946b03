// How far a capture, and each of its lanes, is known.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/store/machine_time.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace sla::analysis {

using store::has_own_time;

// From where to where it reaches, within the range.
struct KnownExtent {
    std::uint64_t from = 0;
    std::uint64_t until = 0;
};
// Of all lanes together, by the machine's clock: to the session's watermark, and where there is none to its newest row. What a
// source marks by a time of its own is no word of the others. `known`: no further than that.
KnownExtent known_extent(const store::Session& session, const Selection& range, std::uint64_t known = store::kNever);

// The same of each lane, which is known to its newest row, too, when others may still come of others. One with an own time is
// known from its source's first event to its newest: no other clock says how far that time went. Looks at all lanes once.
class KnownExtents {
public:
    KnownExtents(const store::Session& session, const Selection& range, std::uint64_t known = store::kNever);
    [[nodiscard]] const KnownExtent& by_machine() const { return by_machine_; }
    [[nodiscard]] KnownExtent of(const store::Lane& lane) const;
    // From the first of them to the last.
    [[nodiscard]] KnownExtent of(const std::vector<const store::Lane*>& lanes) const;
    // Until when a span that has no end was open for sure, a channel silent and a pair without its end here: a program that is
    // gone was in it, and might have marked, until its newest event.
    [[nodiscard]] std::uint64_t open_until(const store::Lane& lane) const;
    // Until when it may have been: the program's losses at its end may hide that it was there for longer. Never before open_until().
    // Looks at the rows behind the program's last losses, when it is asked for the first time.
    [[nodiscard]] std::uint64_t maybe_open_until(const store::Lane& lane) const;

private:
    KnownExtent by_machine_;               // of what the machine's clock stamps
    std::uint64_t machine_end_;            // and where the range ends of that
    std::map<SourceId, KnownExtent> own_;  // of sources that make up their time
    // A program that is gone.
    struct Gone {
        std::uint64_t newest = 0;                   // event
        std::vector<const store::Lane*> lossy;      // lanes that have lost some
        mutable std::optional<std::uint64_t> lost;  // where the last of these losses is over, once it is asked for
    };
    std::map<SourceId, Gone> gone_;
};

}  // namespace sla::analysis
