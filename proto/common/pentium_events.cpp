#include "proto/common/pentium_events.h"

#include "proto/base/text.h"

#include <algorithm>
#include <array>

namespace sla::common {

namespace {

constexpr Offer kExact = Offer::kExact;
constexpr Offer kModelled = Offer::kModelled;
constexpr Offer kNot = Offer::kNotOffered;

constexpr std::array kPentiumEvents{
    PentiumEvent{0x00, "data-read", "data read", kExact},
    PentiumEvent{0x01, "data-write", "data write", kExact},
    PentiumEvent{0x02, "data-tlb-miss", "data TLB miss", kModelled},
    PentiumEvent{0x03, "data-read-miss", "data read miss", kModelled},
    PentiumEvent{0x04, "data-write-miss", "data write miss", kModelled},
    PentiumEvent{0x05, "write-hit-owned", "write hit to M or E line", kModelled},
    PentiumEvent{0x06, "lines-written-back", "data cache lines written back", kModelled},
    PentiumEvent{0x07, "external-snoops", "external snoops", kNot},
    PentiumEvent{0x08, "snoop-hits", "data cache snoop hits", kNot},
    PentiumEvent{0x09, "memory-both-pipes", "memory accesses in both pipes", kModelled},
    PentiumEvent{0x0A, "bank-conflicts", "bank conflicts", kModelled},
    PentiumEvent{0x0B, "misaligned", "misaligned data references", kExact},
    PentiumEvent{0x0C, "code-read", "code read", kExact},
    PentiumEvent{0x0D, "code-tlb-miss", "code TLB miss", kModelled},
    PentiumEvent{0x0E, "code-miss", "code cache miss", kModelled},
    PentiumEvent{0x0F, "segment-loads", "segment register loaded", kExact},
    PentiumEvent{0x10, "descriptor-accesses", "segment descriptor cache accesses", kNot},
    PentiumEvent{0x11, "descriptor-hits", "segment descriptor cache hits", kNot},
    PentiumEvent{0x12, "branches", "branches", kExact},
    PentiumEvent{0x13, "btb-hits", "BTB hits", kModelled},
    PentiumEvent{0x14, "taken-or-btb-hits", "taken branch or BTB hit", kModelled},
    PentiumEvent{0x15, "pipeline-flushes", "pipeline flushes", kModelled},
    PentiumEvent{0x16, "instructions", "instructions executed", kExact},
    PentiumEvent{0x17, "v-pipe", "instructions executed in the V pipe", kModelled},
    PentiumEvent{0x18, "bus-clocks", "clocks while a bus cycle is in progress", kNot},
    PentiumEvent{0x19, "write-buffer-clocks", "clocks stalled by full write buffers", kNot},
    PentiumEvent{0x1A, "read-stall-clocks", "clocks stalled waiting for data reads", kNot},
    PentiumEvent{0x1B, "owned-write-clocks", "clocks stalled by a write to an E or M line", kNot},
    PentiumEvent{0x1C, "locked", "locked bus cycles", kExact},
    PentiumEvent{0x1D, "port-accesses", "I/O read or write cycles", kExact},
    PentiumEvent{0x1E, "noncacheable", "non-cacheable memory references", kModelled},
    PentiumEvent{0x1F, "interlock-clocks", "clocks stalled by address generation interlock", kModelled},
    PentiumEvent{0x20, "unknown-20", "unknown (20h)", kNot},
    PentiumEvent{0x21, "unknown-21", "unknown (21h)", kNot},
    PentiumEvent{0x22, "floating-point", "floating-point operations", kExact},
    PentiumEvent{0x23, "breakpoint-0", "breakpoint match on DR0", kExact},
    PentiumEvent{0x24, "breakpoint-1", "breakpoint match on DR1", kExact},
    PentiumEvent{0x25, "breakpoint-2", "breakpoint match on DR2", kExact},
    PentiumEvent{0x26, "breakpoint-3", "breakpoint match on DR3", kExact},
    PentiumEvent{0x27, "hardware-interrupts", "hardware interrupts", kExact},
    PentiumEvent{0x28, "data-accesses", "data reads or writes", kExact},
    PentiumEvent{0x29, "data-misses", "data read misses or data write misses", kModelled},
};

int number_of(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    if (text.ends_with('h') || text.ends_with('H')) text.remove_suffix(1);
    constexpr int kHexadecimal = 16;
    const auto number = whole_number<std::uint8_t>(text, kHexadecimal);
    return number ? *number : -1;
}

}  // namespace

std::span<const PentiumEvent> pentium_events() {
    return kPentiumEvents;
}

const PentiumEvent* find_pentium_event(std::string_view text) {
    const int number = number_of(text);
    const auto found = std::find_if(kPentiumEvents.begin(), kPentiumEvents.end(),
                                    [&](const PentiumEvent& event) { return event.select == number || event.word == text; });
    return found == kPentiumEvents.end() ? nullptr : &*found;
}

std::string_view offer_word(Offer offer) {
    constexpr std::array<std::string_view, 3> kWords{"exact", "modelled", "not offered"};
    return kWords[static_cast<std::size_t>(offer)];
}

std::string select_text(std::uint8_t select) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    return {kDigits[select >> 4], kDigits[select & 15]};
}

}  // namespace sla::common
