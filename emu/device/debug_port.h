// Ports 402h and E9h: every byte written is text for the people outside. A read of 402h gives E9h and tells the guest that
// the port is there.
#pragma once

#include "emu/bus/port_device.h"

#include <functional>
#include <utility>

namespace sla::device {

class DebugPort final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kPort = 0x402;
    static constexpr std::uint16_t kBochsPort = 0xE9;

    // Gets every byte as it comes; must not block for long, the guest waits.
    void on_byte(std::function<void(char)> receiver) { receiver_ = std::move(receiver); }

    [[nodiscard]] std::string_view name() const override { return "debug"; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

private:
    std::function<void(char)> receiver_;
};

}  // namespace sla::device
