// The instructions that X86emuCpu does itself: those that leave the CPU or ask the machine, and what the library does not know.
#include "emu/bus/in_range.h"
#include "emu/cpu/task_switch.h"
#include "emu/cpu/x86emu/x86emu_cpu.h"

namespace sla::cpu {

// The instruction at EIP, if it is not for the library; the next one stands at `next`. False: it was done here.
bool X86emuCpu::emulate(const Instruction& found, std::uint32_t next) {
    auto& cpu = emu_->x86;
    const unsigned op = found.opcode;
    const auto edx_eax = [&cpu](std::uint64_t value) {
        cpu.R_EAX = static_cast<std::uint32_t>(value);
        cpu.R_EDX = static_cast<std::uint32_t>(value >> 32);
    };
    if (bus::in_range(op, 0x6C, 0x6F)) return string_port(found, next);
    switch (op) {
        case 0xF4: {  // HLT
            const CodeAddress at = address();
            cpu.R_EIP = next;
            next_shadow_ = shadow_ = false;
            return leave({ExitReason::kHalt, 0, {}, at, {}});
        }
        case kIret: return do_iret(found, next);
        case 0xF1: cpu.R_EIP = next; return debug_exception(0);
        case 0xCA:
        case 0xCB: return !leaves_ring_0(found.wide ? 4 : 2, false);
        case 0x0FA2: {
            const CpuidAnswer answer = client_.cpuid(cpu.R_EAX);
            cpu.R_EAX = answer.eax, cpu.R_EBX = answer.ebx, cpu.R_ECX = answer.ecx, cpu.R_EDX = answer.edx;
            return done(next);
        }
        case 0x0F30: return emulate_msr(true, next);
        case 0x0F32: return emulate_msr(false, next);
        case 0x0F31: edx_eax(client_.read_tsc()); return done(next);
        case 0x0F33: {
            const auto value = client_.read_counter(cpu.R_ECX);
            if (!value) return fault(vector::kGeneralProtection, 0);
            edx_eax(*value);
            return done(next);
        }
        case 0x0F01:
            if (found.modrm != 0xC1 && found.modrm != 0xD9) return true;
            cpu.R_EAX = client_.hypercall(registers());
            return done(next);
        default:
            if (!bus::in_range(op, 0xD8, 0xDF)) return true;
            return leave({ExitReason::kFailed,
                          0,
                          {},
                          address(),
                          "it uses floating point, which the CPU \"x86emu\" does not do; use --cpu unicorn"});
    }
}

bool X86emuCpu::do_iret(const Instruction& found, std::uint32_t next) {
    const bool protected_mode = (emu_->x86.R_CR0 & control::kProtectionEnable) != 0;
    if (protected_mode && (emu_->x86.R_EFLG & flag::kNestedTask) != 0) return return_from_task(next);
    return !leaves_ring_0(found.wide ? 4 : 2, true);
}

// A return to an outer ring or to virtual 8086 mode, by the frame on the stack.
bool X86emuCpu::leaves_ring_0(unsigned width, bool has_flags) {
    if ((emu_->x86.R_CR0 & control::kProtectionEnable) == 0) return false;
    const X86State now = state();
    LinearMemory memory(memory_, write_, now);
    const Segment& stack = now.segments[kSs];
    const auto on_stack = [&](unsigned number) {
        const std::uint32_t at = now.general[kEsp] + number * width;
        return memory.read(stack.base + (stack.has(Segment::kBig) ? at : at & 0xFFFF), width);
    };
    const bool to_virtual_8086 = has_flags && width == 4 && now.cpl == 0 && (on_stack(2) & flag::kVirtual8086) != 0;
    if (!to_virtual_8086 && (on_stack(1) & 3) <= now.cpl) return false;
    const std::string where = to_virtual_8086 ? "virtual 8086 mode" : "an outer ring";
    leave({ExitReason::kFailed,
           0,
           {},
           address(),
           "it goes to " + where + ", which the CPU \"x86emu\" does not do; use --cpu unicorn"});
    return true;
}

// The library's IRET knows no tasks.
bool X86emuCpu::return_from_task(std::uint32_t next) {
    X86State present = state();
    present.eip = next;
    LinearMemory memory(memory_, write_, present);
    TaskSwitch task(present, memory, 0);
    const auto failed = task.leave();
    if (task.switched()) take_back(present);
    if (failed) return fault(failed->vector, failed->error_code);
    x86emu_stop(emu_.get());
    return false;
}

bool X86emuCpu::emulate_msr(bool write, std::uint32_t next) {
    auto& cpu = emu_->x86;
    if (write) {
        if (!client_.write_msr(cpu.R_ECX, std::uint64_t{cpu.R_EDX} << 32 | cpu.R_EAX)) {
            return fault(vector::kGeneralProtection, 0);
        }
    } else {
        const auto value = client_.read_msr(cpu.R_ECX);
        if (!value) return fault(vector::kGeneralProtection, 0);
        cpu.R_EAX = static_cast<std::uint32_t>(*value);
        cpu.R_EDX = static_cast<std::uint32_t>(*value >> 32);
    }
    return done(next);
}

// INS and OUTS, one element; repeated ones come back here until the count is used up, so that interrupts get in.
bool X86emuCpu::string_port(const Instruction& found, std::uint32_t next) {
    auto& cpu = emu_->x86;
    const unsigned size = (found.opcode & 1) == 0 ? 1 : found.wide ? 4 : 2;
    const std::uint32_t mask = found.wide_address ? 0xFFFFFFFFU : 0xFFFFU;
    const bool out = (found.opcode & 2) != 0;
    std::uint32_t& index = out ? cpu.R_ESI : cpu.R_EDI;
    x86emu_stop(emu_.get());
    if (found.repeated && (cpu.R_ECX & mask) == 0) return done(next);
    const sel_t& segment = cpu.seg[out ? found.segment.value_or(kDs) : kEs];
    const std::uint32_t address = segment.base + (index & mask);
    u32 value = 0;
    constexpr unsigned kSizes[] = {0, X86EMU_MEMIO_8, X86EMU_MEMIO_16, 0, X86EMU_MEMIO_32};
    const unsigned width = kSizes[size];
    if (out) {
        on_access(emu_.get(), address, &value, X86EMU_MEMIO_R | width);
        on_access(emu_.get(), cpu.R_DX, &value, X86EMU_MEMIO_O | width);
    } else {
        on_access(emu_.get(), cpu.R_DX, &value, X86EMU_MEMIO_I | width);
        on_access(emu_.get(), address, &value, X86EMU_MEMIO_W | width);
    }
    const std::uint32_t step = (cpu.R_EFLG & F_DF) != 0 ? 0U - size : size;
    index = (index & ~mask) | ((index + step) & mask);
    if (found.repeated) cpu.R_ECX = (cpu.R_ECX & ~mask) | ((cpu.R_ECX - 1) & mask);
    if (!found.repeated || (cpu.R_ECX & mask) == 0) cpu.R_EIP = next;
    return false;
}

}  // namespace sla::cpu
