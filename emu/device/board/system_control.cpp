#include "emu/device/board/system_control.h"

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
    if (port == kPortA) return (a20_.on() ? kA20 : 0U) | (resetting_ ? kReset : 0U);
    refresh_toggle_ = !refresh_toggle_;
    return static_cast<std::uint8_t>(port_b_ | (refresh_toggle_ ? kRefresh : 0) | (pit_.output(kCounter2) ? kOut2 : 0));
}

void SystemControl::write_port(std::uint16_t port, bus::Width, std::uint32_t value) {
    if (port == kPortA) {
        a20_.set((value & kA20) != 0);
        const bool asked = (value & kReset) != 0;
        if (asked && !std::exchange(resetting_, asked)) reset_();
        resetting_ = asked;
        return;
    }
    port_b_ = static_cast<std::uint8_t>(value & kWritable);
    pit_.set_gate(kCounter2, (value & kGate2) != 0);
}

void SystemControl::reset() {
    end_reset();
    write_port(kPortB, bus::Width::kByte, 0);
}

void SystemControl::visit_state(bus::StateVisitor& state) {
    state.section("system");
    state.field("port_b", port_b_, 0x0F);
    state.field("refresh_toggle", refresh_toggle_);
    state.field("resetting", resetting_);
}

}  // namespace sla::device
