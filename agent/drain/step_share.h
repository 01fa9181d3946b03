// StepShare: how much one step takes from the rings, so that what waits in memory, and how long a step is, stay bounded
// however far behind the agent is.
//
//   steps took much      pieces of each ring become smaller, and larger again when they take little: a full piece of thousands
//                        of rings takes seconds, and meanwhile as much again comes. Within a step that has taken much, at
//                        once: the first one that meets thousands of full rings is no exception
//   many rows wait       for the watermark, which some ring holds: rings are read up to a little beyond it, and nothing of those
//                        that are further (what they hold waits there as well), so that all of them come on together. A
//                        little: as much time as makes a step worth a look at all rings
//   little is left       of many rings with a little in each: they are looked at, and what is in them is taken later and
//                        together, for a visit costs what a hundred slots do. A ring with much in it is taken all the same
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
    static constexpr std::size_t kLeast = 128;                  // a ring's turn costs what some tens of slots do
    static constexpr std::size_t kMuch = std::size_t{1} << 20;  // less where there is little memory, as of the next
    // A thread that is stopped inside a marker holds the watermark for a while (kTimeoutTicks); meanwhile others at 20 M/s
    // together bring as many.
    static constexpr std::size_t kManyWaiting = std::size_t{1} << 21;
    static constexpr std::size_t kAhead = 16;                    // rows that wait of one ring
    static constexpr std::size_t kMostLeft = 1024;               // slots of a ring
    static constexpr std::size_t kPartLeft = 8;                  // so small a part of it at most: its writer has the rest
    static constexpr std::uint64_t kShortestReach = 3'000'000;   // ticks, 1 ms at 3 GHz
    static constexpr std::uint64_t kLongestReach = 300'000'000;  // of a ring that holds the watermark for so long more waits

    explicit StepShare(std::size_t piece = kPieceSlots) : piece_(piece) {}

    // Of an agent that may keep so many bytes: rows that wait are copies of what is in rings, some 50 bytes each on their way. By
    // the default of 512 MiB they may be a fifth of it; of less memory they take a smaller part, as all else takes a larger.
    void fit_memory(std::uint64_t bytes) {
        constexpr std::uint64_t kFewest = 65'536;
        const double part = std::min(1.0, static_cast<double>(bytes) / kUsualMemory);
        const auto fit = [&](std::size_t usual) {
            return std::max<std::size_t>(kFewest, static_cast<std::size_t>(static_cast<double>(usual) * part * part));
        };
        many_waiting_ = fit(kManyWaiting);
        much_ = fit(kMuch);
    }

    // Slots of one ring at most.
    [[nodiscard]] std::size_t piece() const { return taken_ > much_ ? kLeast : piece_; }
    // So many slots more were taken in this step.
    void take(std::size_t slots) { taken_ += slots; }
    // Many rows wait: nothing is wanted that is stamped later than until().
    [[nodiscard]] bool are_many_waiting() const { return are_many_waiting_; }
    // Nothing more is wanted of a ring of which so many rows wait, and of which nothing at or below `bound` is still to come.
    [[nodiscard]] bool is_ahead(std::size_t waiting_rows, std::uint64_t bound) const {
        return are_many_waiting_ && waiting_rows >= kAhead && bound > horizon();
    }

    // Whether the next steps leave little where it is. It was not there when the last watermark was found, so that is how far
    // they go.
    void leave_little(bool leaves) { leaves_little_ = leaves; }
    [[nodiscard]] bool leaves(std::uint64_t waiting, std::size_t capacity) const {
        return leaves_little_ && waiting <= std::min(kMostLeft, capacity / kPartLeft);
    }
    [[nodiscard]] std::uint64_t watermark() const { return watermark_; }

    // No event that is stamped later than this is wanted any more: the agent ends, and what comes then is for the next one. Of
    // rings of which one went on for another it would have to take all or nothing.
    void end_at(std::uint64_t tick) { end_ = tick; }
    // For a program that stamps with another time than the watermark's.
    void take_any_time() {
        end_ = SLA_TICK_MASK;
        are_many_waiting_ = false;
    }
    [[nodiscard]] std::uint64_t until() const { return are_many_waiting_ ? std::min(end_, horizon()) : end_; }

    // The step is over. The rows that wait for the watermark after it.
    void end_step(std::size_t waiting, std::uint64_t watermark) {
        const std::size_t taken = std::exchange(taken_, 0);
        watermark_ = watermark;
        const bool was_much = taken > much_;
        const bool was_little = taken < much_ / 4;
        if (was_much) piece_ = std::max(kLeast, piece_ * much_ / taken);
        if (was_little) piece_ = std::min(kPieceSlots, piece_ * 2);
        are_many_waiting_ = waiting > many_waiting_;
        const bool is_too_much =
            waiting > kTooMany * many_waiting_;  // what is in rings may be lost there, but it takes no more
        if (!are_many_waiting_ || was_much || is_too_much) {
            reach_ = std::max(kShortestReach, are_many_waiting_ ? reach_ / 2 : 0);
        } else if (was_little) {
            reach_ = std::min(kLongestReach, reach_ * 2);
        }
    }

private:
    static constexpr std::size_t kTooMany = 4;
    static constexpr double kUsualMemory = 512 << 20;
    [[nodiscard]] std::uint64_t horizon() const { return watermark_ + reach_; }

    std::size_t piece_;
    std::size_t many_waiting_ = kManyWaiting;
    std::size_t much_ = kMuch;
    std::size_t taken_ = 0;  // in this step
    bool are_many_waiting_ = false;
    bool leaves_little_ = false;
    std::uint64_t watermark_ = 0;
    std::uint64_t reach_ = kShortestReach;
    std::uint64_t end_ = SLA_TICK_MASK;
};

}  // namespace sla::drain
