// What an emulated PC says of its counters, in a file or at its socket, and events as people type them, symbols and code of
// guests: read or refused, and what is read can be reported as rows.
#include "proto/common/symbols/code_image.h"
#include "proto/common/symbols/symbols.h"
#include "viewer/counters/counts_file.h"
#include "viewer/counters/guest_control.h"
#include "viewer/counters/guest_state.h"

#include "proto/base/check.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sla::counters;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    static const std::vector<Event> kAll = events_of(World::kPentium);
    SectionTable table;
    const auto added = add_counts(text, kAll, table);
    if (added.ok()) {
        for (const Row& row : table.rows()) SLA_CHECK(row.numbers.culled <= row.numbers.n);
    }
    sla::symbol::Symbols symbols;
    if (symbols.add(std::string(text), 0xF0000).ok() && size > 4) (void)symbols.name_of(0xF000, data[0]);
    sla::symbol::CodeImage code;
    const auto elf = sla::symbol::ElfFile::from(std::string(text));
    if (elf.ok() && code.add_elf(*elf, 0xF0000).ok()) (void)code.from(0xF0000).size();
    const auto asked = parse_guest_counts(text);
    if (asked.ok()) SLA_CHECK(asked->size() <= 64);
    const auto state = parse_guest_state(text);
    if (state.ok() && !state->empty()) SLA_CHECK(!state->front().name.empty());
    for (const CodeLine& line : parse_guest_code(text)) SLA_CHECK(line.address.find(':') != std::string::npos);
    const auto events = parse_events(text, World::kHost);
    if (events.ok()) {
        for (const Event& event : *events) SLA_CHECK(parse_events(event.name(), World::kPentium).ok());
    }
    return 0;
}
