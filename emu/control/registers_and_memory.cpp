// Commands about control registers, and about memory as gdb shows it.
#include "emu/control/console.h"
#include "emu/control/numbers.h"
#include "emu/pmc/events.h"

#include <fmt/format.h>

#include <array>

namespace sla::control {

namespace {

struct ControlRegister {
    std::uint32_t cpu::X86State::*value;
    std::uint32_t writable;  // from outside
    const char* others;      // why the other bits are not
};

// PE and PG are for the guest's own instructions: what follows them must be made for the other mode.
constexpr std::uint32_t kCr0Writable = 0x6005002E;  // MP EM TS NE WP AM NW CD
constexpr std::uint32_t kCr3Writable = 0xFFFFF018;  // PWT PCD and the directory's place
constexpr std::uint32_t kCr4Writable = 0x1DF;       // VME PVI TSD DE PSE MCE PGE PCE

ControlRegister named(char digit) {
    switch (digit) {
        case '0': return {&cpu::X86State::cr0, kCr0Writable, "PE and PG only the guest itself changes; others are reserved"};
        case '2': return {&cpu::X86State::cr2, 0xFFFFFFFF, ""};
        case '3': return {&cpu::X86State::cr3, kCr3Writable, "reserved"};
        default: return {&cpu::X86State::cr4, kCr4Writable, "reserved"};
    }
}

std::int32_t as_signed(std::uint32_t value, unsigned bytes) {
    if (bytes == 1) return static_cast<std::int8_t>(value);
    if (bytes == 2) return static_cast<std::int16_t>(value);
    return static_cast<std::int32_t>(value);
}

std::string shown(std::uint32_t value, const ExamineFormat& how) {
    switch (how.format) {
        case 'd': return fmt::format("{}", as_signed(value, how.bytes));
        case 'u': return fmt::format("{}", value);
        case 'o': return fmt::format("{:o}", value);
        case 't': return fmt::format("{:0{}b}", value, 8 * how.bytes);
        case 'c':
            return value >= ' ' && value <= '~' ? fmt::format("{} '{}'", value, static_cast<char>(value))
                                                : fmt::format("{}", value);
        default: return fmt::format("{:0{}x}", value, 2 * how.bytes);
    }
}

}  // namespace

Console::Answer Console::control_register(const Words& words) {
    if (words.size() != 1) return write_control_register(words);
    return fmt::format("{} {:08x}\n", words[0], vmm_.cpu().full_state().*named(words[0][2]).value);
}

Console::Answer Console::write_control_register(const Words& words) {
    if (words.size() != 3)
        return invalid_input(fmt::format("write {0}, or {0} = VALUE, {0} |= VALUE, {0} &= VALUE", words[0]));
    const ControlRegister which = named(words[0][2]);
    cpu::X86State now = vmm_.cpu().full_state();
    const auto typed = parse_number(words[2], 0xFFFFFFFF);
    if (!typed) return typed.error();
    const auto value = assigned(words[1], now.*which.value, *typed);
    if (!value) return value.error();
    const auto written = static_cast<std::uint32_t>(*value);
    const std::uint32_t refused = (written ^ now.*which.value) & ~which.writable;
    if (refused != 0) return invalid_input(fmt::format("{}: bits {:x}h do not change: {}", words[0], refused, which.others));
    now.*which.value = written;
    vmm_.set_state(now);
    changed(fmt::format("the command \"{} {} {}\"", words[0], words[1], words[2]));
    return std::string();
}

// The words are those of `sla counters --events pentium:WORD`.
Console::Answer Console::list_events(const Words& words) {
    if (words.size() != 1) return invalid_input("write events");
    std::string text;
    for (const pmc::Event& event : pmc::events()) {
        text += fmt::format("{} {} {}  {}\n", common::select_text(event.select), common::offer_word(event.offer), event.word,
                            event.name);
    }
    return text;
}

Console::Answer Console::examine_as(const Words& words) {
    const auto how = parse_examine(words[1]);
    if (!how) return how.error();
    const bool is_code = how->format == 'i';
    if (words.size() > 3 || (words.size() == 2 && !is_code)) return invalid_input("write x" + words[1] + " ADDRESS");
    const auto from = words.size() == 3 ? linear(words[2]) : Result<std::uint32_t>(vmm_.linear_address());
    if (!from) return from.error();
    if (is_code) return code(*from, how->count);
    if (how->format == 's') return strings(*from, how->count);
    const std::uint32_t in_line = how->bytes == 4 ? 4 : 8;
    std::string text;
    for (std::uint32_t i = 0; i < how->count; ++i) {
        const std::uint32_t at = *from + i * how->bytes;
        if (i % in_line == 0) text += fmt::format("{}{:08x}:", i == 0 ? "" : "\n", at);
        std::uint32_t value = 0;
        bool is_there = true;
        for (unsigned k = 0; k < how->bytes; ++k) {
            const auto byte = vmm_.cpu().read_byte(at + k);
            is_there = is_there && byte;
            value |= std::uint32_t{byte.value_or(0)} << (8 * k);
        }
        text += " " + (is_there ? shown(value, *how) : std::string(2 * how->bytes, '-'));
    }
    return text + "\n";
}

// Up to a zero byte each, or to where there is no memory; long ones are cut.
std::string Console::strings(std::uint32_t from, std::uint32_t count) const {
    constexpr std::size_t kLongest = 200;
    std::string text;
    std::uint32_t at = from;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::string one;
        const std::uint32_t begin = at;
        auto byte = vmm_.cpu().read_byte(at);
        const bool is_there = byte.has_value();
        for (; byte && *byte != 0 && at - begin < kLongest; byte = vmm_.cpu().read_byte(++at)) {
            const auto c = static_cast<char>(*byte);
            one += c >= ' ' && c <= '~' && c != '"' && c != '\\' ? std::string(1, c) : fmt::format("\\x{:02x}", *byte);
        }
        const bool is_cut = byte && *byte != 0;
        text += is_there ? fmt::format("{:08x}: \"{}\"{}\n", begin, one, is_cut ? "..." : "")
                         : fmt::format("{:08x}: --\n", begin);
        if (!byte) break;
        if (!is_cut) ++at;
    }
    return text;
}

}  // namespace sla::control
