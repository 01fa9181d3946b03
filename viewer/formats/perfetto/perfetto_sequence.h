// What a sequence of a Perfetto trace's packets has said so far, which those behind need not say again.
#pragma once

#include "viewer/formats/perfetto/perfetto.pb.h"
#include "viewer/formats/perfetto/perfetto_clocks.h"
#include "viewer/formats/perfetto/perfetto_counters.h"

#include <cstdint>
#include <map>
#include <string>

namespace sla::formats {

struct PerfettoSequence {
    static constexpr std::uint32_t kStateCleared = 1;  // of a packet's flags: SEQ_INCREMENTAL_STATE_CLEARED
    static constexpr std::uint32_t kNeedsState = 2;    // SEQ_NEEDS_INCREMENTAL_STATE

    std::map<std::uint64_t, std::string> names;
    std::uint64_t track = 0;  // of events that name none
    std::uint32_t clock = 0;  // of packets that name none
    PerfettoClocks clocks;
    PerfettoCounters counters;
    std::uint64_t losses = 0;  // for which no row stands yet
    bool lacks_state = false;  // more was said than has come

    void learn(const sla::perfetto::TracePacket& packet) {
        if ((packet.sequence_flags() & kStateCleared) != 0) {
            names.clear();
            counters.clear();
            lacks_state = false;
        }
        for (const auto& name : packet.interned_data().event_names()) names[name.iid()] = name.name();
        if (!packet.has_trace_packet_defaults()) return;
        track = packet.trace_packet_defaults().track_event_defaults().track_uuid();
        clock = packet.trace_packet_defaults().timestamp_clock_id();
    }
    // Packets were dropped here.
    void lose() {
        const std::uint64_t more = losses + 1;
        *this = PerfettoSequence();
        losses = more;
    }
    [[nodiscard]] bool can_read(const sla::perfetto::TracePacket& packet) const {
        return !lacks_state || (packet.sequence_flags() & kNeedsState) == 0;
    }
    [[nodiscard]] std::string name_of(const sla::perfetto::TrackEvent& event) const {
        if (!event.name().empty() || event.name_iid() == 0) return event.name();
        const auto name = names.find(event.name_iid());
        return name == names.end() ? std::string() : name->second;
    }
};

}  // namespace sla::formats
