// What the commands of the floppy disk controller do.
#include "emu/device/storage/fdc82077.h"

#include <algorithm>

namespace sla::device {

namespace {

enum FdcCommand : std::uint8_t {  // without MT, MFM and SK
    kFdcSpecify = 0x03,
    kFdcSenseDrive = 0x04,
    kFdcWrite = 0x05,
    kFdcRead = 0x06,
    kFdcRecalibrate = 0x07,
    kFdcSenseInterrupt = 0x08,
    kFdcWriteDeleted = 0x09,
    kFdcReadId = 0x0A,
    kFdcReadDeleted = 0x0C,
    kFdcFormat = 0x0D,
    kFdcDumpRegisters = 0x0E,
    kFdcSeek = 0x0F,
    kFdcVersion = 0x10,
    kFdcPerpendicular = 0x12,
    kFdcConfigure = 0x13,
    kFdcLock = 0x14,
    kFdcVerify = 0x16,
};

constexpr std::uint8_t kCommandBits = 0x1F;
constexpr std::uint8_t kManyTracks = 0x80;  // MT; LOCK has its own meaning for it
constexpr std::uint8_t k82077 = 0x90;

constexpr std::uint8_t kSt0Abnormal = 0x40;
constexpr std::uint8_t kSt0Invalid = 0x80;
constexpr std::uint8_t kSt0ReadyChanged = 0xC0;
constexpr std::uint8_t kSt0SeekEnd = 0x20;
constexpr std::uint8_t kSt1NoAddressMark = 0x01;
constexpr std::uint8_t kSt1NoData = 0x04;
constexpr std::uint8_t kSt1Overrun = 0x10;
constexpr std::uint8_t kSt1DataError = 0x20;
constexpr std::uint8_t kSt1EndOfCylinder = 0x80;
constexpr std::uint8_t kSt2WrongCylinder = 0x10;
constexpr std::uint8_t kSt3Track0 = 0x10;
constexpr std::uint8_t kSt3TwoSided = 0x28;
constexpr std::uint8_t kSectorSizeCode = 2;  // 512 bytes
constexpr unsigned kMaxCylinder = 79;

bool is_transfer(std::uint8_t code) {
    return code == kFdcRead || code == kFdcWrite || code == kFdcReadDeleted || code == kFdcWriteDeleted ||
           code == kFdcVerify;
}

}  // namespace

unsigned Fdc82077::parameters_of(std::uint8_t command) {
    const std::uint8_t code = command & kCommandBits;
    if (is_transfer(code)) return 8;
    switch (code) {
        case kFdcFormat: return 5;
        case kFdcConfigure: return 3;
        case kFdcSpecify:
        case kFdcSeek: return 2;
        case kFdcSenseDrive:
        case kFdcRecalibrate:
        case kFdcReadId:
        case kFdcPerpendicular: return 1;
        default: return 0;
    }
}

bool Fdc82077::has_execution(std::uint8_t command) {
    const std::uint8_t code = command & kCommandBits;
    return is_transfer(code) || code == kFdcFormat || code == kFdcReadId || code == kFdcSeek || code == kFdcRecalibrate;
}

void Fdc82077::start() {
    const std::uint8_t code = command_[0] & kCommandBits;
    if (has_execution(code) || code == kFdcSenseDrive) unit_ = command_[1] & 3;
    if (is_transfer(code) || code == kFdcFormat) return start_transfer();
    switch (code) {
        case kFdcSpecify:
            specified_ = {command_[1], command_[2]};
            no_dma_ = (command_[2] & 1) != 0;
            return;
        case kFdcSenseDrive: return sense_drive();
        case kFdcRecalibrate: return start_seek(0);
        case kFdcSenseInterrupt: return sense_interrupt();
        case kFdcReadId: return execute_for(kSectorTime, kLongestTurn);
        case kFdcDumpRegisters: return dump_registers();
        case kFdcSeek: return start_seek(command_[2]);
        case kFdcVersion: return result({k82077});
        case kFdcPerpendicular: return;
        case kFdcConfigure: configured_ = {command_[1], command_[2], command_[3]}; return;
        case kFdcLock:
            locked_ = (command_[0] & kManyTracks) != 0;
            return result({static_cast<std::uint8_t>(locked_ ? 0x10 : 0)});
        default: return result({kSt0Invalid});
    }
}

void Fdc82077::start_seek(unsigned to) {
    const unsigned target = std::min(to, kMaxCylinder);
    const unsigned from = addressed().cylinder;
    const unsigned steps = target > from ? target - from : from - target;
    if (unit_ < kDrives) {
        addressed().cylinder = target;
        if (addressed().has_disk()) addressed().changed = false;
    }
    execute_for(kStepTime * (steps + 1), kLongestSettling);
}

// The execution phase is over.
void Fdc82077::finish() {
    const std::uint8_t code = command_[0] & kCommandBits;
    if (code == kFdcSeek || code == kFdcRecalibrate) {
        phase_ = Phase::kCommand;
        const bool no_track0 = code == kFdcRecalibrate && unit_ >= kDrives;
        st0_ = static_cast<std::uint8_t>(kSt0SeekEnd | unit_ | (no_track0 ? 0x50 : 0));
        seek_ended_ = true;
        command_.clear();
        return interrupt();
    }
    if (code == kFdcReadId) return finish_read_id();
    if (code == kFdcFormat) return finish_format();
    finish_transfer();
}

void Fdc82077::sense_interrupt() {
    interrupting_ = false;
    irq_.set(false);
    if (resets_to_sense_ > 0) {
        const unsigned unit = 4 - resets_to_sense_--;
        return result({static_cast<std::uint8_t>(kSt0ReadyChanged | unit), 0});
    }
    if (!seek_ended_) return result({kSt0Invalid});
    seek_ended_ = false;
    result({st0_, static_cast<std::uint8_t>(addressed().cylinder)});
}

void Fdc82077::sense_drive() {
    const bool track0 = unit_ < kDrives && addressed().cylinder == 0;
    result({static_cast<std::uint8_t>(kSt3TwoSided | (track0 ? kSt3Track0 : 0) | (command_[1] & 7))});
}

void Fdc82077::dump_registers() {
    const auto cylinder = [this](unsigned unit) { return static_cast<std::uint8_t>(drives_[unit].cylinder); };
    result({cylinder(0), cylinder(1), 0, 0, specified_[0], specified_[1], 0, static_cast<std::uint8_t>(locked_ ? 0x80 : 0),
            configured_[1], configured_[2]});
}

void Fdc82077::start_transfer() {
    const bool formats = (command_[0] & kCommandBits) == kFdcFormat;
    const unsigned first = formats ? 1 : command_[4];
    const unsigned last = formats ? command_[3] : command_[6];
    const unsigned sectors = std::clamp(last >= first ? last - first + 1 : 1U, 1U, 36U);
    execute_for(kSectorTime * sectors, kLongestTurn);
}

bool Fdc82077::transfer_sector(std::uint64_t number, bool write, bool& terminal) {
    std::array<std::uint8_t, kSectorBytes> bytes{};
    if (write) {
        const auto moved = dma_.from_memory(kDmaChannel, bytes);
        terminal = moved.terminal_count;
        return moved.bytes > 0 && addressed().disk().write(number, bytes);
    }
    if (!addressed().disk().read(number, bytes)) return false;
    const auto moved = dma_.to_memory(kDmaChannel, bytes);
    terminal = moved.terminal_count;
    return moved.bytes > 0;
}

// False at the end of the track, or of both tracks with MT.
bool Fdc82077::next_sector(Address& at) const {
    const unsigned last = command_[6];
    if (at.sector++ != last) return true;
    at.sector = 1;
    if ((command_[0] & kManyTracks) != 0 && at.head == 0) {
        at.head = 1;
        return true;
    }
    ++at.cylinder;
    if ((command_[0] & kManyTracks) != 0) at.head = 0;
    return false;
}

void Fdc82077::finish_transfer() {
    const std::uint8_t code = command_[0] & kCommandBits;
    const bool write = code == kFdcWrite || code == kFdcWriteDeleted;
    Address at{command_[2], command_[3], command_[4]};
    const auto st0 = static_cast<std::uint8_t>(unit_ | (command_[1] & 4));
    const auto fails = static_cast<std::uint8_t>(st0 | kSt0Abnormal);
    if (!unit_has_disk()) return transfer_result(fails, kSt1NoAddressMark, at);
    if (no_dma_) return transfer_result(fails, kSt1Overrun, at);
    for (bool terminal = false; !terminal;) {
        const auto number = addressed().find(at.cylinder, at.head, at.sector);
        if (at.cylinder != addressed().cylinder) return transfer_result(fails, kSt1NoData, at, kSt2WrongCylinder);
        if (!number || command_[5] != kSectorSizeCode) return transfer_result(fails, kSt1NoData, at);
        if (code != kFdcVerify && !transfer_sector(*number, write, terminal)) {
            return transfer_result(fails, write ? kSt1Overrun : kSt1DataError, at);
        }
        const bool more = next_sector(at);
        if (!more && code == kFdcVerify) break;
        if (!more && !terminal) return transfer_result(fails, kSt1EndOfCylinder, at);
    }
    transfer_result(st0, 0, at);
}

void Fdc82077::transfer_result(std::uint8_t st0, std::uint8_t st1, const Address& at, std::uint8_t st2) {
    result({st0, st1, st2, static_cast<std::uint8_t>(at.cylinder), static_cast<std::uint8_t>(at.head),
            static_cast<std::uint8_t>(at.sector), kSectorSizeCode});
    interrupt();
}

// The CPU hands C, H, R and N of every sector over by DMA; each gets the fill byte.
void Fdc82077::finish_format() {
    const unsigned head = command_[1] >> 2 & 1;
    const auto st0 = static_cast<std::uint8_t>(unit_ | (command_[1] & 4));
    const auto fails = static_cast<std::uint8_t>(st0 | kSt0Abnormal);
    Address at{addressed().cylinder, head, 1};
    if (!unit_has_disk()) return transfer_result(fails, kSt1NoAddressMark, at);
    std::array<std::uint8_t, kSectorBytes> filled{};
    filled.fill(command_[5]);
    for (unsigned sector = 0; sector < command_[3]; ++sector) {
        std::array<std::uint8_t, 4> id{};
        const auto moved = dma_.from_memory(kDmaChannel, id);
        if (moved.bytes < id.size()) return transfer_result(fails, kSt1Overrun, at);
        const auto number = addressed().find(id[0], id[1], id[2]);
        if (!number || !addressed().disk().write(*number, filled)) return transfer_result(fails, kSt1NoData, at);
    }
    transfer_result(st0, 0, at);
}

void Fdc82077::finish_read_id() {
    const unsigned head = command_[1] >> 2 & 1;
    const auto st0 = static_cast<std::uint8_t>(unit_ | (command_[1] & 4));
    const Address at{addressed().cylinder, head, 1};
    const bool readable = unit_has_disk() && addressed().find(at.cylinder, head, 1).has_value();
    if (readable) return transfer_result(st0, 0, at);
    transfer_result(static_cast<std::uint8_t>(st0 | kSt0Abnormal), kSt1NoAddressMark, at);
}

}  // namespace sla::device
