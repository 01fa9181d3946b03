// A source inside the agent that feeds runs by itself, as the Linux host does. Stepped by the draining thread, as a
// program's drain is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sla::drain {

class EventSource {
public:
    virtual ~EventSource() = default;

    struct Step {
        std::size_t taken = 0;    // events
        std::uint64_t bound = 0;  // nothing at or below it is still to come from this source
        bool more = false;        // there is: step again at once
        double fullness = 0;      // of what it buffers outside of the agent, 0..1
    };
    // `limit`: nobody else has an event at or below it still to come. Rows up to there and up to the bound that it gives
    // back a source may put where they go at once, past runs and merging, on channels that it alone feeds.
    virtual Step step(std::uint64_t now, std::uint64_t limit) = 0;
    // The agent ends: nothing new from here on; what there is comes with the next step.
    virtual void stop() = 0;
};

}  // namespace sla::drain
