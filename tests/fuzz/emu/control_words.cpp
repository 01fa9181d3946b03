// Numbers, addresses and formats as somebody types them to `sla-emu control`: refused or read, and what is read is in its bounds.
#include "emu/control/numbers.h"

#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sla::control;
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto number = parse_number(text, 0xFFFF); number && *number > 0xFFFF) std::abort();
    if (const auto address = parse_address(text); address && address->selector && text.find(':') == std::string::npos) {
        std::abort();
    }
    if (const auto how = parse_examine(text)) {
        const bool is_text = how->format == 'c' || how->format == 's';
        if (how->count == 0 || how->count > 4096 || (how->bytes != 1 && how->bytes != 2 && how->bytes != 4)) std::abort();
        if (is_text && how->bytes != 1) std::abort();
    }
    if (const auto value = assigned(text, 6, 3); value && *value != 3 && *value != 7 && *value != 2) std::abort();
    return 0;
}
