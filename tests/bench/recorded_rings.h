// Programs' rings filled with patterns as fast as memory takes it, for whoever measures what reads them: no marker runs, so
// what a reader costs does not depend on what the marking core does beside it.
#pragma once

#include "tests/support/test_segment.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

namespace sla::bench {

enum class Pattern { kRegular, kJittered, kBursts, kLogNormal, kSpans, kDoubles, kTexts, kPorts, kExits };

inline constexpr Pattern kPatterns[] = {Pattern::kRegular,   Pattern::kJittered, Pattern::kBursts,
                                        Pattern::kLogNormal, Pattern::kSpans,    Pattern::kDoubles,
                                        Pattern::kTexts,     Pattern::kPorts,    Pattern::kExits};
// "regular", "jittered", "bursts", "pauses", "spans", "doubles", "texts"; of an emulated PC whose guest is busy with a chip,
// "ports", numbers with details, and "exits", spans whose begins alone have details, so that they stand in two rings.
std::string_view name_of(Pattern pattern);

// `channels` by `threads` rings in one segment, marked by turns. One owner, one thread.
class RecordedRings {
public:
    RecordedRings(Pattern pattern, std::uint32_t channels, std::uint32_t threads, std::uint64_t events_at_once);

    // As many markers as were promised, the first not before `tick`. Gives the tick of the last one: nothing is to be read
    // before that is past.
    std::uint64_t publish(std::uint64_t tick);
    // All that the newest publish() put into the rings, in pieces: memcpy of it is the bar for whoever reads it.
    void copy_out(std::vector<char>& to) const;

    [[nodiscard]] support::TestSegment& segment() { return segment_; }
    [[nodiscard]] std::uint64_t events() const { return events_; }
    [[nodiscard]] std::size_t ring_bytes() const;

private:
    struct Ring {
        sla_ring_header* header;
        unsigned char* slots;
        std::size_t slot_bytes;
        std::uint64_t published = 0;  // head before the newest publish()
        std::uint64_t marked = 0;
    };
    void add_ring(std::uint32_t channel, std::uint32_t thread, sla_width width, std::uint32_t capacity);
    std::uint64_t distance();
    void put(Ring& ring);
    void put_wide(Ring& ring, void* slot);

    Pattern pattern_;
    std::uint64_t events_;
    std::uint64_t turn_;  // how many markers of one ring before the next one's turn
    support::TestSegment segment_;
    std::vector<Ring> rings_;
    std::mt19937_64 random_{1};
    std::lognormal_distribution<double> pauses_{6.0, 1.2};  // median 400 ticks, mean 830
    std::uint64_t tick_ = 0;
    std::uint64_t made_ = 0;
};

}  // namespace sla::bench
