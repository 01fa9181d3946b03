// FrameApplier: turns frames into calls on a Session, trusting nothing.
//
// What breaks the stream's promises is noted in the session and counted, never fatal:
//   a batch of an unknown channel    dropped, noted
//   ordinals that jump               gap rows that say what is known of the missing ones (KnownRows), and one "damaged"
//                                    without a number for others: some may have told of losses themselves (a gap row
//                                    "lagged" or "not kept" explains its jump)
//   ordinals seen before             that part is dropped; noted unless the stream was reconnected
//   ticks that go back               dropped; a gap row "damaged" with their number stands where they should be
// After a reconnect to the same agent the stream's history is recognised by its ordinals. A new agent (another capture_id)
// numbers anew: its sources, channels and threads are matched with those of the same name that are there, and lanes go on.
// One of another boot (boot_id) has another clock: what it sends is left out, and a note says so.
// Owner: the session's thread.
#pragma once

#include "proto/capture/damage.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace sla::capture {
class CaptureIndex;
}

namespace sla::ingest {

struct FrameItem;

class FrameApplier {
public:
    explicit FrameApplier(store::Session& session);
    FrameApplier(FrameApplier&&) noexcept;
    ~FrameApplier();

    void apply(const FrameItem& item);
    void apply(std::string_view serialized_frame);
    // Another connection begins; its Hello says whether it is the same agent.
    void begin_stream();

    // The stream's channel has so many rows already, which came another way. Once it was announced.
    void go_on_from(std::uint32_t channel, std::uint64_t next_ordinal);

    // Where something is damaged, what is known of rows that may not come, before they are missed: by the capture's index, and
    // by the summary of a damaged chunk. What is missing at a channel's begin, and what has not come when end_expected() is
    // called, are gap rows too. Names and clocks that the index has are taken: they may stand in what is damaged.
    void expect(std::shared_ptr<const capture::CaptureIndex> index);
    void expect(const capture::LostRows& rows);
    void end_expected();
    // Rows of the stream's channel that are missing behind all that came, 0: nobody knows how many; a gap row "damaged".
    void lose_end(const capture::LostRows& lost);

    // Called with every lane that has grown.
    void on_growth(std::function<void(store::Lane&)> notify);
    [[nodiscard]] store::Session& session();
    // Events that reached us and could not be kept.
    [[nodiscard]] std::uint64_t dropped_events() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sla::ingest
