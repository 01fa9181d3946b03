// The commands of a console that act on the board: ports, interrupt lines, reset.
#include "emu/control/console.h"
#include "emu/control/numbers.h"

#include <fmt/format.h>

namespace sla::control {

Console::Answer Console::port_in(const Words& words) {
    if (words.size() < 2 || words.size() > 3) return usage("in PORT [b|w|d]");
    const auto port = parse_number(words[1], 0xFFFF);
    if (!port) return port.error();
    const auto width = parse_width(words.size() == 3 ? words[2] : "b");
    if (!width) return width.error();
    const std::uint32_t value = machine_.ports().read(static_cast<std::uint16_t>(*port), *width);
    return fmt::format("{:x}h {:0{}x}\n", *port, value, 2 * bus::bytes_of(*width));
}

Console::Answer Console::port_out(const Words& words) {
    if (words.size() < 3 || words.size() > 4) return usage("out PORT VALUE [b|w|d]");
    const auto port = parse_number(words[1], 0xFFFF);
    if (!port) return port.error();
    const auto width = parse_width(words.size() == 4 ? words[3] : "b");
    if (!width) return width.error();
    const auto value = parse_number(words[2], bus::all_ones(*width));
    if (!value) return value.error();
    machine_.ports().write(static_cast<std::uint16_t>(*port), *width, static_cast<std::uint32_t>(*value));
    return std::string();
}

Console::Answer Console::raise_irq(const Words& words) {
    if (words.size() != 2) return usage("irq NUMBER");
    const auto number = parse_number(words[1], 15);
    if (!number) return number.error();
    if (*number == device::Pic8259Pair::kCascade)
        return invalid_input("line 2 is the second controller's: no chip of the board drives it; write 0, 1 or 3 to 15");
    machine_.pulse_irq(static_cast<unsigned>(*number));
    return std::string();
}

Console::Answer Console::raise_nmi(const Words&) {
    machine_.lapic().deliver(device::Lapic::Delivery::kNmi, 0, false);
    return std::string();
}

Console::Answer Console::reset(const Words&) {
    machine_.pull_reset();
    return std::string();
}

}  // namespace sla::control
