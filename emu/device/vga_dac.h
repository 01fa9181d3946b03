// The digital-to-analogue converter of a VGA: 256 colours of three times six bits, read and written byte by byte.
#pragma once

#include "emu/bus/state_visitor.h"

#include <array>
#include <cstdint>

namespace sla::device {

class VgaDac {
public:
    struct Colour {
        std::uint8_t red = 0, green = 0, blue = 0;
    };
    // What an entry looks like through the mask.
    [[nodiscard]] Colour colour(unsigned entry) const;

    // The 64 colours of an EGA.
    void load_ega_colours();

    void show_all() { mask_ = 0xFF; }
    void set_mask(std::uint8_t mask) { mask_ = mask; }
    [[nodiscard]] std::uint8_t mask() const { return mask_; }
    [[nodiscard]] std::uint8_t state() const { return state_; }
    [[nodiscard]] std::uint8_t write_index() const { return static_cast<std::uint8_t>(write_ / 3); }

    // From that colour on.
    void read_from(std::uint8_t entry);
    void write_from(std::uint8_t entry);
    std::uint8_t read();
    void write(std::uint8_t value);

    void visit_state(bus::StateVisitor& state);

private:
    std::uint8_t mask_ = 0xFF;
    std::uint8_t state_ = 0;  // 0: writing, 3: reading
    unsigned read_ = 0;       // byte numbers, three to a colour
    unsigned write_ = 0;
    std::array<std::uint8_t, 768> colours_{};
};

}  // namespace sla::device
