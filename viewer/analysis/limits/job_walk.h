// One limit about one channel or pair, held against its rows, and what lies beside them: losses, and the time before the first
// event and behind the last one. Private to the room.
#pragma once

#include "viewer/analysis/limits/last_event.h"
#include "viewer/analysis/limits/limit_judge.h"

namespace sla::analysis {

// Row by row; of two lanes also where the rows stay in a file.
Finding walk_rows_of(const store::Session& session, const KnownExtents& extents, const LimitJob& job,
                     const Selection& range);
// What losses may have swallowed of what the limit is about.
Hidden hidden_of(const LimitJob& job, const Selection& range, const KnownExtents& extents);
// The times before the first event and behind the last one, too.
void take_outer_gaps(const ChannelWalk& gaps, const LimitJob& job, const Selection& range, const KnownExtents& extents,
                     IntervalCheck& check);
// Of limits on gaps: that the silence at the end is not among them.
void note_silence(const store::Session& session, const KnownExtents& extents, const LimitJob& job, const Selection& range,
                  Finding& finding);

}  // namespace sla::analysis
