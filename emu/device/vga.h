// The registers of an IBM VGA (Personal System/2 technical reference) with its text memory at B8000-BFFFF, which is plain
// RAM here, and its font: in text modes the character generator reads it where the guest loads it, at A0000 (plane 2).
//
//   3C0/3C1 attributes  3C2 misc  3C4/3C5 sequencer  3C6-3C9 DAC  3CE/3CF graphics  3B4/3B5 or 3D4/3D5 CRTC  3BA/3DA status
//
// Graphics modes and planes are not drawn: the guest may set them, its screen shows text. Owned by the machine's thread.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/vga_dac.h"

#include <array>
#include <cstdint>

namespace sla::device {

class Vga final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kFirstPort = 0x3B0;
    static constexpr std::uint16_t kLastPort = 0x3DF;
    static constexpr std::uint32_t kTextBase = 0xB8000;
    static constexpr std::uint32_t kTextBytes = 0x8000;
    static constexpr std::uint32_t kFontBase = 0xA0000;

    explicit Vga(bus::EventQueue& events);

    // Its registers; text and colours stay.
    void reset();

    struct TextMode {
        unsigned columns = 80;
        unsigned rows = 25;
        unsigned glyph_rows = 16;
        unsigned start = 0;   // of the first character, in characters
        unsigned cursor = 0;  // likewise
        bool cursor_on = true;
        bool graphics = false;  // the guest chose a graphics mode
    };
    [[nodiscard]] TextMode text_mode() const;

    using Colour = VgaDac::Colour;
    // What attribute colour 0-15 looks like, through palette and DAC.
    [[nodiscard]] Colour colour(unsigned attribute) const;

    [[nodiscard]] std::string_view name() const override { return "vga"; }
    [[nodiscard]] bool is_latch(std::uint16_t port, bus::Access) const override;
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    template <std::size_t N>
    struct Indexed {
        std::array<std::uint8_t, N> registers{};
        std::uint8_t index = 0;

        [[nodiscard]] std::uint8_t read() const { return index < N ? registers[index] : 0; }
        void write(std::uint8_t value) {
            if (index < N) registers[index] = value;
        }
    };

    static constexpr std::uint8_t kMiscAtPowerOn = 0x67;

    void visit_crtc(bus::StateVisitor& state);
    void power_on();
    [[nodiscard]] std::uint8_t input_status();
    void write_attribute(std::uint8_t value);
    void write_crtc(std::uint8_t value);

    bus::EventQueue& events_;
    Indexed<5> sequencer_;
    Indexed<9> graphics_;
    Indexed<25> crtc_;
    Indexed<21> attribute_;
    bool attribute_data_next_ = false;
    std::uint8_t misc_ = kMiscAtPowerOn;
    std::uint8_t feature_ = 0;
    VgaDac dac_;
};

}  // namespace sla::device
