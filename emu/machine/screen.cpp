#include "emu/machine/screen.h"

#include <algorithm>

namespace sla::machine {

namespace {

constexpr unsigned kTextCells = device::Vga::kTextBytes / 2;
constexpr unsigned kGlyphBytes = 32;  // of a character in the font, used or not

// Code page 437 in Unicode: 0-31 and 128-255; the rest is ASCII, 127 is a house.
constexpr std::u32string_view kLow =
    U" ☺☻♥♦♣♠•◘○◙♂♀♪♫☼"
    U"►◄↕‼¶§▬↨↑↓→←∟↔▲▼";
constexpr std::u32string_view kHigh =
    U"ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ"
    U"áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
    U"└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
    U"αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ";

char32_t unicode_of(std::uint8_t character) {
    if (character < 32) return kLow[character];
    if (character == 127) return U'\u2302';
    if (character == 255) return U' ';
    return character < 128 ? character : kHigh[character - 128];
}

void append_utf8(std::string& to, char32_t code) {
    if (code < 0x80) {
        to += static_cast<char>(code);
    } else if (code < 0x800) {
        to += static_cast<char>(0xC0 | code >> 6);
        to += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        to += static_cast<char>(0xE0 | code >> 12);
        to += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        to += static_cast<char>(0x80 | (code & 0x3F));
    }
}

}  // namespace

Screen::Cell Screen::cell(const device::Vga::TextMode& mode, unsigned row, unsigned column) const {
    const unsigned number = (mode.start + row * mode.columns + column) % kTextCells;
    const auto bytes = memory_.at(device::Vga::kTextBase + 2 * number, 2);
    return {bytes[0], bytes[1]};
}

std::string Screen::text() const {
    const auto mode = vga_.text_mode();
    std::string all;
    unsigned empty_rows = 0;
    for (unsigned row = 0; row < mode.rows; ++row) {
        std::string line;
        for (unsigned column = 0; column < mode.columns; ++column) {
            append_utf8(line, unicode_of(cell(mode, row, column).character));
        }
        line.resize(line.find_last_not_of(' ') + 1);
        if (line.empty()) {
            ++empty_rows;
            continue;
        }
        all.append(empty_rows, '\n');
        empty_rows = 0;
        all += line + '\n';
    }
    return all;
}

std::array<std::uint8_t, 32> Screen::glyph(std::uint8_t character) const {
    std::array<std::uint8_t, 32> rows{};
    const auto font = memory_.at(device::Vga::kFontBase + kGlyphBytes * character, kGlyphBytes);
    std::copy(font.begin(), font.end(), rows.begin());
    const bool blank = character == 0 || character == ' ' || character == 255;
    const bool missing = std::all_of(rows.begin(), rows.end(), [](std::uint8_t bits) { return bits == 0; });
    if (missing && !blank) std::fill(rows.begin() + 2, rows.begin() + 12, std::uint8_t{0x7E});
    return rows;
}

void Screen::draw(Picture& picture, const device::Vga::TextMode& mode, unsigned row, unsigned column) const {
    const Cell shown = cell(mode, row, column);
    const auto rows = glyph(shown.character);
    const auto ink = vga_.colour(shown.attribute & 15);
    const auto paper = vga_.colour(shown.attribute >> 4 & 7);
    const bool cursor = mode.cursor_on && mode.start + row * mode.columns + column == mode.cursor;
    for (unsigned y = 0; y < mode.glyph_rows; ++y) {
        const bool under = cursor && y + 2 >= mode.glyph_rows;
        std::uint8_t* pixel = &picture.rgb[3 * ((row * mode.glyph_rows + y) * picture.width + column * kGlyphWidth)];
        for (unsigned x = 0; x < kGlyphWidth; ++x) {
            const auto& colour = under || (rows[y] >> (7 - x) & 1) != 0 ? ink : paper;
            *pixel++ = colour.red;
            *pixel++ = colour.green;
            *pixel++ = colour.blue;
        }
    }
}

Picture Screen::picture() const {
    const auto mode = vga_.text_mode();
    Picture picture{mode.columns * kGlyphWidth, mode.rows * mode.glyph_rows, {}};
    picture.rgb.resize(std::size_t{3} * picture.width * picture.height);
    for (unsigned row = 0; row < mode.rows; ++row) {
        for (unsigned column = 0; column < mode.columns; ++column) draw(picture, mode, row, column);
    }
    return picture;
}

}  // namespace sla::machine
