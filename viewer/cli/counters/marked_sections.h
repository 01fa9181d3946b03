// Sections of marked programs: spans that SLA_COUNT_BEGIN and SLA_COUNT_END (<sla/count.h>) put on their channels, with two
// counters at both ends.
#pragma once

#include "viewer/counters/section_table.h"

#include <span>
#include <string>
#include <vector>

namespace sla::cli {

// What SLA_COUNTERS has to say so that these are read, one or two.
std::string marker_counters(std::span<const counters::Event> pair);
// Of the recorded program, by the same two events; `channels` are patterns. A span that has no counters at an end, or lost
// one, is not counted, and the section says how many.
Result<void> add_marked_sections(const std::string& capture, const std::vector<std::string>& channels,
                                 std::span<const counters::Event> pair, counters::SectionTable& table);

}  // namespace sla::cli
