#include "emu/device/storage/ata_channel.h"

#include "proto/base/check.h"

namespace sla::device {

namespace {

enum Register : unsigned { kData, kErrorFeatures, kCount, kLbaLow, kLbaMid, kLbaHigh, kDevice, kStatusCommand };

constexpr std::uint8_t kBsy = 0x80;
constexpr std::uint8_t kDrdy = 0x40;
constexpr std::uint8_t kDsc = 0x10;
constexpr std::uint8_t kDrq = 0x08;
constexpr std::uint8_t kErr = 0x01;

constexpr std::uint8_t kNoInterrupt = 0x02;  // device control nIEN
constexpr std::uint8_t kSoftReset = 0x04;    // SRST
constexpr std::uint8_t kHighOrder = 0x80;    // HOB: the registers show what was written before
constexpr std::uint8_t kPassed = 0x01;

}  // namespace

AtaChannel::AtaChannel(bus::EventQueue& events, bus::IrqLine irq)
    : events_(events),
      irq_(irq),
      timer_(events.add_timer([this](bus::Nanoseconds) { on_time(); }, bus::irq_line_bit(irq.number()))) {
    sign();
}

void AtaChannel::attach(unsigned unit, Disk& disk) {
    SLA_CHECK(unit < drives_.size());
    drives_[unit].disk = &disk;
}

void AtaChannel::reset() {
    for (Drive& each : drives_) each = Drive{.disk = each.disk};
    device_ = 0;
    write_control(kSoftReset);
    write_control(0);
}

std::uint8_t AtaChannel::status() const {
    if (absent()) return 0;
    std::uint8_t bits = failed_ ? kErr : 0;
    switch (phase_) {
        case Phase::kIdle: return bits | kDrdy | kDsc;
        case Phase::kDataIn:
        case Phase::kDataOut: return bits | kDrdy | kDsc | kDrq;
        default: return kBsy;
    }
}

std::uint32_t AtaChannel::read_port(std::uint16_t port, bus::Width width) {
    if (empty()) return 0xFFFFFFFF;
    if (port == kControlPort) return status();
    const unsigned reg = port - kFirstPort;
    return reg == kData ? read_data(width) : read_register(reg);
}

void AtaChannel::write_port(std::uint16_t port, bus::Width width, std::uint32_t value) {
    if (empty()) return;
    if (port == kControlPort) return write_control(static_cast<std::uint8_t>(value));
    const unsigned reg = port - kFirstPort;
    if (reg == kData) return write_data(width, value);
    write_register(reg, static_cast<std::uint8_t>(value));
}

std::uint8_t AtaChannel::read_register(unsigned reg) {
    const auto shown = [this](const Deep& deep) { return (control_ & kHighOrder) != 0 ? deep.before : deep.now; };
    switch (reg) {
        case kErrorFeatures: return error_;
        case kCount: return shown(count_);
        case kLbaLow: return shown(lba_low_);
        case kLbaMid: return shown(lba_mid_);
        case kLbaHigh: return shown(lba_high_);
        case kDevice: return static_cast<std::uint8_t>(device_ | 0xA0);
        default:
            interrupting_ = false;
            irq_.set(false);
            return status();
    }
}

void AtaChannel::write_register(unsigned reg, std::uint8_t value) {
    control_ &= static_cast<std::uint8_t>(~kHighOrder);
    if (status() & kBsy && reg != kStatusCommand) return;
    switch (reg) {
        case kErrorFeatures: return features_.write(value);
        case kCount: return count_.write(value);
        case kLbaLow: return lba_low_.write(value);
        case kLbaMid: return lba_mid_.write(value);
        case kLbaHigh: return lba_high_.write(value);
        case kDevice: device_ = value; return;
        default: break;
    }
    if (phase_ == Phase::kReset || absent()) return;
    interrupting_ = false;
    irq_.set(false);
    failed_ = false;
    error_ = 0;
    command(value);
}

void AtaChannel::write_control(std::uint8_t value) {
    const bool was_resetting = (control_ & kSoftReset) != 0;
    control_ = value;
    const bool resetting = (value & kSoftReset) != 0;
    if (resetting && !was_resetting) {
        interrupting_ = false;
        phase_ = Phase::kReset;
        events_.disarm(timer_);
    }
    if (!resetting && was_resetting) enter(Phase::kReset, Work::kReset);
    irq_.set(interrupting_ && (control_ & kNoInterrupt) == 0);
}

// What a disk shows after a reset, so that it is distinguished from other devices.
void AtaChannel::sign() {
    count_ = {1, 0};
    lba_low_ = {1, 0};
    lba_mid_ = lba_high_ = {0, 0};
    device_ &= 0x10;
    error_ = kPassed;
    failed_ = false;
}

void AtaChannel::enter(Phase phase, Work work) {
    phase_ = phase;
    events_.arm(timer_, events_.now() + lasting(work));
}

bus::Nanoseconds AtaChannel::lasting(Work work) {
    if (work == Work::kBlock) return events_.lasting(kBlockTime, kShortestBlock, kLongestBlock);
    if (work == Work::kReset) return events_.lasting(kResetTime, kResetTime, kLongestReset);
    const bool seeks = events_.variation().on() && events_.variation().once_in(kCommandsOfSeek);
    return events_.lasting(kCommandTime, kShortestCommand, seeks ? kLongestCommand : kLongestCached);
}

void AtaChannel::on_time() {
    switch (phase_) {
        case Phase::kReset:
            phase_ = Phase::kIdle;
            device_ = 0;
            return sign();
        case Phase::kNonData: phase_ = Phase::kIdle; return interrupt();
        case Phase::kIdentity: phase_ = Phase::kDataIn; return interrupt();
        case Phase::kReading: return read_block();
        case Phase::kAskData: phase_ = Phase::kDataOut; return;
        case Phase::kWriting: return write_block();
        default: return;
    }
}

void AtaChannel::interrupt() {
    interrupting_ = true;
    irq_.set((control_ & kNoInterrupt) == 0);
}

void AtaChannel::fail(std::uint8_t error) {
    error_ = error;
    failed_ = true;
    left_ = 0;
    enter(Phase::kNonData, Work::kBlock);
}

std::uint32_t AtaChannel::read_data(bus::Width width) {
    if (phase_ != Phase::kDataIn) return 0;
    std::uint32_t value = 0;
    for (unsigned byte = 0; byte < bytes_of(width) && position_ < buffer_.size(); ++byte) {
        value |= static_cast<std::uint32_t>(buffer_[position_++]) << (8 * byte);
    }
    if (position_ < buffer_.size()) return value;
    if (left_ == 0) {
        phase_ = Phase::kIdle;
    } else {
        enter(Phase::kReading, Work::kBlock);
    }
    return value;
}

void AtaChannel::write_data(bus::Width width, std::uint32_t value) {
    if (phase_ != Phase::kDataOut) return;
    for (unsigned byte = 0; byte < bytes_of(width) && position_ < buffer_.size(); ++byte) {
        buffer_[position_++] = static_cast<std::uint8_t>(value >> (8 * byte));
    }
    if (position_ == buffer_.size()) enter(Phase::kWriting, Work::kBlock);
}

void AtaChannel::visit_state(bus::StateVisitor& state) {
    state.section("ata");
    state.show("status", status());
    const auto deep = [&state](const char* name, Deep& pair) {
        state.field(name, pair.now);
        state.part(name, [&] { state.field("before", pair.before); });
    };
    deep("features", features_);
    deep("count", count_);
    deep("lba_low", lba_low_);
    deep("lba_mid", lba_mid_);
    deep("lba_high", lba_high_);
    state.field("device", device_);
    state.field("control", control_);
    state.field("error", error_);
    state.field("failed", failed_);
    state.field("intrq", interrupting_);
    for (std::size_t i = 0; i < drives_.size(); ++i) {
        state.part(bus::StateVisitor::numbered("drive", i), [&] {
            state.field("heads", drives_[i].heads, 256, 1);
            state.field("sectors_per_track", drives_[i].sectors_per_track, 256, 1);
            state.field("multiple", drives_[i].multiple, kMaxMultiple);
        });
    }
    visit_transfer(state);
    events_.visit_timer(state, timer_);
}

// A transfer that comes from outside must stay on its disk.
void AtaChannel::visit_transfer(bus::StateVisitor& state) {
    Phase phase = phase_;
    state.field("phase", phase, static_cast<unsigned>(Phase::kWriting));
    state.field("active", active_, 1);
    state.field("next_sector", next_);
    state.field("sectors_left", left_, 65536);
    state.field("block", block_, kMaxMultiple, 1);
    state.field("extended", extended_);
    state.list("buffer", buffer_, kMaxMultiple * kSectorBytes);
    state.field("position", position_, kMaxMultiple * kSectorBytes);
    if (!state.loads()) return;
    phase_ = Phase::kIdle;
    const bool moves = phase == Phase::kReading || phase >= Phase::kAskData;
    const Disk* disk = drive().disk;
    const bool fits = disk != nullptr && next_ <= disk->sectors() && left_ <= disk->sectors() - next_;
    const bool whole = buffer_.size() % kSectorBytes == 0 && buffer_.size() <= left_ * kSectorBytes;
    const bool possible = (fits || (!moves && left_ == 0)) && (whole || phase < Phase::kAskData);
    if (!possible) return state.refuse("phase", "has a transfer that the disk cannot do");
    if (position_ > buffer_.size()) return state.refuse("position", "is behind the buffer's end");
    phase_ = phase;
}

}  // namespace sla::device
