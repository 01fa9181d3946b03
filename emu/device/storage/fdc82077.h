// Intel 82077AA floppy disk controller (data sheet 290166) in its PC-AT mode, with two drives; transfers go by DMA channel 2 only.
//
//   3F0 3F1 (none)  3F2 DOR  3F3 TDR  3F4 MSR (read), DSR (write)  3F5 FIFO  3F7 DIR (read), CCR (write)
//
//   bytes of a command ─► execution (seek, sectors by DMA; takes time) ─► IRQ 6 ─► bytes of the result
//
// A drive here is about ten times as fast as a real one. A command that asks for transfers without DMA ends abnormally.
// Owned by the machine's thread.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/irq_line.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/storage/dma_pair.h"
#include "emu/device/storage/floppy_drive.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace sla::device {

class Fdc82077 final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kFirstPort = 0x3F0;
    static constexpr std::uint16_t kLastPort = 0x3F5;
    static constexpr std::uint16_t kDirPort = 0x3F7;
    static constexpr unsigned kDmaChannel = 2;
    static constexpr unsigned kDrives = 2;
    static constexpr bus::Nanoseconds kStepTime = 300'000;
    static constexpr bus::Nanoseconds kSectorTime = 1'000'000;
    static constexpr bus::Nanoseconds kResetTime = 100'000;
    // Where times vary: the sector comes by within a turn, 300 a minute and up to 1.5 % slower; a head settles for up to 15 ms.
    static constexpr bus::Nanoseconds kLongestTurn = 203'000'000;
    static constexpr bus::Nanoseconds kLongestSettling = 15'000'000;
    static constexpr std::uint8_t kDorAtPowerOn = 0x0C;

    Fdc82077(bus::EventQueue& events, bus::IrqLine irq, DmaPair& dma);

    // Its RESET pin.
    void hardware_reset();

    [[nodiscard]] FloppyDrive& drive(unsigned number) { return drives_[number]; }

    [[nodiscard]] std::string_view name() const override { return "fdc"; }
    [[nodiscard]] bool is_latch(std::uint16_t port, bus::Access access) const override;
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    enum class Phase { kCommand, kExecution, kResult, kReset };
    struct Address {
        unsigned cylinder = 0, head = 0, sector = 0;
    };

    // fdc82077.cpp: registers and phases
    void write_dor(std::uint8_t value);
    void write_fifo(std::uint8_t value);
    std::uint8_t read_fifo();
    [[nodiscard]] std::uint8_t main_status() const;
    void reset();
    void leave_reset();
    void interrupt();
    void execute_for(bus::Nanoseconds time, bus::Nanoseconds most_more);
    void on_time();
    void result(std::initializer_list<std::uint8_t> bytes);

    // fdc_commands.cpp: what commands do
    void start();
    void finish();
    void start_seek(unsigned to);
    void sense_interrupt();
    void sense_drive();
    void dump_registers();
    void start_transfer();
    void finish_transfer();
    void finish_format();
    void finish_read_id();
    [[nodiscard]] bool transfer_sector(std::uint64_t number, bool write, bool& terminal);
    [[nodiscard]] bool next_sector(Address& at) const;
    void transfer_result(std::uint8_t st0, std::uint8_t st1, const Address& at, std::uint8_t st2 = 0);
    [[nodiscard]] FloppyDrive& addressed() { return drives_[unit_ & 1]; }
    [[nodiscard]] bool unit_has_disk() const { return unit_ < kDrives && drives_[unit_].has_disk(); }
    [[nodiscard]] static unsigned parameters_of(std::uint8_t command);
    [[nodiscard]] static bool has_execution(std::uint8_t command);

    bus::EventQueue& events_;
    bus::IrqLine irq_;
    DmaPair& dma_;
    bus::EventQueue::TimerId timer_;
    std::array<FloppyDrive, kDrives> drives_;

    Phase phase_ = Phase::kCommand;
    std::vector<std::uint8_t> command_;  // its bytes as they come
    std::vector<std::uint8_t> result_;   // what is left of it, last byte first
    std::uint8_t dor_ = kDorAtPowerOn;
    std::uint8_t tape_ = 0;
    std::uint8_t unit_ = 0;         // of the present command, 0-3
    std::uint8_t st0_ = 0;          // of the last seek, for SENSE INTERRUPT
    bool seek_ended_ = false;       // SENSE INTERRUPT has something to say
    unsigned resets_to_sense_ = 0;  // after a reset: one answer for each of four drives
    bool no_dma_ = false;           // SPECIFY ND
    bool locked_ = false;
    std::array<std::uint8_t, 2> specified_{};
    std::array<std::uint8_t, 3> configured_{};
    bool interrupting_ = false;
};

}  // namespace sla::device
