#include "emu/device/debug_port.h"

namespace sla::device {

std::uint32_t DebugPort::read_port(std::uint16_t, bus::Width) {
    return 0xE9;
}

void DebugPort::write_port(std::uint16_t, bus::Width, std::uint32_t value) {
    if (receiver_) receiver_(static_cast<char>(value));
}

}  // namespace sla::device
