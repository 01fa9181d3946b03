#include "emu/device/board/pci_host.h"

namespace sla::device {

namespace {

constexpr std::uint32_t kEnable = 0x80000000;
constexpr std::uint32_t kAddressBits = 0x80FFFFFC;
constexpr std::uint8_t kBoard = 0x02;
constexpr std::uint8_t kResetCpu = 0x04;  // the change from 0 to 1 resets

}  // namespace

PciFunction* PciHost::addressed() const {
    if ((address_ & kEnable) == 0 || (address_ >> 16 & 0xFF) != 0) return nullptr;
    const auto found = functions_.find(address_ >> 8 & 0xFF);
    return found == functions_.end() ? nullptr : found->second;
}

std::uint32_t PciHost::read_port(std::uint16_t port, bus::Width width) {
    if (port == kAddressPort && width == bus::Width::kDword) return address_;
    if (port == kResetPort && width == bus::Width::kByte) return reset_control_;
    const PciFunction* function = port >= kDataPort ? addressed() : nullptr;
    if (function == nullptr) return 0xFFFFFFFF;
    std::uint32_t value = 0;
    for (unsigned byte = 0; byte < bytes_of(width); ++byte) {
        const unsigned offset = (address_ & 0xFC) + ((port + byte) & 3U);
        value |= static_cast<std::uint32_t>(function->read(offset)) << (8 * byte);
    }
    return value;
}

void PciHost::write_port(std::uint16_t port, bus::Width width, std::uint32_t value) {
    if (port == kAddressPort && width == bus::Width::kDword) {
        address_ = value & kAddressBits;
        return;
    }
    if (port == kResetPort && width == bus::Width::kByte) {
        const bool resets = (value & kResetCpu) != 0 && (reset_control_ & kResetCpu) == 0;
        reset_control_ = static_cast<std::uint8_t>(value & (kBoard | kResetCpu));
        if (resets) reset_((value & kBoard) != 0);
        return;
    }
    PciFunction* function = port >= kDataPort ? addressed() : nullptr;
    if (function == nullptr) return;
    for (unsigned byte = 0; byte < bytes_of(width); ++byte) {
        function->write((address_ & 0xFC) + ((port + byte) & 3U), static_cast<std::uint8_t>(value >> (8 * byte)));
    }
}

void PciHost::reset() {
    address_ = 0;
    reset_control_ = 0;
    for (const auto& [number, function] : functions_) function->reset();
}

void PciHost::visit_state(bus::StateVisitor& state) {
    state.section("pci");
    state.field("confadd", address_);
    state.field("reset_control", reset_control_);
    for (const auto& entry : functions_) {
        state.part(bus::StateVisitor::numbered("function", entry.first), [&] { entry.second->visit_state(state); });
    }
}

}  // namespace sla::device
