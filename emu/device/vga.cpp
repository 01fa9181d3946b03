#include "emu/device/vga.h"

#include <algorithm>

namespace sla::device {

namespace {

enum Port : std::uint16_t {
    kAttribute = 0x3C0,
    kAttributeRead = 0x3C1,
    kMiscWrite = 0x3C2,
    kSequencerIndex = 0x3C4,
    kSequencerData = 0x3C5,
    kDacMask = 0x3C6,
    kDacReadIndex = 0x3C7,
    kDacWriteIndex = 0x3C8,
    kDacData = 0x3C9,
    kFeatureRead = 0x3CA,
    kMiscRead = 0x3CC,
    kGraphicsIndex = 0x3CE,
    kGraphicsData = 0x3CF,
    kCrtcIndex = 0x3D4,
    kCrtcData = 0x3D5,
    kInputStatus = 0x3DA,
};

enum Crtc : unsigned {
    kHorizontalEnd = 0x01,
    kOverflow = 0x07,
    kMaximumScanLine = 0x09,
    kCursorStart = 0x0A,
    kStartHigh = 0x0C,
    kStartLow = 0x0D,
    kCursorHigh = 0x0E,
    kCursorLow = 0x0F,
    kVerticalRetraceEnd = 0x11,
    kVerticalEnd = 0x12,
};

constexpr unsigned kGraphicsMisc = 6;            // bit 0: graphics
constexpr bus::Nanoseconds kFrame = 14'268'000;  // 70.086 Hz
constexpr bus::Nanoseconds kLine = 31'778;       // 31.469 kHz
constexpr bus::Nanoseconds kVisibleLines = 400;
constexpr bus::Nanoseconds kVisiblePart = 25'422;  // of a line

// The bits that registers have; the others read as 0 (IBM's VGA, technical reference).
constexpr std::array<std::uint8_t, 5> kSequencerBits{0x03, 0x3D, 0x0F, 0x3F, 0x0E};
constexpr std::array<std::uint8_t, 9> kGraphicsBits{0x0F, 0x0F, 0x0F, 0x1F, 0x03, 0x7B, 0x0F, 0x0F, 0xFF};
constexpr std::array<std::uint8_t, 21> kAttributeBits{0x3F, 0x3F, 0x3F, 0x3F, 0x3F, 0x3F, 0x3F, 0x3F, 0x3F, 0x3F, 0x3F,
                                                      0x3F, 0x3F, 0x3F, 0x3F, 0x3F, 0xEF, 0xFF, 0x3F, 0x0F, 0x0F};
template <std::size_t N>
constexpr std::uint8_t bits_of(const std::array<std::uint8_t, N>& bits, std::uint8_t index, std::uint8_t value) {
    return index < N ? static_cast<std::uint8_t>(value & bits[index]) : 0;
}

// 3Bx are the monochrome addresses of what is at 3Dx.
constexpr std::uint16_t colour_port(std::uint16_t port) {
    return port < 0x3C0 ? port + 0x20 : port;
}

}  // namespace

Vga::Vga(bus::EventQueue& events) : events_(events) {
    power_on();
}

void Vga::reset() {
    power_on();
    crtc_.index = sequencer_.index = graphics_.index = attribute_.index = 0;
    attribute_data_next_ = false;
    misc_ = kMiscAtPowerOn;
    feature_ = 0;
    dac_.show_all();
}

void Vga::power_on() {
    crtc_.registers = {0x5F, 0x4F, 0x50, 0x82, 0x55, 0x81, 0xBF, 0x1F, 0x00, 0x4F, 0x0D, 0x0E, 0,
                       0,    0,    0,    0x9C, 0x8E, 0x8F, 0x28, 0x1F, 0x96, 0xB9, 0xA3, 0xFF};
    sequencer_.registers = {3, 0, 3, 0, 2};
    graphics_.registers = {0, 0, 0, 0, 0, 0x10, 0x0E, 0x0F, 0xFF};
    attribute_.registers = {0,    1,    2,    3,    4,    5,    0x14, 7,    0x38, 0x39, 0x3A,
                            0x3B, 0x3C, 0x3D, 0x3E, 0x3F, 0x0C, 0,    0x0F, 0x08, 0};
    dac_.load_ega_colours();
}

Vga::TextMode Vga::text_mode() const {
    const auto& r = crtc_.registers;
    TextMode mode;
    mode.columns = std::clamp(r[kHorizontalEnd] + 1U, 1U, 256U);
    mode.glyph_rows = (r[kMaximumScanLine] & 31U) + 1;
    const unsigned lines = (r[kVerticalEnd] | (r[kOverflow] >> 1 & 1U) << 8 | (r[kOverflow] >> 6 & 1U) << 9) + 1;
    mode.rows = std::clamp(lines / mode.glyph_rows, 1U, 256U);
    mode.start = r[kStartHigh] << 8U | r[kStartLow];
    mode.cursor = r[kCursorHigh] << 8U | r[kCursorLow];
    mode.cursor_on = (r[kCursorStart] & 0x20) == 0;
    mode.graphics = (graphics_.registers[kGraphicsMisc] & 1) != 0;
    return mode;
}

VgaDac::Colour Vga::colour(unsigned attribute) const {
    return dac_.colour(attribute_.registers[attribute & 15] & 63U);
}

bool Vga::is_latch(std::uint16_t port, bus::Access) const {
    const std::uint16_t of_colour = colour_port(port);
    return of_colour == kSequencerIndex || of_colour == kGraphicsIndex || of_colour == kCrtcIndex;
}

std::uint32_t Vga::read_port(std::uint16_t port, bus::Width) {
    switch (colour_port(port)) {
        case kAttribute: return attribute_.index;
        case kAttributeRead: return attribute_.registers[std::min(attribute_.index & 0x1F, 20)];
        case kMiscWrite: return 0x10;  // input status 0: a colour display is there
        case kSequencerIndex: return sequencer_.index;
        case kSequencerData: return sequencer_.read();
        case kDacMask: return dac_.mask();
        case kDacReadIndex: return dac_.state();
        case kDacWriteIndex: return dac_.write_index();
        case kDacData: return dac_.read();
        case kFeatureRead: return feature_;
        case kMiscRead: return misc_;
        case kGraphicsIndex: return graphics_.index;
        case kGraphicsData: return graphics_.read();
        case kCrtcIndex: return crtc_.index;
        case kCrtcData: return crtc_.read();
        case kInputStatus: return input_status();
        default: return 0xFF;
    }
}

void Vga::write_port(std::uint16_t port, bus::Width, std::uint32_t wide) {
    const auto value = static_cast<std::uint8_t>(wide);
    switch (colour_port(port)) {
        case kAttribute: return write_attribute(value);
        case kMiscWrite: misc_ = value; return;
        case kSequencerIndex: sequencer_.index = value; return;
        case kSequencerData: return sequencer_.write(bits_of(kSequencerBits, sequencer_.index, value));
        case kDacMask: return dac_.set_mask(value);
        case kDacReadIndex: return dac_.read_from(value);
        case kDacWriteIndex: return dac_.write_from(value);
        case kDacData: return dac_.write(value);
        case kGraphicsIndex: graphics_.index = value; return;
        case kGraphicsData: return graphics_.write(bits_of(kGraphicsBits, graphics_.index, value));
        case kCrtcIndex: crtc_.index = value; return;
        case kCrtcData: return write_crtc(value);
        case kInputStatus: feature_ = value; return;
        default: return;
    }
}

// Bit 0: outside the visible part; bit 3: vertical retrace. Reading makes 3C0h an index again.
std::uint8_t Vga::input_status() {
    attribute_data_next_ = false;
    const bus::Nanoseconds in_frame = events_.now() % kFrame;
    const bool vertical = in_frame >= kVisibleLines * kLine;
    const bool blank = vertical || in_frame % kLine >= kVisiblePart;
    return static_cast<std::uint8_t>((blank ? 0x01 : 0) | (vertical ? 0x08 : 0));
}

void Vga::write_attribute(std::uint8_t value) {
    if (attribute_data_next_) {
        const std::uint8_t index = attribute_.index;
        attribute_.index &= 0x1F;
        attribute_.write(bits_of(kAttributeBits, attribute_.index, value));
        attribute_.index = index;
    } else {
        attribute_.index = value & 0x3F;
    }
    attribute_data_next_ = !attribute_data_next_;
}

// Bit 7 of register 11h protects registers 0-7, all but one bit.
void Vga::write_crtc(std::uint8_t value) {
    const bool locked = (crtc_.registers[kVerticalRetraceEnd] & 0x80) != 0 && crtc_.index <= kOverflow;
    if (!locked) return crtc_.write(value);
    constexpr std::uint8_t kLineCompare = 0x10;
    if (crtc_.index == kOverflow)
        crtc_.write(static_cast<std::uint8_t>((crtc_.read() & ~kLineCompare) | (value & kLineCompare)));
}

void Vga::visit_state(bus::StateVisitor& state) {
    state.section("vga");
    state.field("misc", misc_);
    state.field("feature", feature_);
    state.field("sequencer.index", sequencer_.index);
    state.field("sequencer.sr", sequencer_.registers);
    state.field("graphics.index", graphics_.index);
    state.field("graphics.gr", graphics_.registers);
    state.field("attribute.index", attribute_.index, 0x3F);
    state.field("attribute.ar", attribute_.registers);
    state.field("attribute.data_next", attribute_data_next_);
    dac_.visit_state(state);
    visit_crtc(state);
}

void Vga::visit_crtc(bus::StateVisitor& state) {
    constexpr std::array kNames{"horizontal_total",
                                "horizontal_display_end",
                                "start_horizontal_blank",
                                "end_horizontal_blank",
                                "start_horizontal_retrace",
                                "end_horizontal_retrace",
                                "vertical_total",
                                "overflow",
                                "preset_row_scan",
                                "maximum_scan_line",
                                "cursor_start",
                                "cursor_end",
                                "start_address_high",
                                "start_address_low",
                                "cursor_high",
                                "cursor_low",
                                "vertical_retrace_start",
                                "vertical_retrace_end",
                                "vertical_display_end",
                                "offset",
                                "underline",
                                "start_vertical_blank",
                                "end_vertical_blank",
                                "mode_control",
                                "line_compare"};
    state.section("crtc");
    state.field("index", crtc_.index);
    for (std::size_t i = 0; i < kNames.size(); ++i) state.field(kNames[i], crtc_.registers[i]);
}

}  // namespace sla::device
