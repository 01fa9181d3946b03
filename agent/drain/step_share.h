// StepShare: how much one step takes from the rings, so that what waits in memory, and how long a step is, stay bounded
// however far behind the agent is.
//
//   steps took much      pieces of each ring become smaller, and larger again when they take little: a full piece of thousands
//                        of rings takes seconds, and meanwhile as much again comes
//   many rows wait       for the watermark, which some ring holds: of rings that are ahead of it nothing more is read; it waits
//                        there as well, and the one that holds it, which is always read, has its turn the sooner
//
// O(1) a step.
#pragma once

#include <sla/ring_abi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sla::drain {

// So that a piece goes all its way to an encoded batch without leaving the caches, and the program gets space back early.
inline constexpr std::size_t kPieceSlots = 4096;

class StepShare {
public:
    static constexpr std::size_t kLeast = 256;  // a ring's turn costs what some tens of slots do
    static constexpr std::size_t kMuch = std::size_t{1} << 20;
    // A thread that is stopped inside a marker holds the watermark for a while (kTimeoutTicks); meanwhile others at 30 M/s
    // together bring as many.
    static constexpr std::size_t kManyWaiting = std::size_t{1} << 22;
    static constexpr std::size_t kAhead = 64;  // rows that wait of one ring

    explicit StepShare(std::size_t piece = kPieceSlots) : piece_(piece) {}

    // Slots of one ring at most.
    [[nodiscard]] std::size_t piece() const { return are_many_waiting_ ? kPieceSlots : piece_; }
    // Nothing more is wanted of a ring of which so many rows wait, and of which nothing at or below `bound` is still to come.
    [[nodiscard]] bool is_ahead(std::size_t waiting_rows, std::uint64_t bound) const {
        return are_many_waiting_ && waiting_rows >= kAhead && bound > watermark_;
    }

    // No event that is stamped later than this is wanted any more: the agent ends, and what comes then is for the next one. Of
    // rings of which one went on for another it would have to take all or nothing.
    void end_at(std::uint64_t tick) { until_ = tick; }
    [[nodiscard]] std::uint64_t until() const { return until_; }

    // What a step took in all, and the rows that wait for the watermark after it.
    void note(std::size_t taken, std::size_t waiting, std::uint64_t watermark) {
        watermark_ = watermark;
        const bool was_of_all = !std::exchange(are_many_waiting_, waiting > kManyWaiting);
        if (!was_of_all) return;  // what all rings together hold is not known
        if (taken > kMuch) {
            piece_ = std::max(kLeast, piece_ * kMuch / taken);
        } else if (taken < kMuch / 4) {
            piece_ = std::min(kPieceSlots, piece_ * 2);
        }
    }

private:
    std::size_t piece_;
    bool are_many_waiting_ = false;
    std::uint64_t watermark_ = 0;
    std::uint64_t until_ = SLA_TICK_MASK;
};

}  // namespace sla::drain
