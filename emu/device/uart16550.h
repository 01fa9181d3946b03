// National Semiconductor PC16550D UART (data sheet TL/C/8652): one serial port, eight I/O addresses.
//
//   +0 RBR/THR, DLL with DLAB   +1 IER, DLM with DLAB   +2 IIR/FCR   +3 LCR   +4 MCR   +5 LSR   +6 MSR   +7 SCR
//
// A byte that the guest sends leaves at once: the transmitter is always empty, whatever the divisor says. What comes from
// outside waits for the guest, however much whoever brings it lets wait, and comes one byte after the other at the line's speed.
// Loop-back works, modem lines report a peer that is always ready. Owned by the machine's thread.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/irq_line.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>

namespace sla::device {

class Uart16550 final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kPorts = 8;
    static constexpr std::uint16_t kCom1 = 0x3F8;
    static constexpr std::uint16_t kCom2 = 0x2F8;

    // `name` as in "com1".
    Uart16550(bus::EventQueue& events, bus::IrqLine irq, std::string name);

    // Its MR pin. What is still on the line comes nevertheless.
    void reset();

    // Gets every byte that the guest sends; must not block for long.
    void on_byte(std::function<void(std::uint8_t)> receiver) { receiver_ = std::move(receiver); }
    // A byte arrives from outside.
    void receive(std::uint8_t byte);
    // Bytes from outside that the guest has not had yet.
    [[nodiscard]] std::size_t waiting() const { return arriving_.size(); }

    [[nodiscard]] std::string_view name() const override { return name_; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    static constexpr std::size_t kFifoBytes = 16;
    static constexpr std::uint16_t kPowerOnDivisor = 12;

    std::uint8_t read_data();
    void send(std::uint8_t byte);
    void write_fcr(std::uint8_t value);
    void take(std::uint8_t byte);
    [[nodiscard]] std::uint8_t identify();
    [[nodiscard]] std::uint8_t pending() const;
    [[nodiscard]] std::uint8_t modem_lines() const;
    [[nodiscard]] std::size_t trigger_level() const;
    void follow_interrupt();
    void expect_next();
    [[nodiscard]] bus::Nanoseconds byte_time() const;

    bus::EventQueue& events_;
    bus::IrqLine irq_;
    bus::EventQueue::TimerId timer_;
    std::string name_;
    std::function<void(std::uint8_t)> receiver_;
    std::deque<std::uint8_t> arriving_;  // still on the line
    std::deque<std::uint8_t> fifo_;      // received; one byte without FIFO
    bool byte_on_line_ = false;
    std::uint16_t divisor_ = kPowerOnDivisor;
    std::uint8_t ier_ = 0;
    std::uint8_t fcr_ = 0;
    std::uint8_t lcr_ = 0;
    std::uint8_t mcr_ = 0;
    std::uint8_t scr_ = 0;
    std::uint8_t msr_delta_ = 0;
    bool overrun_ = false;
    bool thr_interrupt_ = false;  // THR became empty, and IIR has not said so yet
};

}  // namespace sla::device
