// What an agent's status says of the clock, and nothing of its ledger: it holds for every part of a capture, and errors of times
// between threads are made of it.
#pragma once

#include "proto/wire/capture.pb.h"

#include <optional>

namespace sla::ingest {

// Nothing: the frame is no status, or does not say.
inline std::optional<wire::Frame> clock_status(const wire::Frame& frame) {
    if (!frame.has_status() || !frame.status().has_clock_health()) return std::nullopt;
    const wire::Status& all = frame.status();
    wire::Frame out;
    wire::Status& status = *out.mutable_status();
    status.set_tick(all.tick());
    status.set_ticks_per_second(all.ticks_per_second());
    status.set_clock_error_ppb(all.clock_error_ppb());
    *status.mutable_clock_health() = all.clock_health();
    return out;
}

}  // namespace sla::ingest
