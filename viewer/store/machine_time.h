// Which rows are stamped by the machine's clock. A source that makes up its time (`sla_own_clock`, `sla-emu --clock virtual`) may
// be far ahead of that clock, or far behind: its rows say nothing of how far others are known.
#pragma once

#include "viewer/store/session.h"

#include <cstdint>

namespace sla::store {

// Stamped by a time that its source makes up.
[[nodiscard]] bool has_own_time(const Session& session, const Lane& lane);
// Some source makes up its time.
[[nodiscard]] bool has_own_times(const Session& session);

// First and newest tick of all rows by the machine's clock.
struct MachineRows {
    std::uint64_t first = kNever;  // kNever: there is none
    std::uint64_t last = 0;
};
// Looks at all lanes.
[[nodiscard]] MachineRows rows_by_machine(const Session& session);
// Where a session begins that does not say it and has not the first rows of some channel (rotated, recorded of an agent that ran
// already): with its first row by this clock. 0: nothing is known to be before it.
[[nodiscard]] std::uint64_t late_begin(const Session& session);
// Up to where all is known that this clock stamps: the session's watermark, and where nothing has said one the newest row.
[[nodiscard]] std::uint64_t known_by_machine(const Session& session);

}  // namespace sla::store
