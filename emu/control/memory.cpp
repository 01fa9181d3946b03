// Commands about memory: bytes, other units as gdb shows them, code.
#include "emu/control/console.h"
#include "emu/control/numbers.h"
#include "proto/common/disassembly/disassembly.h"

#include <fmt/format.h>

#include <vector>

namespace sla::control {

namespace {

constexpr std::uint64_t kMaxCount = 4096;

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

// Up to where there is no memory.
std::vector<std::uint8_t> readable(const cpu::Cpu& cpu, std::uint32_t from, std::size_t most) {
    std::vector<std::uint8_t> bytes;
    while (bytes.size() < most) {
        const auto byte = cpu.read_byte(from + static_cast<std::uint32_t>(bytes.size()));
        if (!byte) break;
        bytes.push_back(*byte);
    }
    return bytes;
}

// How code at a linear address is named: by CS where that reaches it. In real mode and virtual 8086 mode an offset has 16 bits, and
// what CS does not reach is reached by other selectors, below 1 MB and 64 KB.
bus::CodeAddress code_address(const cpu::X86State& state, std::uint32_t linear) {
    constexpr std::uint32_t kSegmentBytes = 1U << 16;
    constexpr std::uint32_t kLastSelector = 0xFFFF;
    const cpu::Segment& code = state.segments[cpu::kCs];
    const std::uint32_t offset = linear - code.base;
    const bool is_real = !state.protected_mode() || state.virtual_8086();
    if (!is_real || offset < kSegmentBytes) return {code.selector, offset};
    if (linear < bus::Memory::kMegabyte) return {static_cast<std::uint16_t>(linear >> 4 & 0xF000), linear & 0xFFFF};
    const std::uint32_t behind = linear - (kLastSelector << 4);
    if (behind < kSegmentBytes) return {kLastSelector, behind};
    return {code.selector, offset};
}

}  // namespace

Console::Answer Console::examine(const Words& words) {
    if (words.size() < 2 || words.size() > 3) return usage("x ADDRESS [COUNT]");
    const auto from = linear(words[1]);
    if (!from) return from.error();
    const auto count = parse_number(words.size() == 3 ? words[2] : "16", kMaxCount);
    if (!count) return count.error();
    if (*count == 0) return usage("x ADDRESS [COUNT]");
    std::string text;
    for (std::uint32_t i = 0; i < *count; ++i) {
        if (i % 16 == 0) text += fmt::format("{}{:08x}:", i == 0 ? "" : "\n", *from + i);
        const auto byte = vmm_.cpu().read_byte(*from + i);
        text += byte ? fmt::format(" {:02x}", *byte) : " --";
    }
    return text + "\n";
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

Console::Answer Console::write(const Words& words) {
    if (words.size() < 3) return usage("write ADDRESS BYTE...");
    const auto to = linear(words[1]);
    if (!to) return to.error();
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 2; i < words.size(); ++i) {
        const auto byte = parse_number(words[i], 0xFF);
        if (!byte) return byte.error();
        bytes.push_back(static_cast<std::uint8_t>(*byte));
    }
    const auto place = [&](std::size_t number) { return static_cast<std::uint32_t>(*to + number); };
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (!vmm_.cpu().read_byte(place(i))) return invalid_input(fmt::format("there is no memory at {:x}h", place(i)));
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (vmm_.write_byte(place(i), bytes[i])) continue;
        changed("a command that wrote to memory");
        return invalid_input(
            fmt::format("{} of the {} bytes are written: with them, paging shows no memory at {:x}h any more", i,
                        bytes.size(), place(i)));
    }
    return std::string();
}

Console::Answer Console::disassemble(const Words& words) {
    if (words.size() > 3) return usage("disassemble [ADDRESS] [COUNT]");
    const auto from = words.size() > 1 ? linear(words[1]) : Result<std::uint32_t>(vmm_.linear_address());
    if (!from) return from.error();
    const auto count = parse_number(words.size() == 3 ? words[2] : "8", kMaxCount);
    if (!count) return count.error();
    return code(*from, *count);
}

std::string Console::code(std::uint32_t from, std::uint64_t count) const {
    const cpu::X86State now = vmm_.cpu().full_state();
    const auto mode = now.code32() ? disassembly::Mode::k32 : disassembly::Mode::k16;
    std::string text;
    std::uint32_t at = from;
    for (std::uint64_t i = 0; i < count; ++i) {
        const bus::CodeAddress place = code_address(now, at);
        const std::vector<std::uint8_t> code = readable(vmm_.cpu(), at, disassembly::kLongest);
        if (code.empty()) {
            text += fmt::format("{:04x}:{:08x}{}  --\n", place.selector, place.offset, name_of(at));
            break;
        }
        const auto found = disassembly::disassemble(code, mode, place.offset);
        std::string bytes;
        for (std::size_t k = 0; k < found.length; ++k) bytes += fmt::format("{:02x}", code[k]);
        text += fmt::format("{:04x}:{:08x}{}  {:<20} {}\n", place.selector, place.offset, name_of(at), bytes, found.text);
        at += static_cast<std::uint32_t>(found.length);
    }
    return text;
}

}  // namespace sla::control
