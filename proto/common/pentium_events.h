// The events that a Pentium's performance counters can count (CESR's event select), by number and by word, and how well the
// emulated PC knows each. Intel, "Pentium Processor Family Developer's Manual", volume 3.
//
// Both programs that offer them say the same of them: sla-emu, which counts, and sla, which asks for them by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sla::common {

enum class Offer : std::uint8_t {
    kExact,       // counted, on a CPU that sees what counts
    kModelled,    // counted by a model of the chip's caches, TLBs, branch prediction or pipes
    kNotOffered,  // would need a model of buses or write buffers; nothing is counted
};

struct PentiumEvent {
    std::uint8_t select = 0;
    std::string_view word;  // "data-read"
    std::string_view name;  // "data read"
    Offer offer = Offer::kNotOffered;
};

// In order of their select.
std::span<const PentiumEvent> pentium_events();
// By "16", "16h", "0x16" (always hexadecimal, as CESR's tables are) or "instructions"; null: there is none.
const PentiumEvent* find_pentium_event(std::string_view text);
// "exact", "modelled", "not offered".
std::string_view offer_word(Offer offer);
// "16": two hexadecimal digits.
std::string select_text(std::uint8_t select);

}  // namespace sla::common
