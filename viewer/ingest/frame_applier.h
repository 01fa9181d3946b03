// FrameApplier: turns frames into calls on a Session, trusting nothing.
//
// What breaks the stream's promises is noted in the session and counted, never fatal:
//   a batch of an unknown channel    dropped, noted
//   ordinals that jump               a gap row "damaged" with the number missing (a gap row "lagged" or "not kept" explains
//   its jump) ordinals seen before             that part is dropped; noted unless the stream was reconnected ticks that go
//   back               dropped; a gap row "damaged" with their number stands where they should be
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

    // What a capture's index says of a channel: rows from `first_ordinal` at `first_tick` to before `next_ordinal` at `last_tick`.
    struct Extent {
        std::uint64_t first_ordinal = 0;
        std::uint64_t next_ordinal = 0;
        std::uint64_t first_tick = 0;
        std::uint64_t last_tick = 0;
    };
    // Where something is damaged: rows of the stream's channel that are missing at its begin, and those that have not come when
    // end_expected() is called, are gap rows "damaged" too.
    void expect(std::uint32_t channel, const Extent& extent);
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
