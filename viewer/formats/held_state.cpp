#include "viewer/formats/held_state.h"

namespace sla::formats {

HeldState held_at_begin(const store::Session& session, const analysis::Selection& selection, const store::Lane& lane) {
    HeldState held;
    if (selection.from == 0) return held;
    if (!selection.filter) held.level = lane.level_at(selection.from - 1);
    const std::uint64_t first = lane.lower_bound(selection.from);
    const auto take = [&](std::uint64_t /*id*/, const store::Span& span) {
        const store::RowRef begin{&lane, span.begin_index, span.begin_tick};
        const bool is_open = span.begin_index < first && span.end_index >= first;
        if (is_open && (!selection.filter || selection.filter->matches(session, begin))) held.open.begin(span.thread);
        return true;
    };
    lane.spans().visit_overlapping(selection.from - 1, selection.from + 1, 0, take);
    return held;
}

}  // namespace sla::formats
