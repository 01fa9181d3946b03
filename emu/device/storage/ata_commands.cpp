// What the commands of an ATA disk do.
#include "emu/device/storage/ata_channel.h"
#include "emu/device/storage/ata_identity.h"

#include <algorithm>

namespace sla::device {

namespace {

enum Command : std::uint8_t {
    kRecalibrate = 0x10,  // to 1Fh
    kRead = 0x20,
    kReadOnce = 0x21,
    kReadExt = 0x24,
    kNativeSizeExt = 0x27,
    kReadMultipleExt = 0x29,
    kWrite = 0x30,
    kWriteOnce = 0x31,
    kWriteExt = 0x34,
    kWriteMultipleExt = 0x39,
    kVerify = 0x40,
    kVerifyOnce = 0x41,
    kVerifyExt = 0x42,
    kSeek = 0x70,  // to 7Fh
    kDiagnose = 0x90,
    kSetGeometry = 0x91,
    kReadMultiple = 0xC4,
    kWriteMultiple = 0xC5,
    kSetMultiple = 0xC6,
    kStandbyNow = 0xE0,  // to E3h: power management
    kIdle = 0xE3,
    kCheckPower = 0xE5,
    kFlush = 0xE7,
    kFlushExt = 0xEA,
    kIdentify = 0xEC,
    kSetFeatures = 0xEF,
    kNativeSize = 0xF8,
};

constexpr std::uint8_t kAborted = 0x04;
constexpr std::uint8_t kNotFound = 0x10;
constexpr std::uint8_t kUncorrectable = 0x40;
constexpr std::uint8_t kLba = 0x40;  // device register
constexpr std::uint8_t kActive = 0xFF;

bool one_of(std::uint8_t code, std::initializer_list<std::uint8_t> codes) {
    return std::find(codes.begin(), codes.end(), code) != codes.end();
}

bool is_extended(std::uint8_t code) {
    return one_of(code, {kReadExt, kReadMultipleExt, kWriteExt, kWriteMultipleExt, kVerifyExt});
}

bool is_multiple(std::uint8_t code) {
    return one_of(code, {kReadMultiple, kReadMultipleExt, kWriteMultiple, kWriteMultipleExt});
}

bool is_write(std::uint8_t code) {
    return one_of(code, {kWrite, kWriteOnce, kWriteExt, kWriteMultiple, kWriteMultipleExt});
}

bool is_verify(std::uint8_t code) {
    return one_of(code, {kVerify, kVerifyOnce, kVerifyExt});
}

bool is_read(std::uint8_t code) {
    return one_of(code, {kRead, kReadOnce, kReadExt, kReadMultiple, kReadMultipleExt});
}

}  // namespace

void AtaChannel::command(std::uint8_t code) {
    active_ = device_ >> 4 & 1;
    left_ = 0;  // of a transfer that the guest broke off, perhaps on the other disk
    if (is_read(code) || is_write(code) || is_verify(code)) return start_transfer(code);
    if (code == kIdentify) return send_identity();
    simple_command(code);
}

void AtaChannel::simple_command(std::uint8_t code) {
    enter(Phase::kNonData, Work::kCommand);
    const unsigned family = code & 0xF0;
    if (family == kRecalibrate || family == kSeek || (code >= kStandbyNow && code <= kIdle)) return;
    switch (code) {
        case kFlush:
        case kFlushExt:
        case kSetFeatures: return;
        case kDiagnose: return sign();
        case kSetGeometry: return set_geometry();
        case kSetMultiple: return set_multiple();
        case kCheckPower: count_.write(kActive); return;
        case kNativeSize: extended_ = false; return native_size();
        case kNativeSizeExt: extended_ = true; return native_size();
        default: return fail(kAborted);
    }
}

void AtaChannel::set_geometry() {
    drive().heads = (device_ & 15U) + 1;
    drive().sectors_per_track = std::max<unsigned>(count_.now, 1);
}

void AtaChannel::set_multiple() {
    const unsigned sectors = count_.now;
    if (sectors > kMaxMultiple || (sectors & (sectors - 1)) != 0) return fail(kAborted);
    drive().multiple = sectors;
}

void AtaChannel::native_size() {
    set_address(drive().disk->sectors() - 1);
}

// False: the command names no sector of the disk.
bool AtaChannel::address(std::uint64_t& lba, std::uint32_t& count, bool extended) {
    count = count_.now == 0 ? 256 : count_.now;
    lba = lba_low_.now | lba_mid_.now << 8U | lba_high_.now << 16U;
    if (extended) {
        count = static_cast<std::uint32_t>(count_.before << 8U | count_.now);
        if (count == 0) count = 65536;
        lba |= std::uint64_t{lba_low_.before} << 24 | std::uint64_t{lba_mid_.before} << 32 |
               std::uint64_t{lba_high_.before} << 40;
    } else if ((device_ & kLba) != 0) {
        lba |= std::uint64_t{device_ & 15U} << 24;
    } else {
        const unsigned cylinder = lba_mid_.now | lba_high_.now << 8U;
        const unsigned sector = lba_low_.now;
        if (sector == 0 || sector > drive().sectors_per_track || (device_ & 15U) >= drive().heads) return false;
        lba = (std::uint64_t{cylinder} * drive().heads + (device_ & 15U)) * drive().sectors_per_track + sector - 1;
    }
    return lba < drive().disk->sectors() && count <= drive().disk->sectors() - lba;
}

void AtaChannel::set_address(std::uint64_t lba) {
    const auto byte = [lba](unsigned number) { return static_cast<std::uint8_t>(lba >> (8 * number)); };
    if (!extended_ && (device_ & kLba) == 0) {
        const std::uint64_t track = lba / drive().sectors_per_track;
        const std::uint64_t cylinder = track / drive().heads;
        lba_low_.now = static_cast<std::uint8_t>(lba % drive().sectors_per_track + 1);
        lba_mid_.now = static_cast<std::uint8_t>(cylinder);
        lba_high_.now = static_cast<std::uint8_t>(cylinder >> 8);
        device_ = static_cast<std::uint8_t>((device_ & 0xF0) | track % drive().heads);
        return;
    }
    lba_low_ = {byte(0), byte(3)};
    lba_mid_ = {byte(1), byte(4)};
    lba_high_ = {byte(2), byte(5)};
    if (!extended_) device_ = static_cast<std::uint8_t>((device_ & 0xF0) | (byte(3) & 15));
}

// Once the command is done it is 0, which says that all went well.
void AtaChannel::show_left() {
    const auto byte = [this](unsigned number) { return static_cast<std::uint8_t>(left_ >> (8 * number)); };
    count_ = {byte(0), extended_ ? byte(1) : count_.before};
}

void AtaChannel::start_transfer(std::uint8_t code) {
    extended_ = is_extended(code);
    if (is_multiple(code) && drive().multiple == 0) return fail(kAborted);
    block_ = is_multiple(code) ? drive().multiple : 1;
    if (!address(next_, left_, extended_)) return fail(kNotFound);
    if (is_verify(code)) {
        set_address(next_ + left_ - 1);
        left_ = 0;
        show_left();
        return enter(Phase::kNonData, Work::kCommand);
    }
    if (is_read(code)) return enter(Phase::kReading, Work::kCommand);
    buffer_.assign(std::min(left_, block_) * kSectorBytes, 0);
    position_ = 0;
    enter(Phase::kAskData, Work::kBlock);
}

void AtaChannel::read_block() {
    buffer_.resize(std::min(left_, block_) * kSectorBytes);
    position_ = 0;
    for (std::size_t at = 0; at < buffer_.size(); at += kSectorBytes) {
        set_address(next_);
        if (!drive().disk->read(next_, Sector(&buffer_[at], kSectorBytes))) return fail(kUncorrectable);
        ++next_;
        --left_;
        show_left();
    }
    phase_ = Phase::kDataIn;
    interrupt();
}

void AtaChannel::write_block() {
    for (std::size_t at = 0; at < buffer_.size(); at += kSectorBytes) {
        set_address(next_);
        if (!drive().disk->write(next_, ConstSector(&buffer_[at], kSectorBytes))) return fail(kUncorrectable);
        ++next_;
        --left_;
        show_left();
    }
    phase_ = left_ == 0 ? Phase::kIdle : Phase::kDataOut;
    buffer_.assign(std::min(left_, block_) * kSectorBytes, 0);
    position_ = 0;
    interrupt();
}

void AtaChannel::send_identity() {
    const auto words = ata_identity(drive().disk->sectors(), kMaxMultiple, drive().multiple);
    buffer_.clear();
    for (const std::uint16_t word : words) {
        buffer_.push_back(static_cast<std::uint8_t>(word));
        buffer_.push_back(static_cast<std::uint8_t>(word >> 8));
    }
    position_ = 0;
    left_ = 0;
    enter(Phase::kIdentity, Work::kCommand);
}

}  // namespace sla::device
