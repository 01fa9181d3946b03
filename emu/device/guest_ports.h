// Ports of one register each by which a guest talks to the people outside.
#pragma once

#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"

#include <functional>
#include <optional>
#include <utility>

namespace sla::device {

// Port 80h, where firmware shows how far it came: what was written last can be read back. Takes all widths.
class PostPort final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kPort = 0x80;

    [[nodiscard]] std::uint32_t code() const { return code_; }

    [[nodiscard]] std::string_view name() const override { return "post"; }
    [[nodiscard]] bus::Width widest() const override { return bus::Width::kDword; }
    [[nodiscard]] bool is_latch(std::uint16_t, bus::Access) const override { return true; }
    std::uint32_t read_port(std::uint16_t, bus::Width) override { return code_; }
    void write_port(std::uint16_t, bus::Width, std::uint32_t value) override { code_ = value; }

    void visit_state(bus::StateVisitor& state) { state.field("post", code_); }

private:
    std::uint32_t code_ = 0;
};

// Ports 402h and E9h: every byte written is text for the people outside. A read of 402h gives E9h and shows the guest
// that the port is there.
class DebugPort final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kPort = 0x402;
    static constexpr std::uint16_t kBochsPort = 0xE9;

    // Gets every byte as it comes; must not block for long, the guest waits.
    void on_byte(std::function<void(char)> receiver) { receiver_ = std::move(receiver); }

    [[nodiscard]] std::string_view name() const override { return "debug"; }
    std::uint32_t read_port(std::uint16_t, bus::Width) override { return 0xE9; }
    void write_port(std::uint16_t, bus::Width, std::uint32_t value) override {
        if (receiver_) receiver_(static_cast<char>(value));
    }

private:
    std::function<void(char)> receiver_;
};

// Port F4h: a byte written here ends the run, and is its exit code. The first one counts.
class ExitPort final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kPort = 0xF4;

    [[nodiscard]] std::optional<std::uint8_t> exit_code() const { return exit_code_; }

    [[nodiscard]] std::string_view name() const override { return "exit"; }
    std::uint32_t read_port(std::uint16_t, bus::Width) override { return 0; }
    void write_port(std::uint16_t, bus::Width, std::uint32_t value) override {
        if (!exit_code_) exit_code_ = static_cast<std::uint8_t>(value);
    }

    void visit_state(bus::StateVisitor& state) { state.field("exit_code", exit_code_); }

private:
    std::optional<std::uint8_t> exit_code_;
};

}  // namespace sla::device
