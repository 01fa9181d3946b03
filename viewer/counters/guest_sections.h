// What sections of an emulated PC that runs count, at its control socket (the command `section`).
#pragma once

#include "viewer/counters/guest_control.h"
#include "viewer/counters/section_table.h"

#include <span>
#include <string>

namespace sla::counters {

// Spans of that channel (or pattern), and those of the empty section beside it, since they were first asked for. Of the
// Pentium's among these events; there must be some.
Result<SectionTable> ask_guest_section(GuestControl& guest, const std::string& section, std::span<const Event> events);
// The PC counts them no more. Whether it did is not waited for where that is cancelled.
void forget_guest_section(GuestControl& guest, const std::string& section);

}  // namespace sla::counters
