// A run that is made again: up to a place that it had come by, noting what it passes. Nothing else stops it, and nobody attends.
//
// A moment is the guest's clock, in ns, when an instruction begins; no two begin at one. There the guest stands in one of two
// ways, which differ in what the machine monitor has done already: in the processor, before the instruction, or between two of
// its runs, where a halted guest stands as well.
//
// Owned by the machine's thread. A CPU asks it through StopPoints.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace sla::cpu {

using Moment = std::int64_t;

struct RunPlace {
    Moment moment = 0;
    bool between = false;  // two runs of the processor

    friend bool operator==(const RunPlace&, const RunPlace&) = default;
};

class Repeat {
public:
    struct Wanted {
        RunPlace until;
        Moment seen_until = 0;   // what was seen may be noted up to here, if that is later
        std::size_t last = 0;    // places kept, of the last so many instructions
        bool every_one = false;  // of them, also where the CPU runs whole blocks of code; else their beginnings do
        bool at_points = false;  // stop points that were passed are noted
    };

    explicit Repeat(const Wanted& wanted) : wanted_(wanted) {}

    [[nodiscard]] const Wanted& wanted() const { return wanted_; }
    // An instruction is the next one. True: the guest stands there.
    bool arrives(Moment now, bool at_point) {
        note_if_due({now, false});
        if (now >= wanted_.until.moment) {
            arrived_ = RunPlace{now, false};
            return true;
        }
        if (at_point) noted_ = RunPlace{now, false};
        present_ = now;
        keep(now);
        return false;
    }
    // A block of code begins. One of which nothing else is wanted arrives as one instruction does.
    void enters_block(Moment now) {
        begun_ = true;
        if (now < wanted_.until.moment) block_ = now;
    }
    // Nothing ran yet: the rest of a block, in which it begins, is one for it.
    [[nodiscard]] bool begun() const { return begun_; }
    // Between two runs of the processor. True: the guest stands there.
    bool stands(Moment now, bool halted) {
        note_if_due({now, true});
        if (now < wanted_.until.moment || (!wanted_.until.between && !halted)) return false;
        arrived_ = RunPlace{now, true};
        return true;
    }
    // Something was seen: the next place where the guest could stand is noted.
    void note_next() { note_due_ = true; }
    // The present instruction's accesses met a watch: its place is.
    void note_present() { noted_ = RunPlace{present_, false}; }

    [[nodiscard]] const std::optional<RunPlace>& arrived() const { return arrived_; }
    [[nodiscard]] const std::optional<RunPlace>& noted() const { return noted_; }  // the last one
    // When the last block before the end began, on a CPU that runs blocks.
    [[nodiscard]] const std::optional<Moment>& last_block() const { return block_; }
    [[nodiscard]] std::size_t kept() const { return kept_.size(); }
    // The oldest that is kept: of the last `wanted.last`.
    [[nodiscard]] RunPlace oldest_kept() const { return {kept_[kept_.size() < wanted_.last ? 0 : next_], false}; }

private:
    void note_if_due(const RunPlace& place) {
        if (!std::exchange(note_due_, false)) return;
        if (place.moment < std::max(wanted_.until.moment, wanted_.seen_until)) noted_ = place;
    }
    void keep(Moment now) {
        if (wanted_.last == 0) return;
        if (kept_.size() < wanted_.last) {
            kept_.push_back(now);
            return;
        }
        kept_[next_] = now;
        next_ = (next_ + 1) % wanted_.last;
    }

    Wanted wanted_;
    std::optional<RunPlace> arrived_;
    std::optional<RunPlace> noted_;
    bool note_due_ = false;
    bool begun_ = false;
    std::optional<Moment> block_;
    Moment present_ = 0;
    std::vector<Moment> kept_;  // a ring, once it is full
    std::size_t next_ = 0;      // of it
};

}  // namespace sla::cpu
