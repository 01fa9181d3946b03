#include "tests/integration/instructions/emulated_cpu.h"

#include "emu/cpu/cpu_factory.h"

#include <algorithm>
#include <cstring>

namespace sla::instructions {

namespace {

// Every case has a code segment of its own, as no CPU must run what it remembers of another's.
constexpr std::uint32_t kFirstCode = 0x100000;
constexpr std::uint32_t kEndOfCode = 0x1000000;
constexpr std::uint32_t kLocalTable = 0x8000;
constexpr std::uint32_t kDataAt = 0x10000;
constexpr std::uint64_t kBudget = std::uint64_t{1} << 20;
constexpr std::uint32_t kProtectionEnable = 1;

cpu::Segment segment_of(const Entry& entry, std::uint32_t base) {
    cpu::Segment segment;
    segment.selector = entry.selector;
    segment.base = base;
    segment.limit = entry.limit;
    segment.attributes = entry.access << 8 | (entry.big ? cpu::Segment::kBig : 0);
    return segment;
}

std::uint64_t descriptor_of(const cpu::Segment& segment) {
    const std::uint32_t low = segment.base << 16 | (segment.limit & 0xFFFF);
    const std::uint32_t high =
        (segment.base & 0xFF000000) | (segment.base >> 16 & 0xFF) | segment.attributes | (segment.limit & 0xF0000);
    return std::uint64_t{high} << 32 | low;
}

}  // namespace

EmulatedCpu::EmulatedCpu(std::string_view name) : rom_(kRomBytes, 0xF4), memory_(kEndOfCode), name_(name) {
    constexpr std::array<std::uint8_t, 11> kToProtectedMode{0x0F, 0x20, 0xC0,   // mov eax, cr0
                                                            0x0C, 0x01,         // or al, 1
                                                            0x0F, 0x22, 0xC0,   // mov cr0, eax
                                                            0xEB, 0x00, 0xF4};  // jmp, hlt
    std::copy(kToProtectedMode.begin(), kToProtectedMode.end(), rom_.end() - 16);
    if (const auto loaded = memory_.load_rom(rom_); !loaded) {
        missing_ = loaded.error().message;
        return;
    }
    start();
}

// With its memory as it was: a case that went astray may have written to the ROM's places, too.
void EmulatedCpu::start() {
    constexpr std::uint32_t kEndOfShadow = 0x100000;
    for (const std::uint32_t end : {kEndOfShadow, 0U}) {
        std::copy(rom_.begin(), rom_.end(), memory_.at(end - kRomBytes, kRomBytes).begin());
    }
    const auto code = memory_.at(kFirstCode, kEndOfCode - kFirstCode);
    std::fill(code.begin(), code.end(), kBreakpoint);
    next_code_ = kFirstCode;
    auto made = cpu::make_cpu(name_, memory_, windows_, client_);
    if (!made) {
        missing_ = made.error().message;
        return;
    }
    cpu_ = std::move(made).value();
    cpu_->set_budget(kBudget);
    const cpu::Exit exit = cpu_->run();
    state_ = cpu_->full_state();
    if (exit.reason != cpu::ExitReason::kHalt || (state_.cr0 & kProtectionEnable) == 0) {
        missing_ = "it did not get into protected mode: " + exit.what;
    }
}

void EmulatedCpu::lay_out(const Case& wanted, std::uint32_t code) {
    for (const Entry& entry : kTable) {
        const bool slot = (entry.access & 8) != 0;  // code
        const cpu::Segment segment = segment_of(entry, slot ? code : kDataAt + entry.region * kDataBytes);
        const std::uint64_t descriptor = descriptor_of(segment);
        std::memcpy(memory_.at(kLocalTable + (entry.selector & 0xFFF8U), 8).data(), &descriptor, 8);
        if (entry.selector == wanted.code_selector()) state_.segments[kCs] = segment;
        if (entry.selector == wanted.stack_selector()) state_.segments[kSs] = segment;
        if (entry.selector == kData) state_.segments[kDs] = segment;
        if (entry.selector == kExtra) state_.segments[kEs] = segment;
        if (entry.selector == kMore) state_.segments[kGs] = segment;
    }
    state_.segments[kFs] = {};
    state_.ldt = {0x28, kLocalTable, 8 * static_cast<std::uint32_t>(kTable.size()) - 1, 0x8200};
    state_.cpl = 3;
    state_.general = wanted.general;
    state_.eip = kCodeOffset;
    state_.eflags = wanted.eflags;
}

void EmulatedCpu::run(const Case& wanted, const DataMemory& memory, Result& result) {
    if (next_code_ + kCodeBytes > kEndOfCode) start();
    const std::uint32_t code = std::exchange(next_code_, next_code_ + kCodeBytes);
    std::copy(wanted.bytes.begin(), wanted.bytes.end(), memory_.at(code + kCodeOffset, wanted.bytes.size()).begin());
    std::copy(memory.begin(), memory.end(), memory_.at(kDataAt, memory.size()).begin());
    for (const Patch& patch : wanted.patches)
        std::memcpy(memory_.at(kDataAt + patch.offset, 4).data(), &patch.value, sizeof patch.value);
    lay_out(wanted, code);
    cpu_->set_state(state_);
    cpu_->set_budget(kBudget);
    take(cpu_->run(), result);
}

void EmulatedCpu::take(const cpu::Exit& exit, Result& result) {
    result.failure.clear();
    const cpu::X86State now = cpu_->full_state();
    result.general = now.general;
    result.eip = now.eip;
    result.eflags = now.eflags;
    for (std::size_t i = 0; i < result.selectors.size(); ++i) result.selectors[i] = now.segments[i].selector;
    result.vector = exit.vector;
    result.error_code = exit.error_code.value_or(0);
    const auto data = memory_.at(kDataAt, result.memory.size());
    std::copy(data.begin(), data.end(), result.memory.begin());
    if (exit.reason == cpu::ExitReason::kSoftwareInterrupt || exit.reason == cpu::ExitReason::kException) return;
    result.failure = exit.reason == cpu::ExitReason::kFailed       ? exit.what
                     : exit.reason == cpu::ExitReason::kBudgetUsed ? "it runs on and on"
                     : exit.reason == cpu::ExitReason::kHalt       ? "it halts"
                                                                   : "it stops";
    start();
}

}  // namespace sla::instructions
