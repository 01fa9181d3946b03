// What holds on a lane where the range of a selection begins: what waves and samples of a part start with.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/formats/open_span_counts.h"

namespace sla::formats {

struct HeldState {
    OpenSpanCounts open;                          // they begin before the range and end, if at all, in it
    store::Level level = store::Level::kUnknown;  // behind a filter, too: which row set it is not asked
};

// Of the whole of a capture nothing.
HeldState held_at_begin(const store::Session& session, const analysis::Selection& selection, const store::Lane& lane);

}  // namespace sla::formats
