// What the battery-backed memory of a PC/AT says to its firmware (IBM Technical Reference, 1986; the high memory bytes
// are those of later firmware).
#pragma once

#include "emu/device/timer/rtc_mc146818.h"

#include <cstddef>

namespace sla::machine {

void describe_memory(device::RtcMc146818& cmos, std::size_t ram_bytes);
// `type`: 1 to 5, the drive's type in the firmware's numbering.
void describe_floppy(device::RtcMc146818& cmos, unsigned unit, std::uint8_t type);

}  // namespace sla::machine
