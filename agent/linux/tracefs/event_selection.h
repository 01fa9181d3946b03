// What `--linux` asks for: groups ("irq"), systems and events ("sched:sched_switch"), each with a filter if wanted.
//
//   irq,softirq,sched:sched_switch if prev_pid==42,kvm
//
// Commas part the items, but not inside quotes or brackets of a filter. A filter is the kernel's own syntax and belongs to
// every event of its item.
#pragma once

#include "proto/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sla::linux {

struct SelectedEvent {
    std::string system;
    std::string name;  // may hold * and ?, as the shell reads them
    std::string filter;
    bool typed = false;  // the user wrote SYSTEM:EVENT: it must exist
};

// Kinds of events by one short word each; `events` as in SelectedEvent, "system:pattern".
struct EventGroup {
    std::string_view name;
    std::string_view what;
    std::vector<std::string_view> events;
};
const std::vector<EventGroup>& event_groups();

Result<std::vector<SelectedEvent>> parse_event_selection(std::string_view text);

}  // namespace sla::linux
