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
    dac_mask_ = 0xFF;
}

void Vga::power_on() {
    crtc_.registers = {0x5F, 0x4F, 0x50, 0x82, 0x55, 0x81, 0xBF, 0x1F, 0x00, 0x4F, 0x0D, 0x0E, 0,
                       0,    0,    0,    0x9C, 0x8E, 0x8F, 0x28, 0x1F, 0x96, 0xB9, 0xA3, 0xFF};
    sequencer_.registers = {3, 0, 3, 0, 2};
    graphics_.registers = {0, 0, 0, 0, 0, 0x10, 0x0E, 0x0F, 0xFF};
    attribute_.registers = {0,    1,    2,    3,    4,    5,    0x14, 7,    0x38, 0x39, 0x3A,
                            0x3B, 0x3C, 0x3D, 0x3E, 0x3F, 0x0C, 0,    0x0F, 0x08, 0};
    for (unsigned colour = 0; colour < 64; ++colour) {  // the DAC of the 64 EGA colours: rgbRGB
        for (unsigned part = 0; part < 3; ++part) {
            const unsigned strong = colour >> (2 - part) & 1;
            const unsigned weak = colour >> (5 - part) & 1;
            dac_[3 * colour + part] = static_cast<std::uint8_t>(42 * strong + 21 * weak);
        }
    }
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

Vga::Colour Vga::colour(unsigned attribute) const {
    const unsigned entry = attribute_.registers[attribute & 15] & dac_mask_ & 63U;
    const auto bright = [this, entry](unsigned part) {
        const unsigned six = dac_[3 * entry + part] & 63U;
        return static_cast<std::uint8_t>(six << 2 | six >> 4);
    };
    return {bright(0), bright(1), bright(2)};
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
        case kDacMask: return dac_mask_;
        case kDacReadIndex: return dac_state_;
        case kDacWriteIndex: return dac_write_ / 3;
        case kDacData: return read_dac();
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
        case kDacMask: dac_mask_ = value; return;
        case kDacReadIndex:
            dac_read_ = 3U * value;
            dac_state_ = 3;
            return;
        case kDacWriteIndex:
            dac_write_ = 3U * value;
            dac_state_ = 0;
            return;
        case kDacData: return write_dac(value);
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

std::uint8_t Vga::read_dac() {
    const std::uint8_t value = dac_[dac_read_];
    dac_read_ = (dac_read_ + 1) % dac_.size();
    return value;
}

void Vga::write_dac(std::uint8_t value) {
    dac_[dac_write_] = value & 0x3F;
    dac_write_ = (dac_write_ + 1) % dac_.size();
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
    state.field("dac.mask", dac_mask_);
    state.field("dac.state", dac_state_, 3);
    state.field("dac.read", dac_read_, dac_.size() - 1);
    state.field("dac.write", dac_write_, dac_.size() - 1);
    state.field("dac.colours", dac_);
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
