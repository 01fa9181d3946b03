// Frames of any kind into a viewer's session, as from an agent gone mad or a file that was edited: statuses, clocks, shots,
// batches, in any order. Lanes stay in order, memory bounded, and whatever a viewer asks of the session has an answer.
#include "proto/base/check.h"
#include "tests/fuzz/pieces.h"
#include "viewer/analysis/delta_tracker.h"
#include "viewer/analysis/intervals/statistics.h"
#include "viewer/analysis/limits/verdict.h"
#include "viewer/ingest/frame_applier.h"

#include <google/protobuf/stubs/logging.h>

#include <map>
#include <string>

namespace {

using namespace sla;

constexpr int kRows = 2000;

void look_at(const store::Session& session) {
    for (const store::Lane* lane : session.lanes()) {
        for (std::uint64_t i = 1; i < lane->size(); ++i) SLA_CHECK(lane->tick(i - 1) <= lane->tick(i));
        SLA_CHECK(lane->last_tick() <= SLA_TICK_MASK);
    }
    const time::ClockMap& clock = session.clock();
    SLA_CHECK(clock.ticks_per_second() >= 999 && clock.ticks_per_second() <= 1.001e12);
    SLA_CHECK(clock.error_between(session.first_tick(), session.last_tick(), time::Stamps::kTwoThreads) >= 0);
    const store::MergedIndex index(session);
    auto cursor = index.cursor(0);
    analysis::DeltaTracker tracker(session);
    std::map<const store::Lane*, analysis::DeltaTracker::Stamp> last;
    for (int row = 0; row < kRows; ++row) {
        const auto place = cursor.next();
        if (!place) break;
        const auto deltas = tracker.next(last[place->lane], place->tick, place->lane->thread(place->index));
        SLA_CHECK(deltas.error_ps >= 0);
        (void)place->lane->text(place->index);
    }
    (void)analysis::channel_statistics(session, *analysis::select(session, {}), {true, true});
    for (const char* text : {"* -> * < 1us", "width * p99 < 1ms", "gap * < 1s", "rate * > 1/s", "lost == 0"}) {
        const auto limit = analysis::parse_limit(text);
        SLA_CHECK(limit.ok());
        if (session.lanes().size() < 20) (void)analysis::check_limit(session, *limit, {});
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    google::protobuf::SetLogHandler(nullptr);
    store::Session session;
    ingest::FrameApplier applier(session);
    for (const std::string_view piece : fuzz::pieces_of(data, size)) {
        applier.apply(piece);
        if (piece.empty()) applier.begin_stream();
    }
    look_at(session);
    return 0;
}
