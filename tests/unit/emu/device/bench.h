// A bench for one chip: a clock that the test moves, and a controller that remembers its wires.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/irq_line.h"
#include "emu/bus/port_device.h"
#include "emu/machine/virtual_clock.h"

#include <array>
#include <cstdint>
#include <initializer_list>

namespace sla::device {

class Wires final : public bus::IrqController {
public:
    void set_irq(unsigned line, bool now) override {
        if (now && !high.at(line)) ++rises.at(line);
        high.at(line) = now;
    }

    std::array<bool, 24> high{};
    std::array<int, 24> rises{};
};

class Bench {
public:
    static constexpr bus::Nanoseconds kMicrosecond = 1000;
    static constexpr bus::Nanoseconds kMillisecond = 1'000'000;
    static constexpr bus::Nanoseconds kSecond = 1'000'000'000;

    // Time goes by; what is due happens at its time.
    void pass(bus::Nanoseconds time) {
        const bus::Nanoseconds end = clock.now() + time;
        while (events.next_due() && *events.next_due() <= end) {
            clock.wait_until(*events.next_due());
            events.run_due();
        }
        clock.wait_until(end);
        events.run_due();
    }

    static std::uint8_t in(bus::PortDevice& chip, std::uint16_t port) {
        return static_cast<std::uint8_t>(chip.read_port(port, bus::Width::kByte));
    }
    static void out(bus::PortDevice& chip, std::uint16_t port, std::initializer_list<unsigned> bytes) {
        for (const unsigned byte : bytes) chip.write_port(port, bus::Width::kByte, byte);
    }

    machine::VirtualClock clock;
    bus::EventQueue events{clock};
    Wires wires;
};

}  // namespace sla::device
