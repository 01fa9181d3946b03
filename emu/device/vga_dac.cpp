#include "emu/device/vga_dac.h"

namespace sla::device {

VgaDac::Colour VgaDac::colour(unsigned entry) const {
    const auto bright = [this, shown = entry & mask_](unsigned part) {
        const unsigned six = colours_[3 * shown + part] & 63U;
        return static_cast<std::uint8_t>(six << 2 | six >> 4);
    };
    return {bright(0), bright(1), bright(2)};
}

// Their bits are rgbRGB.
void VgaDac::load_ega_colours() {
    for (unsigned colour = 0; colour < 64; ++colour) {
        for (unsigned part = 0; part < 3; ++part) {
            const unsigned strong = colour >> (2 - part) & 1;
            const unsigned weak = colour >> (5 - part) & 1;
            colours_[3 * colour + part] = static_cast<std::uint8_t>(42 * strong + 21 * weak);
        }
    }
}

void VgaDac::read_from(std::uint8_t entry) {
    read_ = 3U * entry;
    state_ = 3;
}

void VgaDac::write_from(std::uint8_t entry) {
    write_ = 3U * entry;
    state_ = 0;
}

std::uint8_t VgaDac::read() {
    const std::uint8_t value = colours_[read_];
    read_ = (read_ + 1) % colours_.size();
    return value;
}

void VgaDac::write(std::uint8_t value) {
    colours_[write_] = value & 0x3F;
    write_ = (write_ + 1) % colours_.size();
}

void VgaDac::visit_state(bus::StateVisitor& state) {
    state.field("dac.mask", mask_);
    state.field("dac.state", state_, 3);
    state.field("dac.read", read_, colours_.size() - 1);
    state.field("dac.write", write_, colours_.size() - 1);
    state.field("dac.colours", colours_);
}

}  // namespace sla::device
