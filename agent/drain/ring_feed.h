// One ring, drained into one run: slots become events, missing ones become gap rows in the right place, and the feed knows
// how far back in time an event of this ring may still turn up.
//
//   bound():  no event of this ring that is still to come has a tick at or below it
//             nobody inside a marker when last looked    →  that moment, less a little for the store buffer
//             somebody inside                            →  the newest event seen, or the last quiet moment; but nobody is
//                                                           waited for longer than kPatienceTicks (a stopped program)
//
// One owner thread. Hot loop: decode_plain, about 1 ns an event beside the copying (tests/bench/drain_bench).
#pragma once

#include "agent/drain/loss_ledger.h"
#include "agent/drain/run.h"
#include "proto/base/result.h"
#include "proto/ring/ring_reader.h"

#include <cstdint>

namespace sla::drain {

// How long a store may wait in another core's store buffer before we see it, generously: 20 µs at 3 GHz.
inline constexpr std::uint64_t kStoreBufferTicks = 60'000;

// A program stopped in the middle of a marker holds the watermark this long, 100 ms at 3 GHz; its event is then late.
inline constexpr std::uint64_t kPatienceTicks = 300'000'000;

class RingFeed {
public:
    explicit RingFeed(ring::RingReader reader) : reader_(std::move(reader)) {}

    [[nodiscard]] ring::RingReader& reader() { return reader_; }
    [[nodiscard]] const ring::RingReader& reader() const { return reader_; }

    // Takes all that is published. `now` was read before this call; events at or below `closed` come too late: they are
    // counted, and a gap row says so. Gives how many slots were read.
    Result<std::size_t> drain(std::uint64_t now, std::uint64_t closed, Run& run, LossLedger& ledger);

    [[nodiscard]] std::uint64_t bound() const { return bound_; }
    // The program is dead: a marker begun will never end.
    void forget_writer(std::uint64_t now) { bound_ = now; }
    // The ring was full enough, when drained, to come back without sleeping.
    [[nodiscard]] bool was_pressed() const { return pressed_; }

private:
    struct Decoded {
        std::size_t kept = 0;
        std::uint64_t late = 0;
        std::uint64_t damaged = 0;
        bool in_order = true;
    };
    Decoded decode_plain(const Run::Columns& to, std::uint64_t closed);
    Decoded decode_each(std::uint64_t closed, Run& run, LossLedger& ledger);
    void decode_one(const std::uint64_t* slot, std::uint64_t closed, Run& run, Decoded& decoded);
    void add_gap(wire::LossCause cause, std::uint64_t count, std::uint64_t tick, std::uint64_t closed, Run& run,
                 LossLedger& ledger);
    void book_untold_losses(std::uint64_t closed, Run& run, LossLedger& ledger);

    ring::RingReader reader_;
    ring::RingChunk chunk_;
    std::uint64_t newest_ = 0;  // tick of the newest event taken
    std::uint64_t bound_ = 0;
    bool pressed_ = false;
};

}  // namespace sla::drain
