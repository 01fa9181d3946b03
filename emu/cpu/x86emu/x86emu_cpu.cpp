#include "emu/cpu/x86emu/x86emu_cpu.h"

#include "emu/cpu/instruction_kinds.h"
#include "emu/cpu/linear_memory.h"
#include "emu/cpu/physical_map.h"
#include "emu/cpu/reset_values.h"

#include <algorithm>

namespace sla::cpu {

namespace {

constexpr std::uint8_t kAccessOfCode16 = 0x9B;
constexpr std::uint8_t kAccessOfData = 0x93;

Segment from_library(const sel_t& sel) {
    return {sel.sel, sel.base, sel.limit, (sel.acc & 0xFFU) << 8 | (sel.acc & 0xF00U) << 12};
}

sel_t to_library(const Segment& segment) {
    sel_t sel{};
    sel.sel = segment.selector;
    sel.base = segment.base;
    sel.limit = segment.limit;
    sel.acc = static_cast<u16>((segment.attributes >> 8 & 0xFF) | (segment.attributes >> 12 & 0xF00));
    return sel;
}

}  // namespace

Result<std::unique_ptr<Cpu>> X86emuCpu::make(bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client) {
    std::unique_ptr<X86emuCpu> made(new X86emuCpu(memory, windows, client));
    if (made->emu_ == nullptr) return unavailable("the x86emu CPU emulator failed to start: out of memory");
    if (auto reset = made->reset(); !reset) return reset.error();
    return std::unique_ptr<Cpu>(std::move(made));
}

X86emuCpu::X86emuCpu(bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client)
    : emu_(x86emu_new(0, 0)), memory_(memory), client_(client), pages_(std::size_t{1} << (32 - kPageBits)) {
    write_ = [this](std::uint32_t address, std::span<const std::uint8_t> bytes) {
        for (std::size_t i = 0; i < bytes.size(); ++i) save(address + static_cast<std::uint32_t>(i), 1, bytes[i]);
    };
    for (const auto& range : physical_map(memory, windows)) {
        if (range.memory == nullptr) continue;
        for (std::uint64_t at = 0; at < range.bytes; at += kOffsetInPage + 1) {
            pages_[(range.base + at) >> kPageBits] = range.memory + at;
        }
    }
    if (emu_ == nullptr) return;
    emu_->_private = this;
    x86emu_set_code_handler(emu_.get(), &on_instruction);
    x86emu_set_memio_handler(emu_.get(), &on_access);
    x86emu_set_intr_handler(emu_.get(), &on_interrupt);
}

std::uint32_t X86emuCpu::missing_features() const {
    constexpr std::uint32_t kFloatingPoint = 1U << 0;
    constexpr std::uint32_t kBigPages = 1U << 3;
    constexpr std::uint32_t kMmx = 1U << 23;
    return kFloatingPoint | kBigPages | kMmx;
}

Result<void> X86emuCpu::reset() {
    x86emu_reset(emu_.get());
    auto& cpu = emu_->x86;
    for (auto& segment : cpu.seg) segment = to_library({0, 0, 0xFFFF, kAccessOfData << 8});
    cpu.seg[R_CS_INDEX] = to_library({at_reset::kCodeSelector, at_reset::kCodeBase, 0xFFFF, kAccessOfCode16 << 8});
    cpu.R_EIP = at_reset::kEip;
    cpu.R_EFLG = 2;
    cpu.R_CR0 = at_reset::kCr0;
    cpu.R_EDX = client_.identity(1).eax;  // firmware may look which processor it runs on
    cpu.R_IDT_BASE = 0;
    cpu.R_IDT_LIMIT = 0x3FF;
    cpu.drx[6] = 0xFFFF0FF0;
    cpu.drx[7] = 0x400;
    debug_traps_ = 0;
    debug_traps_wait_ = false;
    last_cr0_ = cpu.R_CR0;
    shadow_ = next_shadow_ = nmi_blocked_ = iret_running_ = debug_registers_used_ = false;
    return {};
}

Exit X86emuCpu::run() {
    exit_.reset();
    while (!exit_) x86emu_run(emu_.get(), 0);
    return *std::move(exit_);
}

std::uint64_t X86emuCpu::take_executed() {
    const std::uint64_t bytes = executed_;
    executed_ = 0;
    return bytes;
}

// What the library reports is delivered by the client, so the library must not.
int X86emuCpu::on_interrupt(x86emu_t* emu, u8 number, unsigned type) {
    X86emuCpu& cpu = of(emu);
    Exit exit{ExitReason::kSoftwareInterrupt, number, {}, {emu->x86.R_CS, cpu.running_eip_, true}, {}};
    cpu.debug_traps_ = 0;  // neither has any
    const bool fault = (type & 0xFF) == INTR_TYPE_FAULT || (type & INTR_MODE_RESTART) != 0;
    if (fault) {
        exit.reason = ExitReason::kException;
        cpu.undo();
        emu->x86.R_EIP = cpu.running_eip_;
        // The library leaves a selector's ring in; for an exceeded limit it knows neither the stack nor the code of 0.
        const bool of_selector =
            (type & INTR_MODE_ERRCODE) != 0 && cpu.before_.entry != nullptr && loads_segment(cpu.before_.entry->found);
        if (pushes_error_code(number)) exit.error_code = of_selector ? emu->x86.intr_errcode & kNotRing : 0;
        if (number == vector::kGeneralProtection && of_selector) {
            exit.vector = cpu.fault_of_selector(*exit.error_code);
        } else if (number == vector::kGeneralProtection && cpu.before_.entry != nullptr && cpu.uses_stack()) {
            exit.vector = vector::kStackFault;
        }
    }
    cpu.leave(std::move(exit));
    return 1;
}

// The library has one fault for all that can be wrong with a descriptor.
std::uint8_t X86emuCpu::fault_of_selector(std::uint32_t selector) const {
    const X86State present = state();
    LinearMemory memory(memory_, write_, present);
    const auto descriptor = read_descriptor(static_cast<std::uint16_t>(selector), present, memory);
    if (!descriptor || descriptor->has(Segment::kPresent)) return vector::kGeneralProtection;
    const Instruction& found = before_.entry->found;
    const bool of_stack = found.opcode == 0x17 || found.opcode == 0x0FB2 || (found.opcode == 0x8E && found.reg() == kSs);
    return of_stack ? vector::kStackFault : vector::kNotPresent;
}

int X86emuCpu::on_instruction(x86emu_t* emu) {
    return of(emu).before_instruction() ? 0 : 1;
}

X86State X86emuCpu::state() const {
    const auto& cpu = emu_->x86;
    X86State out;
    out.general = {cpu.R_EAX, cpu.R_ECX, cpu.R_EDX, cpu.R_EBX, cpu.R_ESP, cpu.R_EBP, cpu.R_ESI, cpu.R_EDI};
    out.eip = cpu.R_EIP;
    out.eflags = cpu.R_EFLG;
    for (std::size_t i = 0; i < out.segments.size(); ++i) out.segments[i] = from_library(cpu.seg[i]);
    out.ldt = from_library(cpu.ldt);
    out.task = from_library(cpu.tr);
    out.gdt = {cpu.R_GDT_BASE, cpu.R_GDT_LIMIT};
    out.idt = {cpu.R_IDT_BASE, cpu.R_IDT_LIMIT};
    out.cr0 = cpu.R_CR0, out.cr2 = cpu.R_CR2, out.cr3 = cpu.R_CR3, out.cr4 = cpu.R_CR4;
    out.cpl = out.protected_mode() ? cpu.R_CS & 3U : 0;
    out.a20 = a20_;
    return out;
}

void X86emuCpu::take_back(const X86State& state) {
    auto& cpu = emu_->x86;
    const auto& general = state.general;
    cpu.R_EAX = general[kEax], cpu.R_ECX = general[kEcx], cpu.R_EDX = general[kEdx], cpu.R_EBX = general[kEbx];
    cpu.R_ESP = general[kEsp], cpu.R_EBP = general[kEbp], cpu.R_ESI = general[kEsi], cpu.R_EDI = general[kEdi];
    cpu.R_EIP = state.eip;
    cpu.R_EFLG = state.eflags;
    for (std::size_t i = 0; i < state.segments.size(); ++i) cpu.seg[i] = to_library(state.segments[i]);
    cpu.ldt = to_library(state.ldt);
    cpu.tr = to_library(state.task);
    cpu.R_CR0 = state.cr0, cpu.R_CR2 = state.cr2, cpu.R_CR3 = state.cr3, cpu.R_CR4 = state.cr4;
    before_.entry = nullptr;
}

std::optional<Fault> X86emuCpu::inject(const Interrupt& interrupt) {
    X86State present = state();
    const unsigned ring = present.cpl;
    MemoryUse use;
    const auto fault = deliver(interrupt, present, memory_, write_, &use);
    take_back(present);
    shadow_ = next_shadow_ = debug_traps_wait_ = false;
    debug_traps_ = 0;
    if (interrupt.kind == Interrupt::Kind::kNmi && !fault) nmi_blocked_ = true;
    iret_running_ = false;
    if (!fault) counts_.entered(interrupt, present.cpl != ring, use);
    return fault;
}

Registers X86emuCpu::registers() const {
    const auto& cpu = emu_->x86;
    Registers out;
    out.eax = cpu.R_EAX, out.ebx = cpu.R_EBX, out.ecx = cpu.R_ECX, out.edx = cpu.R_EDX;
    out.esi = cpu.R_ESI, out.edi = cpu.R_EDI, out.ebp = cpu.R_EBP, out.esp = cpu.R_ESP;
    out.eip = cpu.R_EIP, out.eflags = cpu.R_EFLG;
    out.cr0 = cpu.R_CR0, out.cr2 = cpu.R_CR2, out.cr3 = cpu.R_CR3, out.cr4 = cpu.R_CR4;
    out.ring = state().cpl;
    out.cs = cpu.R_CS, out.ds = cpu.R_DS, out.es = cpu.R_ES, out.ss = cpu.R_SS;
    return out;
}

CodeAddress X86emuCpu::address() const {
    return {emu_->x86.R_CS, emu_->x86.R_EIP, true};
}

CodeAddress X86emuCpu::running_address() {
    return {emu_->x86.R_CS, running_eip_, true};
}

bool X86emuCpu::leave(Exit exit) {
    exit_ = std::move(exit);
    x86emu_stop(emu_.get());
    return false;
}

bool X86emuCpu::fault(std::uint8_t number, std::optional<std::uint32_t> error_code) {
    debug_traps_ = 0;
    return leave({ExitReason::kException, number, error_code, address(), {}});
}

}  // namespace sla::cpu
