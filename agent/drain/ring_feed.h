// One ring, drained into one run: slots become events, missing ones become gap rows in the right place, and the feed knows
// how far back in time an event of this ring may still turn up.
//
//   bound():  no event of this ring that is still to come has a tick at or below it
//             nobody inside a marker when last looked    →  that moment, less a little for the store buffer
//             more in the ring, or somebody inside       →  the newest event seen, or the last quiet moment; but a marker
//                                                           is not waited for longer than kTimeoutTicks (a stopped
//                                                           program), nor a ring for longer than it takes to read all of it
//                                                           once
//
// One owner thread. Hot loop: take_extent, straight out of the ring into columns (tests/bench/drain_bench).
#pragma once

#include "agent/drain/loss_ledger.h"
#include "agent/drain/ring_growth.h"
#include "agent/drain/run.h"
#include "agent/drain/step_clock.h"
#include "agent/drain/step_share.h"
#include "proto/base/result.h"
#include "proto/ring/ring_reader.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace sla::drain {

// How long a store may wait in another core's store buffer before we see it, generously: 20 µs at 3 GHz.
inline constexpr std::uint64_t kStoreBufferTicks = 60'000;

// A program stopped in the middle of a marker holds the watermark this long, 100 ms at 3 GHz; its event is then late.
inline constexpr std::uint64_t kTimeoutTicks = 300'000'000;

class RingFeed {
public:
    // `chunk` is where slots are copied to that cannot be taken as they are: up to half a megabyte, so feeds that are drained
    // one after the other share one.
    RingFeed(ring::RingReader reader, std::shared_ptr<ring::RingChunk> chunk)
        : reader_(std::move(reader)), chunk_(std::move(chunk)) {}
    explicit RingFeed(ring::RingReader reader) : RingFeed(std::move(reader), std::make_shared<ring::RingChunk>()) {}

    [[nodiscard]] ring::RingReader& reader() { return reader_; }
    [[nodiscard]] const ring::RingReader& reader() const { return reader_; }

    // Takes what is published and stamped at or before `until`, at most `most` slots. Events at or below `closed` come too
    // late, those beyond the present are damage: they are counted, and a gap row says so. Gives how many slots were read.
    Result<std::size_t> drain(const StepClock& clock, std::uint64_t closed, Run& run, LossLedger& ledger,
                              std::size_t most = kPieceSlots, std::uint64_t until = SLA_TICK_MASK);

    [[nodiscard]] std::uint64_t bound() const { return bound_; }
    // The tick of the newest event taken.
    [[nodiscard]] std::uint64_t newest() const { return newest_; }
    // More is there to be read, up to where it was to be: come back without sleeping.
    [[nodiscard]] bool has_more() const { return !drained_; }
    // Which part of the ring was full when it was last drained, 0..1.
    [[nodiscard]] double fullness() const { return fullness_; }
    // The ring is too small for what comes: true once, when the program is to be notified that we asked for a bigger one.
    bool ask_for_space(std::uint64_t now, std::size_t taken);

private:
    // What one drain() goes by, and where it puts things.
    struct Pass {
        const StepClock& clock;
        std::uint64_t closed;
        Run& run;
        LossLedger& ledger;
        std::size_t most;
    };
    struct Decoded {
        std::size_t kept = 0;
        std::uint64_t late = 0;
        std::uint64_t damaged = 0;
        std::uint64_t damage_row = 0;    // its gap row, when there is any
        std::uint64_t damage_until = 0;  // the event behind it; 0: none yet
        bool in_order = true;
    };
    std::uint64_t decode_extent(const ring::ContiguousSlots& extent, std::uint64_t not_before, Run& run) const;
    Result<bool> take_extent(const Pass& pass);
    Result<void> take_copy(const Pass& pass);
    Decoded decode_each(const Pass& pass);
    void decode_one(const std::uint64_t* slot, const Pass& pass, Decoded& decoded);
    // What was lost in [tick, until_tick]; tick 0: since the newest event taken; until_tick 0: nobody knows.
    struct Loss {
        wire::LossCause cause{};
        std::uint64_t count = 0;
        std::uint64_t tick = 0;
        std::uint64_t until_tick = 0;
    };
    [[nodiscard]] std::uint64_t since_when(std::uint64_t until) const;
    std::uint64_t open_gap(const Pass& pass, std::uint64_t until);
    void add_gap(const Loss& loss, const Pass& pass);
    [[nodiscard]] std::uint64_t tick_of_slot(std::size_t number, const StepClock& clock) const;
    void set_bound(const StepClock& clock, bool inside);
    static std::uint64_t end_of_losses(const ring::RingReader::Dropped& dropped, std::uint64_t total,
                                       const StepClock& clock);
    void account_unreported_losses(const Pass& pass);
    void add_reported_losses(std::size_t number, const Pass& pass);

    ring::RingReader reader_;
    std::shared_ptr<ring::RingChunk> chunk_;  // of this drain(), or of another feed
    std::size_t taken_ = 0;                   // by the last drain()
    bool drained_ = false;                    // everything that it was to take was out after it
    std::uint64_t newest_ = 0;                // tick of the newest event taken
    std::uint64_t lost_until_ = 0;            // end of the newest losses that were accounted for before their gap slot came
    std::uint64_t bound_ = 0;
    std::uint64_t round_bound_ = 0;  // holds once round_left_ more slots are out
    std::uint64_t round_left_ = 0;
    double fullness_ = 0;
    RingGrowth growth_;
};

}  // namespace sla::drain
