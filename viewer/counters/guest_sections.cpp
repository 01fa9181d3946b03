#include "viewer/counters/guest_sections.h"

#include "viewer/counters/counts_file.h"

namespace sla::counters {

namespace {

std::string channels_of(const std::string& section) {
    const std::string empty = empty_beside(section);
    return empty.empty() ? section : section + "," + empty;
}

}  // namespace

Result<SectionTable> ask_guest_section(GuestControl& guest, const std::string& section, std::span<const Event> events) {
    if (section.find_first_of(" \t\n") != std::string::npos)
        return invalid_input("'" + section + "' is no channel: names have no blanks");
    std::string numbers;
    for (const Event& event : events) {
        if (event.world != World::kPentium) continue;
        numbers += (numbers.empty() ? "" : ",") + common::select_text(static_cast<std::uint8_t>(event.select));
    }
    if (numbers.empty())
        return invalid_input("a guest's sections count events of the emulated Pentium: choose some of those");
    const auto json = guest.ask("section " + channels_of(section) + " " + numbers);
    if (!json.ok()) return json.error();
    SectionTable table;
    if (auto added = add_counts(*json, events, table); !added.ok()) return added.error();
    return table;
}

void forget_guest_section(GuestControl& guest, const std::string& section) {
    (void)guest.ask("section none " + channels_of(section));
}

}  // namespace sla::counters
