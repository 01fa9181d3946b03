#include "emu/device/system_control.h"

namespace sla::device {

namespace {

constexpr std::uint8_t kGate2 = 0x01;
constexpr std::uint8_t kWritable = 0x0F;
constexpr std::uint8_t kRefresh = 0x10;
constexpr std::uint8_t kOut2 = 0x20;
constexpr std::uint8_t kReset = 0x01;
constexpr std::uint8_t kA20 = 0x02;
constexpr unsigned kCounter2 = 2;

}  // namespace

std::uint32_t SystemControl::read_port(std::uint16_t port, bus::Width) {
    if (port == kPortA) return port_a_;
    refresh_toggle_ = !refresh_toggle_;
    return static_cast<std::uint8_t>(port_b_ | (refresh_toggle_ ? kRefresh : 0) | (pit_.output(kCounter2) ? kOut2 : 0));
}

void SystemControl::write_port(std::uint16_t port, bus::Width, std::uint32_t value) {
    if (port == kPortA) {
        const bool resets = (value & kReset) != 0 && (port_a_ & kReset) == 0;
        port_a_ = static_cast<std::uint8_t>(value & (kA20 | kReset));
        a20_((value & kA20) != 0);
        if (resets) reset_();
        return;
    }
    port_b_ = static_cast<std::uint8_t>(value & kWritable);
    pit_.set_gate(kCounter2, (value & kGate2) != 0);
}

}  // namespace sla::device
