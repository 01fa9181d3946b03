#include "emu/device/exit_port.h"

namespace sla::device {

std::uint32_t ExitPort::read_port(std::uint16_t, bus::Width) {
    return 0;
}

void ExitPort::write_port(std::uint16_t, bus::Width, std::uint32_t value) {
    if (!exit_code_) exit_code_ = static_cast<std::uint8_t>(value);
}

}  // namespace sla::device
