// Reads what `sla-emu run --counts F` wrote (emu/vmm/section_counts.h), and puts it into a table.
#pragma once

#include "viewer/counters/section_table.h"

#include <span>
#include <string>
#include <string_view>

namespace sla::counters {

// Those of the events that are the Pentium's.
Result<void> add_counts(std::string_view json, std::span<const Event> events, SectionTable& table);

}  // namespace sla::counters
