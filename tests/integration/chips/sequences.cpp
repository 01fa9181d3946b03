#include "tests/integration/chips/sequences.h"

namespace sla::chips {

namespace {

using Accesses = std::vector<Access>;

void write(Accesses& into, std::uint16_t port, std::uint8_t value) {
    into.push_back({true, port, value});
}
void read(Accesses& into, std::uint16_t port, std::uint8_t compared = 0xFF) {
    into.push_back({false, port, 0, compared});
}

void anything(Random& random, Accesses& into, std::span<const std::uint16_t> ports) {
    into.push_back({random.one_in(2), random.of(ports), random.byte()});
}

Accesses outs(std::initializer_list<std::pair<std::uint16_t, std::uint8_t>> writes) {
    Accesses all;
    for (const auto& [port, value] : writes) all.push_back({true, port, value});
    return all;
}

Accesses begin_pic() {
    return outs({{0x20, 0x11},
                 {0x21, 0x08},
                 {0x21, 0x04},
                 {0x21, 0x01},
                 {0xA0, 0x11},
                 {0xA1, 0x70},
                 {0xA1, 0x02},
                 {0xA1, 0x01},
                 {0x4D0, 0},
                 {0x4D1, 0},
                 {0x20, 0x0A},
                 {0xA0, 0x0A}});
}

void next_pic(Random& random, Accesses& into) {
    constexpr std::array<std::uint16_t, 6> kPorts{0x20, 0x21, 0xA0, 0xA1, 0x4D0, 0x4D1};
    anything(random, into, kPorts);
}

Accesses begin_pit() {
    return outs({{0x61, 0}});
}

// A mode, with or without a count, and what the status says of it. Counts are not compared: QEMU's takes a new one at once, where
// the data sheet has it wait for a clock or the end of the period; nor are output and null count.
void next_pit(Random& random, Accesses& into) {
    constexpr std::uint8_t kStatus = 0x3F;
    const auto counter = static_cast<std::uint8_t>(random.below(3));
    const auto port = static_cast<std::uint16_t>(0x40 + counter);
    const auto access = static_cast<std::uint8_t>(1 + random.below(3));
    write(into, 0x43, static_cast<std::uint8_t>(counter << 6 | access << 4 | (random.byte() & 15)));
    if (random.one_in(2)) write(into, port, random.byte());
    if (random.one_in(2)) write(into, port, random.byte());
    if (random.one_in(4)) write(into, 0x43, static_cast<std::uint8_t>(counter << 6));  // latched behind the status
    write(into, 0x43, static_cast<std::uint8_t>(0xE0 | 2U << counter));
    if (random.one_in(2)) write(into, 0x43, static_cast<std::uint8_t>(0xE0 | 2U << counter));
    read(into, port, kStatus);
}

Accesses begin_dma() {
    return outs({{0x0D, 0}, {0xDA, 0}});
}

// Addresses and counts by both bytes, as QEMU takes them no other way; its mask register stands elsewhere.
void next_dma(Random& random, Accesses& into) {
    const bool second = random.one_in(2);
    const auto at = [second](unsigned number) { return static_cast<std::uint16_t>(second ? 0xC0 + 2 * number : number); };
    switch (random.below(5)) {
        case 0: {
            constexpr std::array<std::uint16_t, 8> kPages{0x81, 0x82, 0x83, 0x87, 0x89, 0x8A, 0x8B, 0x8F};
            return anything(random, into, kPages);
        }
        case 1: {
            const auto port = at(random.below(8));
            write(into, at(0x0C), 0), write(into, port, random.byte()), write(into, port, random.byte());
            return;
        }
        case 2: {
            const auto port = at(random.below(8));
            write(into, at(0x0C), 0), read(into, port), read(into, port);
            return;
        }
        case 3: return read(into, at(8));
        default: {
            constexpr std::array<unsigned, 6> kRegisters{0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F};
            write(into, at(random.of(kRegisters)), random.byte());
        }
    }
}

Accesses begin_cmos() {
    Accesses all = outs({{0x70, 0x0B}, {0x71, 0x82}, {0x70, 0x0A}, {0x71, 0x26}});  // SET: nothing moves
    for (std::uint8_t index = 0; index < 128; ++index) {
        if (index < 10 || index > 13) write(all, 0x70, index), write(all, 0x71, 1);
    }
    return all;
}

void next_cmos(Random& random, Accesses& into) {
    const auto index = static_cast<std::uint8_t>(random.one_in(3) ? random.below(16) : random.below(128));
    constexpr std::uint8_t kSecondCentury = 0x37;  // which QEMU has at 32h too
    if (index == kSecondCentury) return;
    const auto disabled_nmi = static_cast<std::uint8_t>(random.one_in(2) ? 0x80 : 0);
    write(into, 0x70, index | disabled_nmi);
    const bool control = index >= 10 && index <= 13;
    if (random.one_in(2) && !control)
        write(into, 0x71, index < 10 ? static_cast<std::uint8_t>(1 + random.below(9)) : random.byte());
    if (random.one_in(4) && index == 11) write(into, 0x71, static_cast<std::uint8_t>(0x82 | (random.byte() & 0x05)));
    read(into, 0x71);
}

Accesses begin_keyboard() {
    Accesses all;
    for (int i = 0; i < 20; ++i) read(all, 0x60);
    for (const Access& access : outs({{0x64, 0x60}, {0x60, 0x00}, {0x64, 0xAE}, {0x60, 0xF5}})) all.push_back(access);
    for (int i = 0; i < 4; ++i) read(all, 0x60);
    return all;
}

// A command and all that it answers. Not the pulses that reset the PC, not the mouse; QEMU's status never shows which port was
// written to (bit 3), nor the command byte's system flag (bit 2).
void next_keyboard(Random& random, Accesses& into) {
    constexpr std::uint8_t kStatus = 0xF3;
    constexpr std::array<std::uint8_t, 5> kCommands{0x20, 0xAA, 0xAB, 0xAE, 0xD2};
    constexpr std::array<std::uint8_t, 4> kToKeyboard{0xEE, 0xF2, 0xF5, 0xF4};
    constexpr std::array<std::uint8_t, 2> kWithByte{0xED, 0xF3};
    switch (random.below(4)) {
        case 0: {
            const std::uint8_t command = random.of(kCommands);
            write(into, 0x64, command);
            if (command == 0xD2) write(into, 0x60, random.byte());
            break;
        }
        case 1: write(into, 0x60, random.of(kToKeyboard)); break;
        case 2:
            write(into, 0x60, random.of(kWithByte));
            read(into, 0x60);
            write(into, 0x60, static_cast<std::uint8_t>(random.below(8)));
            break;
        default: write(into, 0x64, 0x60), write(into, 0x60, static_cast<std::uint8_t>(random.byte() & 0x44)); break;
    }
    const bool self_test = into.back().port == 0x64 && into.back().value == 0xAA;
    for (int i = 0; i < 4; ++i) read(into, 0x64, kStatus), read(into, 0x60);
    read(into, 0x64, kStatus);
    if (self_test) write(into, 0x64, 0x60), write(into, 0x60, 0x44);  // QEMU's test leaves the system flag out
}

Accesses begin_uart() {
    auto all = outs({{0x3FB, 0x80}, {0x3F8, 1}, {0x3F9, 0}, {0x3FB, 3}, {0x3FC, 0}, {0x3F9, 0}, {0x3FA, 6}, {0x3FF, 0}});
    for (const std::uint16_t port : {0x3F8, 0x3FD, 0x3FE, 0x3FA}) read(all, port);
    return all;
}

// Not the loop, in which QEMU's modem status has no changes; nothing is sent; status registers are not written.
void next_uart(Random& random, Accesses& into) {
    constexpr std::uint8_t kDivisorLatch = 0x80;
    switch (random.below(4)) {
        case 0:
            write(into, 0x3FB, static_cast<std::uint8_t>(random.byte() | kDivisorLatch));
            write(into, 0x3F8, static_cast<std::uint8_t>(random.byte() | 1)), write(into, 0x3F9, random.byte());
            read(into, 0x3F8), read(into, 0x3F9), read(into, 0x3FB);
            write(into, 0x3FB, static_cast<std::uint8_t>(random.byte() & ~kDivisorLatch));
            return;
        case 1: {
            constexpr std::array<std::uint16_t, 2> kPorts{0x3FF, 0x3F9};
            const std::uint16_t port = random.of(kPorts);
            write(into, port, random.byte());
            return read(into, port);
        }
        case 2: write(into, 0x3FC, static_cast<std::uint8_t>(random.byte() & 0xEF)); return;
        default: return read(into, static_cast<std::uint16_t>(0x3F8 + random.below(8)));
    }
}

Accesses begin_disk() {
    return outs({{0x3F6, 0x02}, {0x1F6, 0xA0}});
}

// Commands that do not wait for the medium, of the only disk.
void next_disk(Random& random, Accesses& into) {
    constexpr std::uint8_t kStatus = 0xEF;  // bit 4, "seek complete", is no longer defined behind an error
    constexpr std::array<std::uint8_t, 4> kCommands{0x91, 0x10, 0xE5, 0x01};
    switch (random.below(4)) {
        case 0: return write(into, static_cast<std::uint16_t>(0x1F2 + random.below(4)), random.byte());
        case 1: return write(into, 0x1F6, static_cast<std::uint8_t>(0xA0 | (random.byte() & 0x4F)));
        case 2:
            if (!random.one_in(6)) return;
            write(into, 0x1F7, random.of(kCommands));
            return read(into, 0x1F7, kStatus);
        default: {
            const auto port = static_cast<std::uint16_t>(random.one_in(6) ? 0x3F6 : 0x1F2 + random.below(6));
            return read(into, port, port == 0x3F6 || port == 0x1F7 ? kStatus : 0xFF);
        }
    }
}

Accesses begin_display() {
    Accesses all;
    write(all, 0x3C2, 0x67);
    write(all, 0x3D4, 17), write(all, 0x3D5, 0);  // which protects the first ones
    for (std::uint8_t i = 0; i < 25; ++i) write(all, 0x3D4, i), write(all, 0x3D5, 0);
    for (std::uint8_t i = 0; i < 5; ++i) write(all, 0x3C4, i), write(all, 0x3C5, 0);
    for (std::uint8_t i = 0; i < 9; ++i) write(all, 0x3CE, i), write(all, 0x3CF, 0);
    for (std::uint8_t i = 0; i < 21; ++i) read(all, 0x3DA), write(all, 0x3C0, i), write(all, 0x3C0, 0);
    return all;
}

// Each register by its index. QEMU has no pixel mask, reads 3C0h as 0 behind an index, and its retrace turns at every read.
void next_display(Random& random, Accesses& into) {
    switch (random.below(5)) {
        case 0: write(into, 0x3D4, static_cast<std::uint8_t>(random.below(25))); break;
        case 1:
            write(into, 0x3C4, static_cast<std::uint8_t>(random.below(5)));
            if (random.one_in(2)) write(into, 0x3C5, random.byte());
            return read(into, 0x3C5);
        case 2:
            write(into, 0x3CE, static_cast<std::uint8_t>(random.below(9)));
            if (random.one_in(2)) write(into, 0x3CF, random.byte());
            return read(into, 0x3CF);
        case 3:
            read(into, 0x3DA, 0), write(into, 0x3C0, static_cast<std::uint8_t>(random.below(21)));
            if (random.one_in(2)) return write(into, 0x3C0, random.byte());
            return read(into, 0x3C1);
        default:
            write(into, 0x3C8, random.byte());
            for (int i = 0; i < 3; ++i) write(into, 0x3C9, static_cast<std::uint8_t>(random.byte() & 0x3F));
            write(into, 0x3C7, into[into.size() - 4].value);
            for (int i = 0; i < 3; ++i) read(into, 0x3C9);
            return read(into, 0x3CC);
    }
    if (random.one_in(2)) write(into, 0x3D5, random.byte());
    read(into, 0x3D5);
}

Accesses begin_system() {
    return outs({{0x61, 0}, {0x92, 0}});
}

// Bit 0 of port 92h resets the PC. Of port 61h only the gate and the speaker: QEMU keeps no parity bits, and turns the refresh at
// every read.
void next_system(Random& random, Accesses& into) {
    if (random.one_in(2)) {
        if (random.one_in(2)) write(into, 0x61, random.byte());
        return read(into, 0x61, 0x03);
    }
    if (random.one_in(2)) write(into, 0x92, static_cast<std::uint8_t>(random.byte() & 0xFE));
    read(into, 0x92, 0x02);
}

constexpr std::array<Chip, 9> kChips{{{"pic", begin_pic, next_pic},
                                      {"pit", begin_pit, next_pit},
                                      {"dma", begin_dma, next_dma},
                                      {"cmos", begin_cmos, next_cmos},
                                      {"keyboard", begin_keyboard, next_keyboard, 5'000'000},
                                      {"uart", begin_uart, next_uart},
                                      {"disk", begin_disk, next_disk, 5'000'000},
                                      {"display", begin_display, next_display},
                                      {"system", begin_system, next_system}}};

}  // namespace

std::span<const Chip> chips() {
    return kChips;
}

}  // namespace sla::chips
