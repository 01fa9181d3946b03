#include "tests/integration/instructions/comparison.h"

#include "emu/cpu/instruction.h"
#include "proto/common/disassembly/disassembly.h"
#include "tests/integration/instructions/undefined.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::instructions {

namespace {

constexpr std::array<std::pair<std::uint32_t, std::string_view>, 9> kFlags{{{flags::kCarry, "CF"},
                                                                            {flags::kParity, "PF"},
                                                                            {flags::kAdjust, "AF"},
                                                                            {flags::kZero, "ZF"},
                                                                            {flags::kSign, "SF"},
                                                                            {flags::kInterrupt, "IF"},
                                                                            {flags::kDirection, "DF"},
                                                                            {flags::kOverflow, "OF"},
                                                                            {3U << 12 | flags::kNested, "IOPL or NT"}}};
constexpr std::array<std::string_view, 8> kGeneral{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"};
constexpr std::array<std::string_view, 6> kSegments{"es", "cs", "ss", "ds", "fs", "gs"};

cpu::Instruction taken_apart(const Case& of) {
    return cpu::decode(of.bytes, of.code32).value_or(cpu::Instruction{});
}

// With LOCK and the repeats that mean something.
std::string mnemonic(const std::string& text) {
    std::string words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        at = end + 1;
        if (word == "bnd" || word == "notrack" || word == "xacquire" || word == "xrelease") continue;
        words += word;
        if (word != "lock" && !word.starts_with("rep")) break;
        words += ' ';
    }
    return words;
}

bool same_memory(const Undefined& open, const Result& native, const Result& emulated) {
    if (open.memory_bytes == 0) return native.memory == emulated.memory;
    const auto same = [&](std::size_t from, std::size_t to) {
        return std::equal(native.memory.begin() + from, native.memory.begin() + to, emulated.memory.begin() + from);
    };
    const std::size_t end = native.memory.size();
    return same(0, std::min<std::size_t>(open.memory_at, end)) &&
           same(std::min<std::size_t>(open.memory_at + open.memory_bytes, end), end);
}

// The host's way from its kernel to ring 3 turns every null selector into 0.
bool same_selector(std::uint16_t native, std::uint16_t emulated) {
    return native == emulated || (native == 0 && emulated < 4);
}

std::string differing_state(const Undefined& open, const Result& native, const Result& emulated) {
    std::string out;
    const auto add = [&out](std::string_view what) { out += fmt::format("{}{}", out.empty() ? "" : " ", what); };
    std::size_t registers = 0;
    for (std::size_t i = 0; i < kGeneral.size(); ++i) registers += native.general[i] != emulated.general[i] ? 1 : 0;
    const bool memory = !same_memory(open, native, emulated);
    const bool only_destination = open.destination && registers + (memory ? 1 : 0) <= 1;
    if (!only_destination && !open.everything) {
        if (registers != 0) add("registers");
        if (memory) add("memory");
    }
    if (native.eip != emulated.eip) add("EIP");
    for (const auto& [bits, name] : kFlags) {
        if (((native.eflags ^ emulated.eflags) & bits & ~open.flags) != 0) add(name);
    }
    for (std::size_t i = 0; i < kSegments.size(); ++i) {
        if (!same_selector(native.selectors[i], emulated.selectors[i])) add(kSegments[i]);
    }
    return out;
}

std::string values(const Result& result) {
    std::string out;
    for (std::size_t i = 0; i < kGeneral.size(); ++i) out += fmt::format("{} {:08x} ", kGeneral[i], result.general[i]);
    return fmt::format("{}eip {:x} eflags {:x} cs {:x} ss {:x} vector {} code {:x}", out, result.eip, result.eflags,
                       result.selectors[kCs], result.selectors[kSs], result.vector, result.error_code);
}

}  // namespace

std::string text_of(const Case& of) {
    return disassembly::disassemble(of.bytes, of.code32 ? disassembly::Mode::k32 : disassembly::Mode::k16, kCodeOffset).text;
}

std::string difference(const Case& of, const Result& native, const Result& emulated) {
    std::string what;
    if (!emulated.failure.empty()) {
        what = emulated.failure.starts_with("it ran into") ? "it ran into nowhere" : emulated.failure;
    } else if (native.vector != emulated.vector) {
        what = fmt::format("vector {} for {}", emulated.vector, native.vector);
    } else {
        what = differing_state(undefined_after(of, taken_apart(of), native), native, emulated);
        if (native.error_code != emulated.error_code) what += what.empty() ? "error code" : " error code";
    }
    return what.empty() ? what : mnemonic(text_of(of)) + ": " + what;
}

void Findings::add(const Case& of, const Result& native, const Result& emulated) {
    ++cases_;
    std::string what = difference(of, native, emulated);
    if (what.empty()) return;
    ++different_;
    Finding& finding = found_[what];
    if (finding.count++ != 0) return;
    finding.known = find_known(cpu_, class_, what);
    std::string bytes;
    for (const std::uint8_t byte : of.bytes) bytes += fmt::format("{:02x} ", byte);
    Result before;
    before.general = of.general;
    before.eip = kCodeOffset;
    before.eflags = of.eflags;
    before.selectors[kCs] = of.code_selector();
    before.selectors[kSs] = of.stack_selector();
    finding.example = fmt::format("{}({})\n    before   {}\n    host     {}\n    emulated {}", bytes, text_of(of),
                                  values(before), values(native), values(emulated));
}

std::string Findings::unknown() const {
    std::string out;
    for (const auto& [what, finding] : found_) {
        if (finding.known == nullptr) out += fmt::format("{} ({} cases)\n    {}\n", what, finding.count, finding.example);
    }
    return out;
}

}  // namespace sla::instructions
