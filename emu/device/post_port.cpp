#include "emu/device/post_port.h"

namespace sla::device {

std::uint32_t PostPort::read_port(std::uint16_t, bus::Width) {
    return code_;
}

void PostPort::write_port(std::uint16_t, bus::Width, std::uint32_t value) {
    code_ = value;
}

}  // namespace sla::device
