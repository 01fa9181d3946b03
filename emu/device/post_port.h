// Port 80h, where firmware shows how far it came: what was written last can be read back. Takes all widths.
#pragma once

#include "emu/bus/port_device.h"

namespace sla::device {

class PostPort final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kPort = 0x80;

    [[nodiscard]] std::uint32_t code() const { return code_; }

    [[nodiscard]] std::string_view name() const override { return "post"; }
    [[nodiscard]] bus::Width widest() const override { return bus::Width::kDword; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

private:
    std::uint32_t code_ = 0;
};

}  // namespace sla::device
