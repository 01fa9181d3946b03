// The UTC days that an archive's parts are sorted by.
#pragma once

#include "proto/time/clock_map.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::archive {

// Nothing: the wall clock is not known.
std::optional<std::int64_t> utc_ns(const time::ClockMap& clock, std::uint64_t tick);
// "2026-11-25"; of a day that is not known as engines call that.
std::string date_of(const std::optional<std::int64_t>& utc);
// The first tick of the next UTC day; kNever: it is not known.
std::uint64_t next_day(const time::ClockMap& clock, std::uint64_t tick);

}  // namespace sla::archive
