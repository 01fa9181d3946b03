// StepShare: how much one step takes from the rings, so that what waits in memory, and how long a step is, stay bounded
// however far behind the agent is.
//
//   steps took much      pieces of each ring become smaller, and larger again when they take little: a full piece of thousands
//                        of rings takes seconds, and meanwhile as much again comes. Within a step that has taken much, at
//                        once: the first one that meets thousands of full rings is no exception
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
    static constexpr std::size_t kLeast = 128;  // a ring's turn costs what some tens of slots do
    static constexpr std::size_t kMuch = std::size_t{1} << 20;
    // A thread that is stopped inside a marker holds the watermark for a while (kTimeoutTicks); meanwhile others at 20 M/s
    // together bring as many.
    static constexpr std::size_t kManyWaiting = std::size_t{1} << 21;
    static constexpr std::size_t kAhead = 16;  // rows that wait of one ring

    explicit StepShare(std::size_t piece = kPieceSlots) : piece_(piece) {}

    // Slots of one ring at most.
    [[nodiscard]] std::size_t piece() const {
        if (taken_ > kMuch) return kLeast;
        return are_many_waiting_ ? kPieceSlots : piece_;
    }
    // So many slots more were taken in this step.
    void take(std::size_t slots) { taken_ += slots; }
    // Nothing more is wanted of a ring of which so many rows wait, and of which nothing at or below `bound` is still to come.
    [[nodiscard]] bool is_ahead(std::size_t waiting_rows, std::uint64_t bound) const {
        return are_many_waiting_ && waiting_rows >= kAhead && bound > watermark_;
    }

    // No event that is stamped later than this is wanted any more: the agent ends, and what comes then is for the next one. Of
    // rings of which one went on for another it would have to take all or nothing.
    void end_at(std::uint64_t tick) { until_ = tick; }
    [[nodiscard]] std::uint64_t until() const { return until_; }

    // The step is over. The rows that wait for the watermark after it.
    void end_step(std::size_t waiting, std::uint64_t watermark) {
        const std::size_t taken = std::exchange(taken_, 0);
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
    std::size_t taken_ = 0;  // in this step
    bool are_many_waiting_ = false;
    std::uint64_t watermark_ = 0;
    std::uint64_t until_ = SLA_TICK_MASK;
};

}  // namespace sla::drain
