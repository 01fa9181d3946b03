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
// view before; a few nanoseconds one that has not (tests/bench/ingest_bench). Who looks at some lanes has a view of those.
#pragma once

#include "viewer/store/lane.h"
#include "viewer/store/rows/page_table.h"

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

    // A view made of a few lanes at a time, between which the session may grow: of tens of thousands that have changed one at
    // once takes tens of milliseconds. All that was final when it began is in it, whole; of some lanes more is there already.
    class Gathering {
    public:
        explicit Gathering(const Session& session);
        // False while there are more lanes. Of a session that ended or went on again meanwhile it begins anew.
        bool step(std::size_t lanes);
        [[nodiscard]] SessionView take();

    private:
        void begin();

        const Session& session_;
        std::shared_ptr<State> state_;
        std::vector<const Lane*> lanes_;
        std::size_t next_ = 0;
    };

private:
    friend class Session;
    explicit SessionView(std::shared_ptr<const State> state) : state_(std::move(state)) {}

    std::shared_ptr<const State> state_;
};

}  // namespace sla::store
