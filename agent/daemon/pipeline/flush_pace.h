// FlushPace: when open batches are closed, and until when rings with little in them are left alone.
//
//   few batches, or large ones    they are closed 5 ms after the last ones
//   many small ones               later, by how many there are, since each costs some microseconds, here and at every reader:
//                                 20 ms up to half a second. From 50 ms on a ring with a little in it is left (StepShare): what is
//                                 taken out of it would wait in an open batch, and a visit for each few rows costs more than
//                                 the rows
//   the same, without a reader    a second later: nobody waits for them. The first reader that comes finds them closed
//   many rows wait meanwhile      of other rings, for the watermark: once, all rings are taken
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace sla::daemon {

class FlushPace {
public:
    static constexpr double kSeconds = 0.005;             // how old an event may get in an open batch
    static constexpr double kSmallBatches = 0.02;         // where there are many small ones
    static constexpr double kLongest = 0.5;               // likewise
    static constexpr double kBatchesASecond = 50'000;     // of small ones, about: more than these no reader follows
    static constexpr double kUnfollowed = 1;              // likewise, when nobody reads them
    static constexpr double kShortest = 0.05;             // for which rings are left
    static constexpr double kHeartbeat = 0.04;            // how often an idle agent reports its watermark
    static constexpr std::size_t kManyWaiting = 131'072;  // rows: they are hardly out of the second-level cache

    explicit FlushPace(std::uint64_t now) : last_(now) {}

    struct Batches {
        std::size_t open = 0;
        bool are_many_small = false;
        double fullness = 0;  // their rows, as a part of those that may wait in memory
    };
    // Whether they are closed now; ticks of any clock, and its rate.
    [[nodiscard]] bool is_due(std::uint64_t now, double rate, const Batches& batches) {
        if (seconds_since(now, rate) < kSeconds) return false;
        if (!batches.are_many_small || batches.fullness >= 1 || is_over(now)) return true;
        const std::uint64_t due = last_ + ticks_for(batches.open, rate);
        if (now >= due) return true;
        if (is_worth_it(static_cast<double>(due - last_), rate)) until_ = std::max(until_, due);
        return false;
    }
    // They are closed. The next ones are not to be more than may wait in memory.
    void note_closed(std::uint64_t now, double rate, const Batches& batches) {
        if (is_over(now)) until_ = 0;
        if (!batches.are_many_small) return;
        auto ticks = static_cast<double>(ticks_for(batches.open, rate));
        if (batches.fullness > 0) ticks = std::min(ticks, static_cast<double>(now - last_) / batches.fullness);
        if (is_worth_it(ticks, rate)) until_ = now + static_cast<std::uint64_t>(ticks);
    }
    // Nothing was in them: whether readers are told all the same how far they have everything.
    [[nodiscard]] bool is_heartbeat_due(std::uint64_t now, double rate) const {
        return seconds_since(now, rate) >= kHeartbeat;
    }
    void note_published(std::uint64_t now) { last_ = now; }
    [[nodiscard]] std::uint64_t last() const { return last_; }

    // Before a step: whether anybody reads.
    void note_readers(std::uint64_t now, bool are_any) {
        if (are_any && !is_followed_) until_ = std::min(until_, now);
        is_followed_ = are_any;
    }
    // After a step, so many rows wait for the watermark. If none was left in any ring they are of the time since the step began,
    // and leaving nothing would not help them.
    void note_waiting(std::size_t rows, bool is_any_left) {
        if (!is_any_left) rows_of_step_ = rows;
        are_many_waiting_ = rows > rows_of_step_ + kManyWaiting;
    }
    [[nodiscard]] bool leaves_little(std::uint64_t now) const { return now < until_ && !are_many_waiting_; }

private:
    [[nodiscard]] double seconds_since(std::uint64_t now, double rate) const {
        return static_cast<double>(now - last_) / rate;
    }
    // Rows that wait for less are hardly more by then, but in no cache any more.
    static bool is_worth_it(double ticks, double rate) { return ticks >= kShortest * rate; }
    // A time for which rings were left has come to its end.
    [[nodiscard]] bool is_over(std::uint64_t now) const { return until_ != 0 && now >= until_; }
    [[nodiscard]] std::uint64_t ticks_for(std::size_t batches, double rate) const {
        const double for_readers = std::clamp(static_cast<double>(batches) / kBatchesASecond, kSmallBatches, kLongest);
        return static_cast<std::uint64_t>((is_followed_ ? for_readers : kUnfollowed) * rate);
    }

    std::uint64_t last_;       // when readers were told
    std::uint64_t until_ = 0;  // rings are left; 0: they are not
    bool is_followed_ = true;
    bool are_many_waiting_ = false;
    std::size_t rows_of_step_ = 0;
};

}  // namespace sla::daemon
