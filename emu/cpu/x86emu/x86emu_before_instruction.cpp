// What happens before each instruction of X86emuCpu: whether it may run at all, what is counted, and what undoes it if it faults.
#include "emu/bus/in_range.h"
#include "emu/cpu/instruction_kinds.h"
#include "emu/cpu/x86emu/x86emu_cpu.h"

#include <algorithm>
#include <utility>

namespace sla::cpu {

namespace {

constexpr std::uint16_t kSti = 0xFB;
constexpr std::uint16_t kPopSs = 0x17;
constexpr std::uint16_t kMovSegment = 0x8E;
constexpr std::uint16_t kWriteDebugRegister = 0x0F23;

constexpr bool is_prefix(std::uint8_t byte) {
    return (byte & 0xE7) == 0x26 || bus::in_range(byte, 0x64, 0x67) || byte == 0xF0 || byte == 0xF2 || byte == 0xF3;
}

}  // namespace

bool X86emuCpu::before_instruction() {
    if (exit_) return false;
    auto& cpu = emu_->x86;
    if (traps_.instructions) client_.instruction_done(cpu.R_EIP);
    shadow_ = next_shadow_;
    if (std::exchange(iret_running_, false)) nmi_blocked_ = false;
    if (cpu.R_EIP > cpu.R_CS_LIMIT) return beyond_code();
    before_.entry = nullptr;
    running_eip_ = cpu.R_EIP;
    if (debug_traps_ != 0 && !traps_are_done()) return false;
    if (!may_go_on()) return false;

    const std::uint32_t at = cpu.R_CS_BASE + cpu.R_EIP;
    const bool code32 = (cpu.R_CS_ACC & 0x400) != 0;
    const DecodeCache::Bytes bytes = code_at(at);
    const DecodeCache::Entry& entry = decoded_.look_up(at, code32, bytes);
    if (entry.decoding == Decoding::kTooLong) return fault(vector::kGeneralProtection, 0);
    if (entry.decoding == Decoding::kUnknown) return fault(vector::kInvalidOpcode, std::nullopt);
    const Instruction& found = entry.found;
    if ((debug_registers_used_ || (cpu.R_EFLG & (flag::kTrap | flag::kResume)) != 0) && !may_begin(at, found)) return false;

    executed_ += kBytesPerInstruction;
    budget_ -= std::min(budget_, kBytesPerInstruction);
    next_shadow_ = (found.opcode == kSti && !interrupts_on()) || found.opcode == kPopSs ||
                   (found.opcode == kMovSegment && found.reg() == kSs);
    iret_running_ = found.opcode == kIret;
    count({at, cpu.R_EIP, found});
    const std::uint32_t next = cpu.R_EIP + static_cast<std::uint32_t>(found.length);
    if (!emulate(found, next) || !correct(entry, next)) return false;
    remember(entry);
    return true;
}

// The library jumps there. A near jump that should have faulted is undone.
bool X86emuCpu::beyond_code() {
    const unsigned op = before_.entry == nullptr ? 0 : before_.entry->found.opcode;
    const bool far = before_.entry != nullptr && (is_far_transfer(before_.entry->found) || bus::in_range(op, 0xCC, 0xCE));
    if (before_.entry != nullptr && is_branch(before_.entry->found) && !far) {
        undo();
        emu_->x86.R_EIP = running_eip_;
    }
    return fault(vector::kGeneralProtection, 0);
}

bool X86emuCpu::may_go_on() {
    constexpr std::uint32_t kModeBits = control::kProtectionEnable | control::kPaging;
    if (((emu_->x86.R_CR0 ^ last_cr0_) & kModeBits) != 0) {
        last_cr0_ = emu_->x86.R_CR0;
        if (traps_.mode) client_.mode_changed();
        if ((last_cr0_ & control::kPaging) != 0) {
            return leave({ExitReason::kFailed,
                          0,
                          {},
                          address(),
                          "it switched paging on, which the CPU \"x86emu\" does not do; use --cpu unicorn"});
        }
    }
    if (budget_ <= kBytesPerInstruction) {
        budget_ = client_.next_budget();
        if (budget_ == 0) return leave({ExitReason::kBudgetUsed, 0, {}, address(), {}});
    }
    if (window_wanted_ && can_inject()) return leave({ExitReason::kInterruptWindow, 0, {}, address(), {}});
    if (points_ != nullptr && points_->stops_at(emu_->x86.R_CS_BASE + emu_->x86.R_EIP)) {
        return leave({ExitReason::kStopPoint, 0, {}, address(), {}});
    }
    return true;
}

void X86emuCpu::count(const Executed& executed) {
    const Instruction& found = executed.instruction;
    ++counts_.instructions;
    const unsigned op = found.opcode;
    if (op == kWriteDebugRegister) debug_registers_used_ = true;
    match_breakpoints(executed.address, 1, Use::kExecute);
    if (counts_as_branch(found)) ++counts_.branches;
    if (loads_segment(found)) ++counts_.segment_loads;
    if (bus::in_range(op, 0xD8, 0xDF)) ++counts_.floating_point;
    if (locks_bus(found)) ++counts_.locked;
    if (traps_.instructions) client_.instruction(executed);
}

// And what the library forgets: EBP with a displacement of a byte is a place on the stack, and a prefix of sizes means the same
// however often it stands there.
void X86emuCpu::remember(const DecodeCache::Entry& entry) {
    auto& cpu = emu_->x86;
    const Instruction& found = entry.found;
    before_ = {cpu.gen, cpu.spc, &entry};
    const bool by_ebp = found.has_modrm && found.wide_address && found.modrm >> 6 == 1 && found.rm() == kEbp;
    if (by_ebp && !found.segment) cpu.default_seg = &cpu.seg[R_SS_INDEX];
    if (!found.prefixed) return;
    const bool code32 = (cpu.R_CS_ACC & 0x400) != 0;
    const auto times = [&entry](std::uint8_t prefix) {
        unsigned count = 0;
        for (std::size_t i = 0; i < entry.found.length && is_prefix(entry.bytes[i]); ++i)
            count += entry.bytes[i] == prefix ? 1 : 0;
        return count;
    };
    if (found.wide != code32 && times(0x66) % 2 == 0) cpu.mode ^= _MODE_DATA32;
    if (found.wide_address != code32 && times(0x67) % 2 == 0) cpu.mode ^= _MODE_ADDR32;
}

// A repeated string instruction keeps what it has done.
void X86emuCpu::undo() {
    if (before_.entry == nullptr) return;
    const Instruction& found = before_.entry->found;
    const bool string = bus::in_range(found.opcode, 0xA4, 0xA7) || bus::in_range(found.opcode, 0xAA, 0xAF);
    if (found.repeated && string) return;
    emu_->x86.gen = before_.general;
    emu_->x86.spc = before_.special;
}

// Whether the access that exceeded a limit was one of the stack: by its opcode, or by EBP or ESP as a base. PUSH and POP of memory
// and calls by way of it have two.
bool X86emuCpu::uses_stack() {
    const Instruction& found = before_.entry->found;
    const unsigned op = found.opcode;
    const bool two = op == 0x8F || (op == 0xFF && (found.reg() == 2 || found.reg() == 3 || found.reg() == 6));
    const bool memory = found.has_modrm && found.mode() != 3;
    const std::uint32_t top = (emu_->x86.R_SS_ACC & 0x400) != 0 ? emu_->x86.R_ESP : emu_->x86.R_SP;
    const unsigned width = found.wide ? 4 : 2;
    if (op == 0x8F && !within_limits({false, 0, kSs, top}, width, false)) return true;
    if (two && (!memory || within_limits(place_of(*before_.entry, 0), width, op == 0x8F))) return true;
    if (!two && (bus::in_range(op, 0x50, 0x61) || op == 0x68 || op == 0x6A || bus::in_range(op, 0x9A, 0x9D) ||
                 bus::in_range(op, 0xC2, 0xC3) || bus::in_range(op, 0xC8, 0xCF) || op == 0xE8 ||
                 (op < 0x20 && (op & 6) == 6) || bus::in_range(op, 0x0FA0, 0x0FA1) || bus::in_range(op, 0x0FA8, 0x0FA9))) {
        return true;
    }
    if (!memory) return found.segment == kSs;
    return place_of(*before_.entry, 0).segment == kSs;
}

}  // namespace sla::cpu
