#include "emu/device/board/piix4_pm.h"

namespace sla::device {

namespace {

enum PmRegister : unsigned { kPmStatus = 0, kPmEnable = 2, kPmControl = 4, kPmTimer = 8 };

constexpr std::uint16_t kSleepEnable = 0x2000;
constexpr unsigned kSleepTypeShift = 10;

}  // namespace

void Piix4Pm::set_base(std::uint16_t base) {
    if (base == base_) return;
    if (base_ != 0) ports_.release(*this, base_, base_ + kPorts - 1);
    base_ = base;
    if (base_ != 0) ports_.claim_free(*this, base_, base_ + kPorts - 1);
}

std::uint32_t Piix4Pm::timer(bus::Nanoseconds now) const {
    return static_cast<std::uint32_t>(crystal_.ticks_at(now)) & 0xFFFFFF;
}

std::uint32_t Piix4Pm::read_port(std::uint16_t port, bus::Width) {
    switch (port - base_) {
        case kPmEnable: return enable_;
        case kPmControl: return control_;
        case kPmTimer: return timer(events_.now());
        default: return 0;
    }
}

void Piix4Pm::write_port(std::uint16_t port, bus::Width, std::uint32_t value) {
    if (port - base_ == kPmEnable) enable_ = static_cast<std::uint16_t>(value);
    if (port - base_ != kPmControl) return;
    control_ = static_cast<std::uint16_t>(value & ~std::uint32_t{kSleepEnable});
    if ((value & kSleepEnable) != 0 && (value >> kSleepTypeShift & 7) == 0) power_off_();
}

void Piix4Pm::visit_state(bus::StateVisitor& state) {
    state.section("pm");
    std::uint16_t base = base_;
    state.field("base", base, 0x10000 - kPorts);
    if (state.loads()) set_base(base);
    state.field("pm1_enable", enable_);
    state.field("pm1_control", control_);
    state.show("timer", timer(events_.now() + state.ahead()));
}

}  // namespace sla::device
