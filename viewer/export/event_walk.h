// EventWalk: the events of a selection in merged order, as every export walks over them: only rows that are final, only
// those the filter lets through, with progress and a way to stop.
//
// Owner: the session's thread; the session does not grow meanwhile. O(log lanes) a step.
#pragma once

#include "viewer/analysis/selection.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace sla::exporting {

// Called now and then with the rows looked at and the rows there are; false stops.
using Progress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

// The selection's last tick that is final; nothing when no tick is meant.
std::optional<std::uint64_t> last_final_tick(const store::Session& session, const analysis::Selection& selection);
// Rows of the selection before the filter.
std::uint64_t count_rows(const store::Session& session, const analysis::Selection& selection);

class EventWalk {
public:
    EventWalk(const store::Session& session, const analysis::Selection& selection, const Progress& progress);

    // Nothing at the end, and when progress said stop.
    std::optional<store::Place> next() {
        while (open_) {
            if (++looked_ % kRowsPerLook == 0 && !look()) break;
            const auto place = cursor_.next();
            if (!place) break;
            if (!selection_.filter || selection_.filter->matches(session_, *place)) return place;
        }
        return std::nullopt;
    }
    [[nodiscard]] bool stopped() const { return stopped_; }

private:
    static constexpr std::uint64_t kRowsPerLook = 1 << 14;
    bool look();

    const store::Session& session_;
    const analysis::Selection& selection_;
    const Progress& progress_;
    store::MergedCursor cursor_;
    std::uint64_t all_;
    std::uint64_t looked_ = 0;
    bool open_;
    bool stopped_ = false;
};

}  // namespace sla::exporting
