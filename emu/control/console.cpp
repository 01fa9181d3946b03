#include "emu/control/console.h"

#include "emu/control/numbers.h"
#include "proto/common/disassembly/disassembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace sla::control {

namespace {

constexpr std::array<const char*, 8> kGeneralNames{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"};
constexpr std::array<const char*, 6> kSegmentNames{"es", "cs", "ss", "ds", "fs", "gs"};
constexpr std::uint64_t kMaxCount = 4096;

std::string flags_in_words(std::uint32_t eflags) {
    constexpr std::array<std::pair<unsigned, const char*>, 9> kNames{
        {{11, "OF"}, {10, "DF"}, {9, "IF"}, {8, "TF"}, {7, "SF"}, {6, "ZF"}, {4, "AF"}, {2, "PF"}, {0, "CF"}}};
    std::string text;
    for (const auto& [bit, name] : kNames) {
        if ((eflags >> bit & 1) != 0) text += text.empty() ? name : std::string(" ") + name;
    }
    return text;
}

Error usage(const char* how) {
    return invalid_input(fmt::format("write {}", how));
}

// "cr4=5" and "cr4 |=5" are "cr4", a sign and "5"; "x/16xb" and "x /16xb" are "x/" and "/16xb".
void split_signs(std::vector<std::string>& words) {
    if (words[0] == "x" && words.size() > 1 && words[1].starts_with('/')) {
        words[0] = "x/";
        return;
    }
    if (words[0].starts_with("x/")) {
        words.insert(words.begin() + 1, words[0].substr(1));
        words[0] = "x/";
        return;
    }
    if (!words[0].starts_with("cr")) return;
    std::string line = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) line += " " + words[i];
    const std::size_t sign = line.find_first_of("=|&");
    if (sign == std::string::npos) return;
    const std::size_t value = line[sign] == '=' ? sign + 1 : sign + 2;
    std::istringstream parts(line.substr(0, sign) + " " + line.substr(sign, value - sign) + " " +
                             line.substr(std::min(value, line.size())));
    words.clear();
    for (std::string word; parts >> word;) words.push_back(word);
}

}  // namespace

struct Console::Command {
    const char* name;
    const char* usage;
    const char* does;
    Answer (Console::*run)(const Words&);
    bool changes = false;  // the machine, so that its run is another one from then on
};

const std::vector<Console::Command>& Console::commands() {
    static const std::vector<Command> kCommands{
        {"regs", "regs", "general, segment and control registers, flags", &Console::registers},
        {"cr0", "cr0 (cr2, cr3, cr4)",
         "a control register; `cr4 = 10h` writes it, `cr4 |= 10h` and `cr4 &= 0xef` bits of it", &Console::control_register},
        {"cr2", "", "", &Console::control_register},
        {"cr3", "", "", &Console::control_register},
        {"cr4", "", "", &Console::control_register},
        {"rdmsr", "rdmsr 11h", "a model-specific register", &Console::read_msr},
        {"wrmsr", "wrmsr 11h 0x00d6", "writes one; `wrmsr 11h |= 40h` and `&=` bits of it", &Console::write_msr, true},
        {"set", "set eax 5", "a general register, eip or eflags", &Console::set, true},
        {"in", "in 71h [b|w|d]", "reads a port, as the guest would", &Console::port_in, true},
        {"out", "out 70h 0fh [b|w|d]", "writes one", &Console::port_out, true},
        {"x", "x f000:e05b [COUNT]", "bytes of memory", &Console::examine},
        {"x/", "x/16xb f000:e05b", "so many units of memory: x d u o t c s i as in gdb, by b, h (2 bytes) or w (4)",
         &Console::examine_as},
        {"write", "write 0:500 90h 90h", "bytes into memory", &Console::write, true},
        {"disassemble", "disassemble [ADDRESS] [COUNT]", "code, from CS:EIP where no address is given",
         &Console::disassemble},
        {"counts", "counts [all]", "events since power-on, of all rings; all: the modelled ones too, from now on",
         &Console::counts},
        {"section", "section irq.0.isr [16,1D]",
         "what each span of a channel counted since this was first asked, as JSON; `section none`: no more",
         &Console::section},
        {"events", "events", "what CESR can select: number, how well it is known, word, name", &Console::list_events},
        {"irq", "irq 1", "a pulse on an interrupt line, 0 to 15, until it is taken", &Console::raise_irq, true},
        {"nmi", "nmi", "a non-maskable interrupt", &Console::raise_nmi, true},
        {"reset", "reset", "the processor's reset line", &Console::reset, true},
        {"pause", "pause", "the guest stands still until `go`", &Console::pause},
        {"go", "go", "it goes on", &Console::go},
        {"step", "step [COUNT]", "so many instructions, then it stands still", &Console::step},
        {"run-to", "run-to ADDRESS", "until the instruction there is the next one", &Console::run_to},
        {"run-to-event", "run-to-event TRIGGER", "until that event, as triggers say it: port.post, irq.0.isr begins",
         &Console::run_to_event},
        {"reverse-step", "reverse-step [COUNT]", "back by so many instructions (--history-memory)", &Console::reverse_step},
        {"reverse-to", "reverse-to ADDRESS", "back to where the instruction there was the next one", &Console::reverse_to},
        {"reverse-to-event", "reverse-to-event TRIGGER", "back to that event, the last one before: irq.0.isr begins",
         &Console::reverse_to_event},
        {"history", "history", "how far it can go back, and over what it cannot", &Console::show_history},
        {"stop-at", "stop-at TRIGGER (none)", "the same without waiting for it: pmc.ctr0 > 1000", &Console::stop_at},
        {"state", "state [SECTION]...", "registers of CPU and chips by name: state pic pit", &Console::state},
        {"save", "save FILE", "a snapshot of the PC, for `load` and `sla-emu run --load`", &Console::save},
        {"load", "load FILE", "the PC goes on from a snapshot", &Console::load, true},
        {"help", "help", "this", &Console::show_help},
    };
    return kCommands;
}

std::string Console::help() {
    std::string text;
    for (const Command& command : commands()) {
        if (command.usage[0] != '\0') text += fmt::format("  {:<30} {}\n", command.usage, command.does);
    }
    return text;
}

Result<std::string> Console::run(std::string_view line) {
    std::istringstream stream{std::string(line)};
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.empty()) return std::string();
    split_signs(words);
    const auto found =
        std::find_if(commands().begin(), commands().end(), [&](const Command& c) { return words[0] == c.name; });
    if (found == commands().end())
        return invalid_input(fmt::format("there is no command \"{}\"; `help` lists them", words[0]));
    auto done = (this->*found->run)(words);
    if (done && found->changes) changed(fmt::format("the command \"{}\"", line));
    return done;
}

std::string Console::where() const {
    const auto at = vmm_.cpu().address();
    return fmt::format("{:04x}:{:08x}{}", at.selector, at.offset, name_of(vmm_.linear_address()));
}

std::string Console::name_of(std::uint32_t linear) const {
    const std::string name = symbols_ == nullptr ? "" : symbols_->name_of(linear);
    return name.empty() ? "" : " <" + name + ">";
}

Result<std::uint32_t> Console::linear(const std::string& text) const {
    if (const auto named = symbols_ == nullptr ? std::nullopt : symbols_->address_of(text)) return *named;
    const auto parsed = parse_address(text);
    if (!parsed) return parsed.error();
    if (!parsed->selector) return parsed->offset;
    const cpu::X86State state = vmm_.cpu().full_state();
    for (const cpu::Segment& segment : state.segments) {
        if (segment.selector == *parsed->selector) return segment.base + parsed->offset;
    }
    if (state.protected_mode() && !state.virtual_8086()) {
        return invalid_input(
            fmt::format("selector {:04x} is in no segment register now; give a linear address", *parsed->selector));
    }
    return (std::uint32_t{*parsed->selector} << 4) + parsed->offset;
}

Console::Answer Console::registers(const Words&) {
    const cpu::X86State now = vmm_.cpu().full_state();
    std::string text;
    for (const std::size_t i : {0, 3, 1, 2, 6, 7, 5, 4}) {
        text += fmt::format("{} {:08x}{}", kGeneralNames[i], now.general[i], i == 2 || i == 4 ? "\n" : "  ");
    }
    text += fmt::format("eip {:08x}  eflags {:08x} {}\n", now.eip, now.eflags, flags_in_words(now.eflags));
    for (std::size_t i = 0; i < kSegmentNames.size(); ++i) {
        text += fmt::format("{} {:04x} base {:08x} limit {:08x}\n", kSegmentNames[i], now.segments[i].selector,
                            now.segments[i].base, now.segments[i].limit);
    }
    text += fmt::format("cr0 {:08x}  cr2 {:08x}  cr3 {:08x}  cr4 {:08x}\n", now.cr0, now.cr2, now.cr3, now.cr4);
    return text;
}

Console::Answer Console::read_msr(const Words& words) {
    if (words.size() != 2) return usage("rdmsr NUMBER");
    const auto number = parse_number(words[1], 0xFFFFFFFF);
    if (!number) return number.error();
    const auto value = vmm_.read_model_register(static_cast<std::uint32_t>(*number));
    if (!value) return invalid_input(fmt::format("this PC has no model-specific register {:x}h", *number));
    return fmt::format("{:x}h {:016x}\n", *number, *value);
}

Console::Answer Console::write_msr(const Words& words) {
    if (words.size() < 3 || words.size() > 4) return usage("wrmsr NUMBER [=, |= or &=] VALUE");
    const auto number = parse_number(words[1], 0xFFFFFFFF);
    if (!number) return number.error();
    auto value = parse_number(words.back(), ~std::uint64_t{0});
    if (!value) return value.error();
    if (words.size() == 4) {
        const auto before = vmm_.read_model_register(static_cast<std::uint32_t>(*number));
        if (!before) return invalid_input(fmt::format("this PC has no model-specific register {:x}h", *number));
        value = assigned(words[2], *before, *value);
        if (!value) return value.error();
    }
    if (vmm_.write_model_register(static_cast<std::uint32_t>(*number), *value)) return std::string();
    return invalid_input(fmt::format("model-specific register {:x}h does not take {:x}h", *number, *value));
}

Console::Answer Console::set(const Words& words) {
    if (words.size() != 3) return usage("set REGISTER VALUE");
    const auto value = parse_number(words[2], 0xFFFFFFFF);
    if (!value) return value.error();
    cpu::X86State now = vmm_.cpu().full_state();
    const auto name = std::find(kGeneralNames.begin(), kGeneralNames.end(), words[1]);
    std::uint32_t* to = nullptr;
    if (name != kGeneralNames.end()) to = &now.general[static_cast<std::size_t>(name - kGeneralNames.begin())];
    if (words[1] == "eip") to = &now.eip;
    if (words[1] == "eflags") to = &now.eflags;
    if (to == nullptr)
        return invalid_input(fmt::format("{} cannot be set: general registers, eip and eflags can", words[1]));
    *to = static_cast<std::uint32_t>(*value);
    vmm_.set_state(now);
    return std::string();
}

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

Console::Answer Console::examine(const Words& words) {
    if (words.size() < 2 || words.size() > 3) return usage("x ADDRESS [COUNT]");
    const auto from = linear(words[1]);
    if (!from) return from.error();
    const auto count = parse_number(words.size() == 3 ? words[2] : "16", kMaxCount);
    if (!count) return count.error();
    std::string text;
    for (std::uint32_t i = 0; i < *count; ++i) {
        if (i % 16 == 0) text += fmt::format("{}{:08x}:", i == 0 ? "" : "\n", *from + i);
        const auto byte = vmm_.cpu().read_byte(*from + i);
        text += byte ? fmt::format(" {:02x}", *byte) : " --";
    }
    return text + "\n";
}

Console::Answer Console::write(const Words& words) {
    if (words.size() < 3) return usage("write ADDRESS BYTE...");
    const auto to = linear(words[1]);
    if (!to) return to.error();
    for (std::size_t i = 2; i < words.size(); ++i) {
        const auto byte = parse_number(words[i], 0xFF);
        if (!byte) return byte.error();
        const auto at = static_cast<std::uint32_t>(*to + i - 2);
        if (!vmm_.write_byte(at, static_cast<std::uint8_t>(*byte)))
            return invalid_input(fmt::format("there is no memory at {:x}h", at));
    }
    return std::string();
}

Console::Answer Console::disassemble(const Words& words) {
    if (words.size() > 3) return usage("disassemble [ADDRESS] [COUNT]");
    const cpu::X86State now = vmm_.cpu().full_state();
    const std::uint32_t base = now.segments[cpu::kCs].base;
    const auto from = words.size() > 1 ? linear(words[1]) : Result<std::uint32_t>(base + now.eip);
    if (!from) return from.error();
    const auto count = parse_number(words.size() == 3 ? words[2] : "8", kMaxCount);
    if (!count) return count.error();
    return code(*from, *count);
}

std::string Console::code(std::uint32_t from, std::uint64_t count) const {
    const cpu::X86State now = vmm_.cpu().full_state();
    const std::uint32_t base = now.segments[cpu::kCs].base;
    const auto mode = now.code32() ? disassembly::Mode::k32 : disassembly::Mode::k16;
    std::string text;
    std::uint32_t at = from;
    for (std::uint64_t i = 0; i < count; ++i) {
        std::array<std::uint8_t, disassembly::kLongest> code{};
        for (std::uint32_t k = 0; k < code.size(); ++k) code[k] = vmm_.cpu().read_byte(at + k).value_or(0);
        const auto found = disassembly::disassemble(code, mode, at - base);
        std::string bytes;
        for (std::size_t k = 0; k < found.length; ++k) bytes += fmt::format("{:02x}", code[k]);
        text += fmt::format("{:04x}:{:08x}{}  {:<20} {}\n", now.segments[cpu::kCs].selector, at - base, name_of(at), bytes,
                            found.text);
        at += static_cast<std::uint32_t>(found.length);
    }
    return text;
}

Console::Answer Console::raise_irq(const Words& words) {
    if (words.size() != 2) return usage("irq NUMBER");
    const auto number = parse_number(words[1], 15);
    if (!number) return number.error();
    machine_.pulse_irq(static_cast<unsigned>(*number));
    return std::string();
}

Console::Answer Console::raise_nmi(const Words&) {
    machine_.lapic().deliver(device::Lapic::Delivery::kNmi, 0, false);
    return std::string();
}

Console::Answer Console::reset(const Words&) {
    machine_.pull_reset("control");
    return std::string();
}

Console::Answer Console::show_help(const Words&) {
    return help();
}

}  // namespace sla::control
