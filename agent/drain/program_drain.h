// Drains one program: finds its new channels and rings, empties every ring, gives rings of ended threads back.
//
// Owned by the draining thread. Who the channels and threads are is decided by the caller's Resolver.
#pragma once

#include "agent/drain/channel.h"
#include "agent/drain/resolver.h"
#include "agent/drain/ring_feed.h"
#include "agent/drain/ring_search.h"
#include "agent/source/program.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::drain {

class ProgramDrain {
public:
    // The resolver must outlive this.
    ProgramDrain(std::shared_ptr<source::Program> program, Resolver& resolver);
    ProgramDrain(const ProgramDrain&) = delete;  // its parts know one another
    ProgramDrain& operator=(const ProgramDrain&) = delete;

    struct Step {
        std::size_t taken = 0;        // slots
        std::uint64_t looked_at = 0;  // bytes of rings, at most: so much more of them may be mapped now
        std::uint64_t bound = 0;      // nothing at or below it is still to come from this program; `now` when it has no ring
        bool more = false;            // there is more to read: come back at once
        bool is_left = false;         // of rings that are ahead, or whose program has ended, something is left
        double fullness = 0;          // of the fullest ring, 0..1
        std::size_t rings = 0;        // that were looked at
        std::size_t busy_rings = 0;   // in which something was
        std::size_t left_rings = 0;   // of these, in which it was left for a later step, for it is little
        bool finished = false;        // the program has ended and everything it wrote is out
    };
    Step step(const StepClock& machine_clock, const StepShare& share = StepShare());
    // Lets go of its rings: somebody else reads them from here on, or nobody.
    void close();
    // Puts into the ledgers what filters turned away; now and then done by step() too.
    void account_filtered();

    [[nodiscard]] const source::Program& program() const { return *program_; }
    // What the program said of its channel when it was first asked; a program that writes over it later changes nothing.
    const ring::ChannelDescription& description(std::uint32_t index);
    [[nodiscard]] std::size_t ring_count() const { return feeds_.size(); }
    // Of a program that stamps with a time of its own: everything up to this tick of it has been read.
    [[nodiscard]] std::uint64_t own_known() const { return own_known_; }
    // What this takes in memory, about; the channels' runs count with them.
    [[nodiscard]] std::uint64_t bytes() const;

private:
    struct Feed {
        RingFeed ring;
        std::uint32_t number;
        std::shared_ptr<Run> run;
        DrainedChannel* channel = nullptr;
        bool is_new = true;
        std::size_t to_catch_up = 0;  // slots that it may have held when it was new to us, still to be read
    };
    DrainedChannel& channel_at(std::uint32_t index);
    Result<void> take(Feed& feed, const StepClock& clock, Step& step);
    void start_feed(RingSearch::Found found);
    bool drain_feed(Feed& feed, const StepClock& clock, bool ended, Step& step);
    void drain_feeds(const StepClock& clock, bool ended, Step& step);
    // A ring as it was left. They lie side by side: of one without news, or of which little is left where it is, nothing else
    // is looked at but its header.
    struct Look {
        ring::QuietRing ring;
        std::uint32_t capacity = 0;  // 0: whatever is in it is taken at once
        std::uint32_t left = 0;      // slots that the last look left where they are
    };
    bool leave(Look& look, Step& step) const;
    struct Gap {
        wire::LossCause cause{};
        std::uint64_t events = 0;
        std::uint64_t from_tick = 0;  // 0: not known, as the next
        std::uint64_t until_tick = 0;
    };
    static void add_gap(DrainedChannel& channel, const Gap& gap, const StepClock& clock);
    static void add_lost_without_ring(DrainedChannel& channel, const ring::SegmentView::NoRingLoss& loss,
                                      const StepClock& clock);
    void account_lost_without_ring(const StepClock& clock);
    void account_lost_without_channel(const StepClock& clock);
    void report_absence(const StepClock& clock);
    void limit_own_clock(bool finished);
    void limit_catching_up();

    std::shared_ptr<source::Program> program_;
    Resolver& resolver_;
    DamageCount damage_;
    RingSearch search_;
    std::shared_ptr<ring::RingChunk> chunk_ = std::make_shared<ring::RingChunk>();  // of all feeds
    std::vector<std::unique_ptr<Feed>> feeds_;
    std::vector<Look> looks_;  // at each
    std::uint32_t steps_;      // programs do not all do in the same step what is done now and then
    StepShare share_;          // of this step
    bool is_new_ = true;
    bool catches_up_ = false;  // some feed has slots to catch up
    bool has_too_many_channels_ = false;
    bool has_unregistered_ = false;
    bool rings_wanted_ = false;  // some ring asked for a bigger one in this step, or took one that the program had in stock
    std::uint64_t seen_lost_without_ring_ = 0;
    std::vector<std::unique_ptr<ring::ChannelDescription>> descriptions_;  // by index in the segment, from 1; as first read
    std::vector<DrainedChannel*> catching_up_;                             // that have a catch_up_limit
    std::vector<DrainedChannel*> channels_;                                // the same; nullptr: not resolved yet
    bool own_clock_;                                                       // the program stamps with a time of its own
    std::uint64_t own_newest_ = 0;                                         // the newest event seen by the step before
    std::uint64_t own_newest_of_gone_ = 0;                                 // of rings that are done with
    std::uint64_t own_known_ = 0;
};

}  // namespace sla::drain
