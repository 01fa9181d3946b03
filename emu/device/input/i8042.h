// Intel 8042 keyboard controller of the PC/AT (IBM Technical Reference, 1986), ports 60h and 64h.
//
//   60h  read: output buffer (OBF falls, IRQ 1 or 12 too)    write: byte to the keyboard, or a command's parameter
//   64h  read: status PARE TIM AUXB INH C/D SYS IBF OBF      write: command
//
// A byte of the keyboard needs a millisecond on the wire; the controller's own answers are there at once. There is no mouse:
// commands to it are never answered, and its interface test says so. Owned by the machine's thread.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/irq_line.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/board/a20_gate.h"
#include "emu/device/input/keyboard.h"

#include <array>
#include <functional>
#include <optional>

namespace sla::device {

class I8042 final : public bus::PortDevice {
public:
    static constexpr std::uint16_t kDataPort = 0x60;
    static constexpr std::uint16_t kCommandPort = 0x64;
    // Eleven bits of a clock of 10 to 16.7 kHz, which is the keyboard's own.
    static constexpr bus::Nanoseconds kByteTime = 1'000'000;
    static constexpr bus::Nanoseconds kShortestByte = 660'000;
    static constexpr bus::Nanoseconds kLongestByte = 1'100'000;

    struct Pins {
        A20Gate& a20;                 // output port bit 1
        std::function<void()> reset;  // output port bit 0 pulled low
    };

    I8042(bus::EventQueue& events, bus::IrqLine keyboard_irq, Pins pins);

    // To what it is at power-on, and the keyboard too.
    void reset();

    // A key at the keyboard; false: lost.
    bool press(Keyboard::Key key);
    bool release(Keyboard::Key key);
    // The guest has read every key so far and would see another.
    [[nodiscard]] bool keyboard_ready() const;

    [[nodiscard]] std::string_view name() const override { return "kbd"; }
    [[nodiscard]] bool is_latch(std::uint16_t port, bus::Access access) const override {
        return port == kCommandPort && access == bus::Access::kIn;
    }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    [[nodiscard]] std::uint8_t status() const;
    [[nodiscard]] std::uint8_t output_port() const;
    void command(std::uint8_t value);
    void answer_command(std::uint8_t value);
    void data(std::uint8_t value);
    void set_output_port(std::uint8_t value);
    void set_command_byte(std::uint8_t value);
    void answer(std::uint8_t value, bool from_keyboard = false);
    void follow_keyboard();
    void shift_in();
    [[nodiscard]] std::uint8_t translate(std::uint8_t code);

    bus::EventQueue& events_;
    bus::IrqLine irq_;
    Pins pins_;
    bus::EventQueue::TimerId timer_;
    Keyboard keyboard_;
    std::array<std::uint8_t, 32> ram_{};  // byte 0 is the command byte
    std::optional<std::uint8_t> output_;  // the output buffer
    std::uint8_t last_output_ = 0;        // what stands in it once it was read
    bool from_keyboard_ = false;          // what is in it raises IRQ 1
    std::uint8_t awaits_ = 0;             // the command whose parameter comes next at 60h; 0: none
    bool last_was_command_ = false;       // status C/D
    bool break_next_ = false;             // an F0h came: the next code is a release
    bool shifting_ = false;               // a byte is on the wire
};

}  // namespace sla::device
