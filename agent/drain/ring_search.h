// Finds the rings of a program as its threads open them. Owned by the draining thread.
#pragma once

#include "agent/drain/resolver.h"
#include "proto/ring/ring_reader.h"
#include "proto/ring/segment_view.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace sla::drain {

class RingSearch {
public:
    struct Found {
        std::uint32_t number;
        ring::RingReader reader;
    };

    // Both must outlive this.
    RingSearch(const ring::SegmentView& view, DamageCount& damage) : view_(view), damage_(damage) {}

    // The rings that are open by now and were not. What was stamped at or before `bound`, before this call, is in rings that it
    // finds; unless `all`, nothing is looked at when the program says that it opened none. One whose description is nonsense
    // is left alone for good.
    std::vector<Found> look(bool all, bool ended, std::uint64_t bound);
    // A ring whose thread has ended: another may take it.
    void put_back(std::uint32_t number, ring::RingReader reader);

    // A round goes on with the next call, or the program has opened rings since the last one began.
    [[nodiscard]] bool has_more() const { return round_.is_open || view_.rings_opened() != whole_.opened; }
    // Nothing at or before it is in rings that are not found yet.
    [[nodiscard]] std::uint64_t bound() const { return whole_.bound; }
    // All rings of a program that has ended were found.
    [[nodiscard]] bool is_finished() const { return !round_.is_open && whole_.saw_end; }
    // What it takes in memory beside itself, about.
    [[nodiscard]] std::uint64_t bytes() const;

private:
    // Looks once at each ring that waits and at every new one, in several steps where there are very many.
    struct Round {
        bool is_open = false;
        std::size_t left = 0;      // of waiting_, from its front
        std::uint64_t opened = 0;  // rings_opened() when it began
        std::uint64_t bound = 0;   // what was stamped at or before is in rings that it finds
        bool saw_end = false;      // began when the program had ended
    };
    void look_at(std::uint32_t number, std::vector<Found>& found);

    const ring::SegmentView& view_;
    DamageCount& damage_;
    std::deque<std::uint32_t> waiting_;                       // free, in stock or being claimed
    Round round_;                                             // this one, or the last
    Round whole_;                                             // the last that came to its end
    std::vector<std::unique_ptr<ring::RingReader>> readers_;  // by number; keep their place when a ring changes hands
    std::uint32_t known_ = 0;
    std::uint32_t unused_ = 0;  // among those, when they were found
    bool has_opened_ = false;   // a ring was LIVE
};

}  // namespace sla::drain
