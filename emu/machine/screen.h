// What the guest's display shows, read from the VGA's registers and memory at any moment: text, or the picture of it.
#pragma once

#include "emu/bus/memory.h"
#include "emu/device/vga.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sla::machine {

struct Picture {
    unsigned width = 0;
    unsigned height = 0;
    std::vector<std::uint8_t> rgb;  // rows from the top, three bytes a pixel
};

class Screen {
public:
    Screen(const device::Vga& vga, const bus::Memory& memory) : vga_(vga), memory_(memory) {}

    // UTF-8, a line for each row without the blanks at its end; no rows for the empty lines at the bottom.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool shows(std::string_view text) const {
        return !is_graphics() && this->text().find(text) != std::string::npos;
    }
    // The guest chose a graphics mode, which is not drawn: text() and picture() are of what its text memory has.
    [[nodiscard]] bool is_graphics() const { return vga_.text_mode().graphics; }

    // Characters that have no glyph in the guest's font (it may never have loaded one) are solid boxes.
    [[nodiscard]] Picture picture() const;

private:
    static constexpr unsigned kGlyphWidth = 8;

    struct Cell {
        std::uint8_t character = 0;
        std::uint8_t attribute = 0;
    };
    [[nodiscard]] Cell cell(const device::Vga::TextMode& mode, unsigned row, unsigned column) const;
    [[nodiscard]] std::array<std::uint8_t, 32> glyph(std::uint8_t character) const;
    void draw(Picture& picture, const device::Vga::TextMode& mode, unsigned row, unsigned column) const;

    const device::Vga& vga_;
    const bus::Memory& memory_;
};

}  // namespace sla::machine
