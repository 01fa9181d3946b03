// Which instruction of a block of real-mode code makes a port access? The library does not say; the code usually does.
#pragma once

#include "emu/bus/port_device.h"

#include <cstdint>
#include <optional>
#include <span>

namespace sla::cpu {

struct PortAccess {
    std::uint16_t port = 0;
    bus::Width width = bus::Width::kByte;
    bool out = false;
    std::uint16_t dx = 0;
};

// Offset of the one instruction in `block` that can have made the access. Nothing when several could have, or when the bytes
// leave doubt: an address is exact or not given.
std::optional<std::size_t> find_port_instruction(std::span<const std::uint8_t> block, const PortAccess& access);

}  // namespace sla::cpu
