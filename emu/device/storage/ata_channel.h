// One ATA channel with up to two disks (ATA/ATAPI-6, T13/1410D), programmed I/O only.
//
//   +0 data   +1 error/features   +2 sector count   +3 +4 +5 LBA low, mid, high   +6 device   +7 status/command
//   control   alternate status/device control (nIEN, SRST)
//
//   command ─► BSY ─(time)─► DRQ + INTRQ ─ data in ─► BSY ... ─► DRDY          reading
//                        └─► DRQ ─ data out ─► BSY ─(time)─► INTRQ [+ DRQ] ...  writing
//
// The five registers of a command are two bytes deep each (48-bit addressing). Without any disk the bus floats: all ones.
// Owned by the machine's thread; disks must outlive the channel.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/irq_line.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/storage/disk.h"

#include <array>
#include <cstdint>
#include <vector>

namespace sla::device {

class AtaChannel final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kFirstPort = 0x1F0;
    static constexpr std::uint16_t kLastPort = 0x1F7;
    static constexpr std::uint16_t kControlPort = 0x3F6;
    static constexpr unsigned kMaxMultiple = 16;  // sectors per interrupt
    static constexpr bus::Nanoseconds kCommandTime = 50'000;
    static constexpr bus::Nanoseconds kBlockTime = 20'000;
    static constexpr bus::Nanoseconds kResetTime = 1'000'000;
    // Where times vary: a command is done within half a millisecond out of the disk's own memory; once in so many the head
    // moves, for up to 20 ms, and waits for up to a turn at 7200 a minute. A block comes at 5 to 50 MB/s; a disk that is
    // reset shows itself busy for some milliseconds.
    static constexpr bus::Nanoseconds kShortestCommand = 20'000;
    static constexpr bus::Nanoseconds kLongestCached = 500'000;
    static constexpr bus::Nanoseconds kLongestCommand = 28'400'000;
    static constexpr std::int64_t kCommandsOfSeek = 16;
    static constexpr bus::Nanoseconds kShortestBlock = 10'000;
    static constexpr bus::Nanoseconds kLongestBlock = 100'000;
    static constexpr bus::Nanoseconds kLongestReset = 10'000'000;

    AtaChannel(bus::EventQueue& events, bus::IrqLine irq);

    void attach(unsigned unit, Disk& disk);
    // Its RESET- line: disks do as after SRST, and forget how they were set up.
    void reset();

    [[nodiscard]] std::string_view name() const override { return "ata"; }
    [[nodiscard]] bus::Width widest() const override { return bus::Width::kDword; }
    [[nodiscard]] bool is_latch(std::uint16_t port, bus::Access access) const override {
        return port == kControlPort && access == bus::Access::kIn;
    }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    struct Drive {
        Disk* disk = nullptr;
        unsigned heads = 16;  // the translation that INITIALIZE DEVICE PARAMETERS may change
        unsigned sectors_per_track = 63;
        unsigned multiple = 0;  // 0: READ/WRITE MULTIPLE refused
    };
    // A register of the command block: what was written last, and before.
    struct Deep {
        std::uint8_t now = 0;
        std::uint8_t before = 0;
        void write(std::uint8_t value) {
            before = now;
            now = value;
        }
    };
    enum class Work { kBlock, kCommand, kReset };  // that takes a time of its own
    enum class Phase { kIdle, kReset, kNonData, kIdentity, kReading, kDataIn, kAskData, kDataOut, kWriting };

    [[nodiscard]] Drive& drive() { return drives_[active_]; }
    [[nodiscard]] bool absent() const { return drives_[device_ >> 4 & 1].disk == nullptr; }
    [[nodiscard]] bool empty() const { return drives_[0].disk == nullptr && drives_[1].disk == nullptr; }
    [[nodiscard]] std::uint8_t status() const;

    // ata_channel.cpp: registers, phases
    void visit_transfer(bus::StateVisitor& state);
    [[nodiscard]] std::uint8_t read_register(unsigned reg);
    void write_register(unsigned reg, std::uint8_t value);
    void write_control(std::uint8_t value);
    std::uint32_t read_data(bus::Width width);
    void write_data(bus::Width width, std::uint32_t value);
    void enter(Phase phase, Work work);
    [[nodiscard]] bus::Nanoseconds lasting(Work work);
    void on_time();
    void sign();
    void interrupt();
    void fail(std::uint8_t error);

    // ata_commands.cpp: what commands do
    void command(std::uint8_t code);
    void simple_command(std::uint8_t code);
    void start_transfer(std::uint8_t code);
    [[nodiscard]] bool address(std::uint64_t& lba, std::uint32_t& count, bool extended);
    void set_address(std::uint64_t lba);
    void show_left();
    void read_block();
    void write_block();
    void set_multiple();
    void set_geometry();
    void native_size();
    void send_identity();

    bus::EventQueue& events_;
    bus::IrqLine irq_;
    bus::EventQueue::TimerId timer_;
    std::array<Drive, 2> drives_;

    Deep features_, count_, lba_low_, lba_mid_, lba_high_;
    std::uint8_t device_ = 0;
    std::uint8_t control_ = 0;
    std::uint8_t error_ = 1;  // "passed", as after a reset
    bool failed_ = false;     // status ERR
    bool interrupting_ = false;

    Phase phase_ = Phase::kIdle;
    unsigned active_ = 0;     // the disk that got the last command; the guest may select the other one meanwhile
    std::uint64_t next_ = 0;  // sector
    std::uint32_t left_ = 0;  // sectors
    unsigned block_ = 1;      // sectors per interrupt
    bool extended_ = false;   // 48-bit addresses
    std::vector<std::uint8_t> buffer_;
    std::size_t position_ = 0;
};

}  // namespace sla::device
