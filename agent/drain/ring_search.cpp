#include "agent/drain/ring_search.h"

#include <string>
#include <utility>

namespace sla::drain {
namespace {

constexpr std::uint32_t kNewAtOnce = 1024;       // looked at in one step, that others have their turn
constexpr std::size_t kWaitingAtOnce = 8192;     // likewise
constexpr std::uint32_t kMaxUnusedRings = 4096;  // counted, but never claimed: a few are prepared for nobody

}  // namespace

// A ring goes LIVE before its first event is stamped: what a round does not find LIVE holds nothing older than the round's
// beginning. Rings in stock wait for long, so a round looks at those that wait only if there is something to find.
std::vector<RingSearch::Found> RingSearch::look(bool all, bool ended, std::uint64_t bound) {
    const std::uint32_t count = view_.ring_count();
    if (count < known_) damage_.note("it says that it has fewer rings than before");
    if (!round_.is_open) {
        round_ = {true, waiting_.size(), view_.rings_opened(), bound, ended};
        const bool says = round_.opened != 0 || !has_opened_;
        if (!all && says && round_.opened == whole_.opened) round_.left = 0;
    }
    std::vector<std::uint32_t> candidates;
    for (; round_.left > 0 && candidates.size() < kWaitingAtOnce; round_.left--) {
        candidates.push_back(waiting_.front());
        waiting_.pop_front();
    }
    for (std::uint32_t left = kNewAtOnce; known_ < count && left > 0; left--) candidates.push_back(known_++);
    std::vector<Found> found;
    for (const std::uint32_t number : candidates) {
        if (damage_.is_beyond_repair()) return found;
        look_at(number, found);
    }
    if (round_.left > 0 || known_ < count) return found;
    round_.is_open = false;
    whole_ = round_;
    return found;
}

// Found, or back among the waiting.
void RingSearch::look_at(std::uint32_t number, std::vector<Found>& found) {
    if (readers_.size() <= number) readers_.resize(number + 1);
    if (!readers_[number]) {
        readers_[number] = std::make_unique<ring::RingReader>(view_, number);
        if (readers_[number]->was_never_used() && ++unused_ > kMaxUnusedRings)
            damage_.note("it counts thousands of rings that it does not have");
    }
    const Result<bool> open = readers_[number]->open();
    if (!open) return damage_.note("ring " + std::to_string(number) + " is left alone: " + open.error().message);
    if (!*open) return waiting_.push_back(number);
    has_opened_ = true;
    found.push_back({number, std::move(*readers_[number])});
}

void RingSearch::put_back(std::uint32_t number, ring::RingReader reader) {
    *readers_[number] = std::move(reader);
    waiting_.push_back(number);
}

std::uint64_t RingSearch::bytes() const {
    constexpr std::uint64_t kAllocated = 16;  // what each allocation costs beside
    return readers_.capacity() * sizeof(readers_[0]) +
           known_ * (sizeof(ring::RingReader) + kAllocated + sizeof(waiting_[0]));
}

}  // namespace sla::drain
