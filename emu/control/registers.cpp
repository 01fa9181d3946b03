// Commands about registers: general, control and model-specific ones, and what the latter can count.
#include "emu/control/console.h"
#include "emu/control/numbers.h"
#include "emu/pmc/events.h"
#include "emu/pmc/pentium.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sla::control {

namespace {

constexpr std::array<const char*, 8> kGeneralNames{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"};
constexpr std::array<const char*, 6> kSegmentNames{"es", "cs", "ss", "ds", "fs", "gs"};

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

std::string flags_in_words(std::uint32_t eflags) {
    constexpr std::array<std::pair<unsigned, const char*>, 9> kNames{
        {{11, "OF"}, {10, "DF"}, {9, "IF"}, {8, "TF"}, {7, "SF"}, {6, "ZF"}, {4, "AF"}, {2, "PF"}, {0, "CF"}}};
    std::string text;
    for (const auto& [bit, name] : kNames) {
        if ((eflags >> bit & 1) != 0) text += text.empty() ? name : std::string(" ") + name;
    }
    return text;
}

}  // namespace

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
    const auto before = vmm_.read_model_register(static_cast<std::uint32_t>(*number));
    if (!before) return invalid_input(fmt::format("this PC has no model-specific register {:x}h", *number));
    if (words.size() == 4) {
        value = assigned(words[2], *before, *value);
        if (!value) return value.error();
    }
    if (vmm_.write_model_register(static_cast<std::uint32_t>(*number), *value)) return std::string();
    if (*number == pmc::kTscMsr)
        return invalid_input(
            "by the host's clock the time-stamp counter is the host's; with --clock virtual it can be written");
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
    auto written = Result<std::uint32_t>(static_cast<std::uint32_t>(*value));
    if (to == &now.eflags) written = written_flags(*written, now.eflags);
    if (!written) return written.error();
    *to = *written;
    vmm_.set_state(now);
    return std::string();
}

// The words are those of `sla counters --events pentium:WORD`.
Console::Answer Console::list_events(const Words&) {
    std::string text;
    for (const pmc::Event& event : pmc::events()) {
        text += fmt::format("{} {} {}  {}\n", common::select_text(event.select), common::offer_word(event.offer), event.word,
                            event.name);
    }
    return text;
}

}  // namespace sla::control
