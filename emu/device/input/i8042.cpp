#include "emu/device/input/i8042.h"

namespace sla::device {

namespace {

enum Status : std::uint8_t { kObf = 0x01, kSys = 0x04, kCommandByte = 0x08, kUnlocked = 0x10 };

// The command byte, RAM 0.
constexpr std::uint8_t kIrq1 = 0x01;
constexpr std::uint8_t kSystemFlag = 0x04;
constexpr std::uint8_t kDisableKeyboard = 0x10;
constexpr std::uint8_t kDisableAux = 0x20;
constexpr std::uint8_t kTranslate = 0x40;

enum KbcCommand : std::uint8_t {
    kKbcReadRam = 0x20,   // to 3Fh
    kKbcWriteRam = 0x60,  // to 7Fh
    kKbcAuxOff = 0xA7,
    kKbcAuxOn = 0xA8,
    kKbcTestAux = 0xA9,
    kKbcSelfTest = 0xAA,
    kKbcTestKeyboard = 0xAB,
    kKbcKeyboardOff = 0xAD,
    kKbcKeyboardOn = 0xAE,
    kKbcReadInputPort = 0xC0,
    kKbcReadOutputPort = 0xD0,
    kKbcWriteOutputPort = 0xD1,
    kKbcWriteOutputBuffer = 0xD2,
    kKbcWriteAuxBuffer = 0xD3,
    kKbcWriteAux = 0xD4,
    kKbcA20Off = 0xDD,
    kKbcA20On = 0xDF,
    kKbcPulse = 0xF0,  // to FFh
};

constexpr std::uint8_t kOutputReset = 0x01;  // low resets
constexpr std::uint8_t kOutputA20 = 0x02;
constexpr std::uint8_t kInputPort = 0xB0;  // no lock, colour display, no manufacturing jumper
constexpr std::uint8_t kNoMouse = 0x02;    // clock line stuck high
constexpr std::uint8_t kBreak = 0xF0;

// Scan code set 2 to set 1.
constexpr std::array<std::uint8_t, 128> kToSet1{
    0xFF, 0x43, 0x41, 0x3F, 0x3D, 0x3B, 0x3C, 0x58, 0x64, 0x44, 0x42, 0x40, 0x3E, 0x0F, 0x29, 0x59, 0x65, 0x38, 0x2A,
    0x70, 0x1D, 0x10, 0x02, 0x5A, 0x66, 0x71, 0x2C, 0x1F, 0x1E, 0x11, 0x03, 0x5B, 0x67, 0x2E, 0x2D, 0x20, 0x12, 0x05,
    0x04, 0x5C, 0x68, 0x39, 0x2F, 0x21, 0x14, 0x13, 0x06, 0x5D, 0x69, 0x31, 0x30, 0x23, 0x22, 0x15, 0x07, 0x5E, 0x6A,
    0x72, 0x32, 0x24, 0x16, 0x08, 0x09, 0x5F, 0x6B, 0x33, 0x25, 0x17, 0x18, 0x0B, 0x0A, 0x60, 0x6C, 0x34, 0x35, 0x26,
    0x27, 0x19, 0x0C, 0x61, 0x6D, 0x73, 0x28, 0x74, 0x1A, 0x0D, 0x62, 0x6E, 0x3A, 0x36, 0x1C, 0x1B, 0x75, 0x2B, 0x63,
    0x76, 0x55, 0x56, 0x77, 0x78, 0x79, 0x7A, 0x0E, 0x7B, 0x7C, 0x4F, 0x7D, 0x4B, 0x47, 0x7E, 0x7F, 0x6F, 0x52, 0x53,
    0x50, 0x4C, 0x4D, 0x48, 0x01, 0x45, 0x57, 0x4E, 0x51, 0x4A, 0x37, 0x49, 0x46, 0x54};

}  // namespace

I8042::I8042(bus::EventQueue& events, bus::IrqLine keyboard_irq, Pins pins)
    : events_(events),
      irq_(keyboard_irq),
      pins_(std::move(pins)),
      timer_(events.add_timer([this](bus::Nanoseconds) { shift_in(); }, bus::irq_line_bit(keyboard_irq.number()))) {
    ram_[0] = kDisableAux | kTranslate;
}

void I8042::reset() {
    ram_ = {};
    ram_[0] = kDisableAux | kTranslate;
    keyboard_ = {};
    output_.reset();
    irq_.set(false);
    events_.disarm(timer_);
    awaits_ = 0;
    last_was_command_ = break_next_ = shifting_ = false;
}

bool I8042::press(Keyboard::Key key) {
    const bool sent = keyboard_.press(key);
    follow_keyboard();
    return sent;
}

bool I8042::release(Keyboard::Key key) {
    const bool sent = keyboard_.release(key);
    follow_keyboard();
    return sent;
}

bool I8042::keyboard_ready() const {
    return keyboard_.ready() && !output_ && !shifting_ && (ram_[0] & kDisableKeyboard) == 0;
}

std::uint8_t I8042::status() const {
    return static_cast<std::uint8_t>((output_ ? kObf : 0) | (ram_[0] & kSystemFlag) |
                                     (last_was_command_ ? kCommandByte : 0) | kUnlocked);
}

std::uint8_t I8042::output_port() const {
    return static_cast<std::uint8_t>(0xC0 | (output_ && from_keyboard_ ? 0x10 : 0) | (pins_.a20.on() ? kOutputA20 : 0) |
                                     kOutputReset);
}

std::uint32_t I8042::read_port(std::uint16_t port, bus::Width) {
    if (port == kCommandPort) return status();
    last_output_ = output_.value_or(last_output_);
    output_.reset();
    irq_.set(false);
    const std::uint8_t value = last_output_;
    follow_keyboard();
    return value;
}

void I8042::write_port(std::uint16_t port, bus::Width, std::uint32_t value) {
    last_was_command_ = port == kCommandPort;
    if (port == kCommandPort) {
        command(static_cast<std::uint8_t>(value));
    } else {
        data(static_cast<std::uint8_t>(value));
    }
    follow_keyboard();
}

void I8042::command(std::uint8_t value) {
    awaits_ = 0;
    if (value >= kKbcPulse) {
        if ((value & kOutputReset) == 0) pins_.reset();
        return;
    }
    if (value >= kKbcWriteRam && value < kKbcWriteRam + ram_.size()) {
        awaits_ = value;
        return;
    }
    switch (value) {
        case kKbcAuxOff: return set_command_byte(ram_[0] | kDisableAux);
        case kKbcAuxOn: return set_command_byte(static_cast<std::uint8_t>(ram_[0] & ~kDisableAux));
        case kKbcKeyboardOff: return set_command_byte(ram_[0] | kDisableKeyboard);
        case kKbcKeyboardOn: return set_command_byte(static_cast<std::uint8_t>(ram_[0] & ~kDisableKeyboard));
        case kKbcWriteOutputPort:
        case kKbcWriteOutputBuffer:
        case kKbcWriteAuxBuffer:
        case kKbcWriteAux: awaits_ = value; return;
        case kKbcA20Off:
        case kKbcA20On: return set_output_port(value == kKbcA20On ? kOutputA20 | kOutputReset : kOutputReset);
        default: return answer_command(value);
    }
}

void I8042::answer_command(std::uint8_t value) {
    if (value >= kKbcReadRam && value < kKbcReadRam + ram_.size()) return answer(ram_[value - kKbcReadRam]);
    switch (value) {
        case kKbcTestAux: return answer(kNoMouse);
        case kKbcSelfTest: ram_[0] |= kSystemFlag; return answer(0x55);
        case kKbcTestKeyboard: return answer(0x00);
        case kKbcReadInputPort: return answer(kInputPort);
        case kKbcReadOutputPort: return answer(output_port());
        default: return;  // reserved: no answer
    }
}

void I8042::data(std::uint8_t value) {
    const std::uint8_t command = awaits_;
    awaits_ = 0;
    if (command >= kKbcWriteRam && command < kKbcWriteRam + ram_.size()) {
        ram_[command - kKbcWriteRam] = value;
        return;
    }
    switch (command) {
        case kKbcWriteOutputPort: return set_output_port(value);
        case kKbcWriteOutputBuffer: return answer(value, true);
        case kKbcWriteAuxBuffer: return answer(value);
        case kKbcWriteAux: return;  // no mouse listens
        default: break;
    }
    set_command_byte(
        static_cast<std::uint8_t>(ram_[0] & ~kDisableKeyboard));  // a write to the keyboard opens its clock line
    keyboard_.command(value);
}

void I8042::set_command_byte(std::uint8_t value) {
    ram_[0] = value;
}

void I8042::set_output_port(std::uint8_t value) {
    pins_.a20.set((value & kOutputA20) != 0);
    if ((value & kOutputReset) == 0) pins_.reset();
}

void I8042::answer(std::uint8_t value, bool from_keyboard) {
    output_ = value;
    from_keyboard_ = from_keyboard;
    irq_.set(from_keyboard && (ram_[0] & kIrq1) != 0);
}

// The wire carries one byte at a time, and only while the output buffer is free.
void I8042::follow_keyboard() {
    if (shifting_ || output_ || !keyboard_.has_byte() || (ram_[0] & kDisableKeyboard) != 0) return;
    shifting_ = true;
    events_.arm(timer_, events_.now() + events_.lasting(kByteTime, kShortestByte, kLongestByte));
}

void I8042::shift_in() {
    shifting_ = false;
    if (output_ || (ram_[0] & kDisableKeyboard) != 0) return;
    auto byte = keyboard_.take();
    if (byte && (ram_[0] & kTranslate) != 0 && *byte == kBreak) {
        break_next_ = true;
        byte = keyboard_.take();
    }
    if (byte) answer(translate(*byte), true);
}

std::uint8_t I8042::translate(std::uint8_t code) {
    if ((ram_[0] & kTranslate) == 0) return code;
    std::uint8_t translated = code;
    if (code < kToSet1.size()) translated = kToSet1[code];
    if (code == 0x83) translated = 0x41;
    if (code == 0x84) translated = 0x54;
    if (break_next_) translated |= 0x80;
    break_next_ = false;
    return translated;
}

void I8042::visit_state(bus::StateVisitor& state) {
    state.section("kbd");
    state.show("status", status());
    state.show("output_port", output_port());
    state.field("command_byte", ram_[0]);
    state.field("ram", std::span(ram_).subspan(1));
    state.field("output_buffer", output_);
    state.field("last_output", last_output_);
    state.field("from_keyboard", from_keyboard_);
    state.field("awaits", awaits_);
    state.field("last_was_command", last_was_command_);
    state.field("break_next", break_next_);
    state.field("shifting", shifting_);
    state.part("keyboard", [&] { keyboard_.visit_state(state); });
    events_.visit_timer(state, timer_);
}

}  // namespace sla::device
