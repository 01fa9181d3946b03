#include "emu/device/input/keyboard.h"

namespace sla::device {

namespace {

enum KeyboardCommand : std::uint8_t {
    kSetLeds = 0xED,
    kEcho = 0xEE,
    kScanSet = 0xF0,
    kKeyboardIdentify = 0xF2,
    kTypematic = 0xF3,
    kKeyboardEnable = 0xF4,
    kDisable = 0xF5,
    kDefaults = 0xF6,
    kFirstKeyTypes = 0xF7,  // key types of set 3: accepted, no effect on set 2
    kLastKeyTypes = 0xFA,
    kResend = 0xFE,
    kKeyboardReset = 0xFF,
};

constexpr std::uint8_t kAcknowledge = 0xFA;
constexpr std::uint8_t kSelfTestPassed = 0xAA;
constexpr std::uint8_t kAskAgain = 0xFE;
constexpr std::uint8_t kExtended = 0xE0;
constexpr std::uint8_t kBreakPrefix = 0xF0;

}  // namespace

bool Keyboard::send_key(Key key, bool up) {
    const std::size_t bytes = 1U + (key.extended ? 1 : 0) + (up ? 1 : 0);
    if (!scanning_ || sent_.size() + bytes > kBufferBytes) return false;
    if (key.extended) sent_.push_back(kExtended);
    if (up) sent_.push_back(kBreakPrefix);
    sent_.push_back(key.code);
    return true;
}

std::optional<std::uint8_t> Keyboard::take() {
    if (sent_.empty()) return std::nullopt;
    last_ = sent_.front();
    sent_.pop_front();
    return last_;
}

void Keyboard::command(std::uint8_t byte) {
    if (awaits_ != 0 && byte < kSetLeds) return parameter(byte);
    awaits_ = 0;
    if (byte == kResend) {
        if (sent_.size() < kBufferBytes) sent_.push_front(last_);
        return;
    }
    sent_.clear();
    if (byte == kEcho) return sent_.push_back(kEcho);
    const bool known = (byte >= kSetLeds && byte <= kLastKeyTypes && byte != 0xEF && byte != 0xF1) || byte == kKeyboardReset;
    if (!known) return sent_.push_back(kAskAgain);
    sent_.push_back(kAcknowledge);
    switch (byte) {
        case kSetLeds:
        case kScanSet:
        case kTypematic: awaits_ = byte; break;
        case kKeyboardIdentify:
            sent_.push_back(0xAB);
            sent_.push_back(0x83);
            break;
        case kKeyboardEnable: scanning_ = true; break;
        case kDisable:
            set_defaults();
            scanning_ = false;
            break;
        case kDefaults: set_defaults(); break;
        case kKeyboardReset:
            set_defaults();
            sent_.push_back(kSelfTestPassed);
            break;
        default: break;
    }
}

void Keyboard::parameter(std::uint8_t byte) {
    const std::uint8_t command = awaits_;
    awaits_ = 0;
    sent_.push_back(kAcknowledge);
    if (command != kScanSet) return;
    if (byte == 0) {
        sent_.push_back(scan_set_);
    } else {
        scan_set_ = byte;
    }
}

void Keyboard::set_defaults() {
    scan_set_ = 2;
    scanning_ = true;
}

void Keyboard::visit_state(bus::StateVisitor& state) {
    state.list("sent", sent_, kBufferBytes);
    state.field("awaits", awaits_);
    state.field("scan_set", scan_set_);
    state.field("last", last_);
    state.field("scanning", scanning_);
}

}  // namespace sla::device
