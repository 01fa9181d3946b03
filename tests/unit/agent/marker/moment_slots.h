// Recording moments, and what stands in the rings behind it.
#pragma once

#include <sla/moment.h>

#include <cstdint>
#include <vector>

extern "C" {
#include "agent/marker/internal.h"
}

namespace sla {

inline const sla_writer* writer_of(sla_channel* channel, sla_width width) {
    return sla_writer_of(channel, width, 0);
}

inline sla_slot_wide wide_at(sla_channel* channel, std::uint64_t position) {
    const sla_writer* writer = writer_of(channel, SLA_WIDTH_WIDE);
    return reinterpret_cast<const sla_slot_wide*>(writer->slots)[position & writer->mask];
}

inline sla_slot_plain plain_at(sla_channel* channel, std::uint64_t position) {
    const sla_writer* writer = writer_of(channel, SLA_WIDTH_PLAIN);
    return reinterpret_cast<const sla_slot_plain*>(writer->slots)[position & writer->mask];
}

inline std::uint64_t tick_of(std::uint64_t stamp) {
    return stamp & SLA_TICK_MASK;
}

inline void record(const std::vector<sla_event>& events, std::uint64_t tick = 0) {
    sla_record_moment(events.data(), events.size(), tick);
}

}  // namespace sla
