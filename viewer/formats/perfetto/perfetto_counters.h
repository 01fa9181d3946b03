// Counters of a Perfetto trace whose values are not what they say alone.
#pragma once

#include "viewer/formats/capture_sink.h"
#include "viewer/formats/perfetto/perfetto.pb.h"

#include <cstdint>
#include <map>

namespace sla::formats {

// Of one sequence: values of an incremental counter are steps from the value before, and any counter's may be so many of a larger
// unit.
class PerfettoCounters {
public:
    // The sequence begins anew: the next value of each is a step from 0.
    void clear() { sums_.clear(); }
    // The value of an event of the counter becomes the counter's own.
    void resolve(std::uint64_t track, const sla::perfetto::CounterDescriptor& counter, SinkEvent& event);

private:
    std::map<std::uint64_t, SinkEvent> sums_;  // by track
};

}  // namespace sla::formats
