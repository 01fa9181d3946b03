// Port F4h: a byte written here ends the run, and is its exit code. The first one counts.
#pragma once

#include "emu/bus/port_device.h"

#include <optional>

namespace sla::device {

class ExitPort final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kPort = 0xF4;

    [[nodiscard]] std::optional<std::uint8_t> exit_code() const { return exit_code_; }

    [[nodiscard]] std::string_view name() const override { return "exit"; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

private:
    std::optional<std::uint8_t> exit_code_;
};

}  // namespace sla::device
