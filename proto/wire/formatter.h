// Readable text made from an event's value and details long after it was stamped. A channel names its formatter.
//
//   ""         no text
//   "x86.port" detail 0 bits 0-15 port, 16-17 width (0 byte, 1 word, 2 dword), 18 direction (1 = out)
//              "out 80h", "in 1f0h.w"
//              detail 1, when not 0, is an address as below
//   "x86.mem"  detail 0 bits 0-31 physical address, 32-33 width (0 byte, 1 word, 2 dword, 3 a block), 34 direction (1 = write)
//              "write fee000b0h.d", "read 8000h"; detail 1 as above
//   "x86.addr" detail 1: bits 0-31 offset, 32-47 selector; "at f000:e05b"
//              0 is no address and gives no text
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sla::wire {

// Appends the text to `out`, after a space when something stands there already; nothing for a formatter it does not know.
void format_details(std::string_view formatter, const std::uint64_t detail[2], std::string& out);

}  // namespace sla::wire
