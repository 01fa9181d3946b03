// SessionView: a session as it was at a moment, for other threads: nothing of it changes, and nothing is copied but what may.
//
//   owner's thread     session grows ── view() ─► … grows on
//                                          │
//   any other thread                       └─► open(): a session of its own that shows it: names, clocks, losses, pages, and
//                                              the rows in memory, which are the same
//
// A later view may be opened in the same session: it then has grown, with the rows and lanes where they were, for who goes
// on from where he was. Rows of pages come from a source of the reader's own, which looks in memory first: a view keeps none
// there. What it keeps is the rows that were in no page yet. Cost: some hundred nanoseconds a lane that has changed since the
// view before; a few nanoseconds one that has not (tests/bench/ingest_bench).
#pragma once

#include "viewer/store/lane.h"
#include "viewer/store/page_table.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace sla::store {

class Session;
struct SessionFacts;

class SessionView {
public:
    // Into an empty session, or one in which an earlier view of the same was opened; what it reads of a file, it keeps so much
    // of at hand. Any thread; the session is that thread's.
    void open(Session& reader, std::size_t cache_bytes) const;
    // Only these lanes (rising), for who looks at no others.
    void open(Session& reader, std::size_t cache_bytes, const std::vector<ChannelId>& channels) const;

    struct State;

private:
    friend class Session;
    explicit SessionView(std::shared_ptr<const State> state) : state_(std::move(state)) {}

    std::shared_ptr<const State> state_;
};

}  // namespace sla::store
