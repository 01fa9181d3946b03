#include "emu/control/console.h"

#include "emu/control/numbers.h"
#include "proto/base/text.h"
#include "proto/common/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace sla::control {

namespace {

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

bool is_word(std::string_view text) {
    const char first = text.empty() ? '0' : text.front();
    return text.find(':') == std::string_view::npos && (first < '0' || first > '9') && first != '-';
}

// Behind the first word.
std::string rest_of(std::string_view line) {
    constexpr const char* kBlanks = " \t\r";
    const std::string_view command = trimmed(line, kBlanks);
    return std::string(trimmed(command.substr(std::min(command.find_first_of(kBlanks), command.size())), kBlanks));
}

}  // namespace

struct Console::Command {
    const char* name;
    const char* usage;
    const char* does;
    Answer (Console::*run)(const Words&);
    bool changes = false;     // the machine, so that its run is another one from then on
    bool takes_file = false;  // the rest of the line is one name, blanks and all
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
        {"counts", "counts [all]",
         "events since power-on, of all rings (`events` has their names); all: those too that are counted only when asked "
         "for: from now on, marked "
         "late",
         &Console::counts},
        {"section", "section irq.0.isr [16,1D]",
         "what each span of a channel counted since this was first asked, as JSON; `section none`: no more",
         &Console::section},
        {"events", "events", "what CESR can select: number, how well it is known, word, name", &Console::list_events},
        {"irq", "irq 1", "a pulse on an interrupt line, 0 to 15 but 2, the second controller's, until it is taken",
         &Console::raise_irq, true},
        {"nmi", "nmi", "a non-maskable interrupt", &Console::raise_nmi, true},
        {"reset", "reset", "the processor's reset line; of a PC that stands still: once it goes on", &Console::reset, true},
        {"pause", "pause", "the guest stands still until `go`; a going back ends at once", &Console::pause},
        {"go", "go", "it goes on", &Console::go},
        {"step", "step [COUNT]", "so many instructions, then it stands still", &Console::step},
        {"run-to", "run-to ADDRESS", "until the instruction there is the next one", &Console::run_to},
        {"run-to-event", "run-to-event TRIGGER", "until that event, as triggers say it: port.post, irq.0.isr begins",
         &Console::run_to_event},
        {"stop-at", "stop-at TRIGGER", "the same without waiting for it here: pmc.ctr0 > 1000; `stop-at none`: no more",
         &Console::stop_at},
        {"reverse-step", "reverse-step [COUNT]", "back by so many instructions (--history-memory)", &Console::reverse_step},
        {"reverse-to", "reverse-to ADDRESS", "back to where the instruction there was the next one", &Console::reverse_to},
        {"reverse-to-event", "reverse-to-event TRIGGER", "back to that event, the last one before: irq.0.isr begins",
         &Console::reverse_to_event},
        {"history", "history", "how far it can go back, and over what it cannot", &Console::show_history},
        {"state", "state [SECTION]...", "registers of CPU and chips by name: state pic pit", &Console::state},
        {"save", "save FILE", "a snapshot of the PC, for `load` and `sla-emu run --load`", &Console::save, false, true},
        {"load", "load FILE",
         "the PC goes on from a snapshot; what was before cannot be gone back to; spans of `section` and --counts begin "
         "anew",
         &Console::load, false, true},
        {"help", "help", "this", &Console::show_help},
    };
    return kCommands;
}

Error Console::usage(const char* how) {
    return invalid_input(fmt::format("write {}", how));
}

Error Console::no_command(const std::string& word) {
    // What debuggers and monitors call it.
    struct Elsewhere {
        std::string_view names;
        const char* here;
    };
    static constexpr std::array<Elsewhere, 8> kElsewhere{{
        {"eax ebx ecx edx esi edi ebp esp eip eflags cs ds es fs gs ss", "`regs` shows registers, `set eax 5` writes one"},
        {"registers info r p print", "`regs` shows registers, `state` those of chips by name"},
        {"c cont continue run resume g", "`go` lets the guest run"},
        {"s si stepi next nexti n t trace", "`step` takes instructions"},
        {"stop halt interrupt", "`pause` keeps the guest standing"},
        {"b break tbreak breakpoint bp watch until", "`run-to ADDRESS` stops there, `stop-at TRIGGER` at an event"},
        {"peek dump d db dw dd mem memory", "`x 0:500` shows memory"},
        {"u disas poke e", "`disassemble` shows code, `write 0:500 90h` changes memory"},
    }};
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    std::string hint = common::nearest_hint(word, names);
    for (const Elsewhere& elsewhere : kElsewhere) {
        const std::vector<std::string_view> others = split_words(elsewhere.names);
        if (std::find(others.begin(), others.end(), word) != others.end()) hint = fmt::format(" ({})", elsewhere.here);
    }
    return invalid_input(fmt::format("there is no command \"{}\"{}; `help` lists them", word, hint));
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
    if (found == commands().end()) return no_command(words[0]);
    if (found->takes_file) words = {words[0], rest_of(line)};
    if (std::string_view(found->usage) == found->name && words.size() > 1)
        return invalid_input(fmt::format("{} takes no more words", found->name));
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
    if (!parsed && is_word(text)) {
        const bool has_names = symbols_ != nullptr && !symbols_->empty();
        return invalid_input(
            fmt::format("\"{}\" is no address and no symbol {}{}; write f000:e05b, or 0xfe05b for a linear one", text,
                        has_names ? "of those that --symbols named" : "(`sla-emu run --symbols FILE` names some)",
                        has_names ? common::nearest_hint(text, symbols_->names()) : ""));
    }
    if (!parsed) return parsed.error();
    if (!parsed->selector) return parsed->offset;
    const cpu::X86State state = vmm_.cpu().full_state();
    const bool is_real = !state.protected_mode() || state.virtual_8086();
    for (std::size_t i = 0; i < state.segments.size(); ++i) {
        if (is_real && i == cpu::kCs) continue;  // after a reset it begins elsewhere, until the first far jump
        if (state.segments[i].selector == *parsed->selector) return state.segments[i].base + parsed->offset;
    }
    if (!is_real) {
        return invalid_input(
            fmt::format("selector {:04x} is in no segment register now; give a linear address", *parsed->selector));
    }
    return (std::uint32_t{*parsed->selector} << 4) + parsed->offset;
}

Console::Answer Console::show_help(const Words&) {
    return help();
}

}  // namespace sla::control
