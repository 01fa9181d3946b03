#include "emu/device/board/pci_function.h"

namespace sla::device {

namespace {

constexpr unsigned kCommand = 0x04;
constexpr unsigned kInterruptLine = 0x3C;

}  // namespace

PciFunction::PciFunction(const Identity& identity) {
    set_word(0x00, identity.vendor);
    set_word(0x02, identity.device);
    set(0x08, identity.revision);
    set(0x09, static_cast<std::uint8_t>(identity.class_code));
    set(0x0A, static_cast<std::uint8_t>(identity.class_code >> 8));
    set(0x0B, static_cast<std::uint8_t>(identity.class_code >> 16));
    set(0x0E, identity.header_type);
    make_writable(kCommand, 0x07);  // I/O, memory, bus master
    make_writable(kInterruptLine, 0xFF);
}

void PciFunction::set_word(unsigned offset, std::uint16_t value) {
    set(offset, static_cast<std::uint8_t>(value));
    set(offset + 1, static_cast<std::uint8_t>(value >> 8));
}

void PciFunction::set_dword(unsigned offset, std::uint32_t value) {
    set_word(offset, static_cast<std::uint16_t>(value));
    set_word(offset + 2, static_cast<std::uint16_t>(value >> 16));
}

std::uint32_t PciFunction::read_dword(unsigned offset) const {
    return bytes_[offset] | bytes_[offset + 1] << 8U | bytes_[offset + 2] << 16U |
           static_cast<std::uint32_t>(bytes_[offset + 3]) << 24U;
}

void PciFunction::reset() {
    bytes_ = at_power_on_;
    for (unsigned offset = 0; offset < kBytes && on_write_; ++offset) {
        if (writable_[offset] != 0) on_write_(offset);
    }
}

void PciFunction::write(unsigned offset, std::uint8_t value) {
    const std::uint8_t bits = writable_[offset];
    bytes_[offset] = static_cast<std::uint8_t>((bytes_[offset] & ~bits) | (value & bits));
    if (bits != 0 && on_write_) on_write_(offset);
}

void PciFunction::visit_state(bus::StateVisitor& state) {
    state.field("configuration", bytes_);
}

}  // namespace sla::device
