#include "emu/cpu/unicorn_cpu.h"

#include "emu/cpu/library_fence.h"

#include <algorithm>

namespace sla::cpu {

Result<std::unique_ptr<Cpu>> UnicornCpu::make(bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client) {
    auto exceptions = calibrate_exceptions();
    if (!exceptions) return exceptions.error();
    auto context = calibrate_context(*exceptions);
    if (!context) return context.error();
    auto engine = UnicornEngine::open();
    if (!engine) return engine.error();
    std::unique_ptr<UnicornCpu> made(
        new UnicornCpu(std::move(engine).value(), *exceptions, *context, memory, windows, client));
    if (auto on = made->power_on(); !on) return on.error();
    return std::unique_ptr<Cpu>(std::move(made));
}

UnicornCpu::UnicornCpu(UnicornEngine engine, const ExceptionLayout& exceptions, const ContextLayout& context,
                       bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client)
    : exception_layout_(exceptions),
      context_layout_(context),
      engine_(std::move(engine)),
      exceptions_(engine_, exceptions),
      context_(engine_, context),
      memory_(memory),
      chips_(windows),
      client_(client),
      write_([this](std::uint32_t address, std::span<const std::uint8_t> bytes) { engine_.write_memory(address, bytes); }) {}

void UnicornCpu::set_traps(const Traps& traps) {
    traps_ = traps;
    update_intercepts();
}

void UnicornCpu::update_intercepts() {
    context_.intercept({.cpuid = true,
                        .halt = true,
                        .msr = true,
                        .tsc = traps_.tsc,
                        .counters = true,
                        .control_writes = blocks_to_mode_ == 0},
                       kControlBlock);
}

Stop UnicornCpu::run() {
    for (;;) {
        if (auto stop = run_once()) return *std::move(stop);
    }
}

std::optional<Stop> UnicornCpu::run_once() {
    const auto prepared = translated_ >= kMostTranslated ? renew_engine() : move_a20();
    if (!prepared) return Stop{StopReason::kFailed, 0, {}, address(), prepared.error().message};
    stop_at_.reset();
    taken_vector_.reset();
    invalid_instruction_ = false;
    bad_address_.reset();
    block_ = {};
    uc_err error = UC_ERR_OK;
    const std::uint32_t begin = engine_.read(UC_X86_REG_EIP);
    auto call = [&] { error = uc_emu_start(engine_.get(), begin, 0, 0, 0); };
    if (const auto signal = LibraryFence::run(call)) return give_up(*signal);
    if (stop_at_) {
        engine_.write(UC_X86_REG_EIP, *stop_at_ - code_base());
        if (mode_written_) {
            finish_mode_write();
            return std::nullopt;
        }
        if (elsewhere_) return describe_elsewhere();
        if (!asked_) return std::nullopt;
        return Stop{*asked_, 0, {}, address(), {}};
    }
    shadow_ = false;
    if (taken_vector_) return describe_interrupt();
    if (invalid_instruction_) return invalid_opcode();
    return describe_failure(error);
}

void UnicornCpu::set_allowance(std::uint64_t code_bytes) {
    allowance_ = code_bytes;
}

std::uint64_t UnicornCpu::take_executed() {
    const std::uint64_t bytes = executed_;
    executed_ = 0;
    return bytes;
}

std::string UnicornCpu::limits() const {
    return "takes protection and page faults from the guest's page tables, but no other place: a page is where its linear "
           "address says, and a guest whose code lies elsewhere ends";
}

// Runs before every block of guest code: the hot place. About 10 ns while nothing is wanted.
void UnicornCpu::enter_block(std::uint32_t start, std::uint32_t size) {
    if (paged_ && start >> kPageBits != checked_page_ && lies_elsewhere(start)) {
        return stop_before(start, StopReason::kFailed);
    }
    if (blocks_to_mode_ != 0 && --blocks_to_mode_ == 0) {
        mode_written_ = true;
        return stop_before(start, StopReason::kAllowance);
    }
    if (a20_ != a20_mapped_ || (translated_ >= kMostTranslated && blocks_to_mode_ == 0)) {
        shadow_ = in_shadow(start);
        return stop_before(start, std::nullopt);
    }
    if (allowance_ <= size) {
        shadow_ = in_shadow(start);
        const LibraryFence::Outside ours;
        allowance_ = client_.next_allowance();
        if (allowance_ == 0) return stop_before(start, StopReason::kAllowance);
    }
    if (window_wanted_ && interrupts_on()) {
        shadow_ = in_shadow(start);
        if (!shadow_) return stop_before(start, StopReason::kInterruptWindow);
    }
    allowance_ -= std::min<std::uint64_t>(allowance_, size);
    executed_ += size;
    block_ = {start, size};
    ins_ = outs_ = 0;
}

// The library knows the shadow, but for a load of SS that itself stands in one. Such a load ends its block, and the shadow
// is the block that follows by falling through.
bool UnicornCpu::in_shadow(std::uint32_t next) const {
    if (context_.in_shadow()) return true;
    if (block_.size == 0 || block_.start + block_.size != next) return false;
    const auto code = memory_.at(block_.start & (a20_mapped_ ? kA20On : kA20Off),
                                 block_.size);  // linear and physical are the same in real mode
    if (code.size() != block_.size) return false;
    constexpr std::uint8_t kPopSs = 0x17;
    constexpr std::uint8_t kMovSegment = 0x8E;
    const std::uint8_t last = code.back();
    if (last == kPopSs) return true;
    return code.size() >= 2 && code[code.size() - 2] == kMovSegment && (last >> 3 & 7) == kSs;
}

void UnicornCpu::stop_before(std::uint32_t start, std::optional<StopReason> why) {
    asked_ = why;
    stop_at_ = start;
    uc_emu_stop(engine_.get());
}

bool UnicornCpu::interrupts_on() const {
    return (engine_.read(UC_X86_REG_EFLAGS) & flag::kInterrupt) != 0;
}

std::uint32_t UnicornCpu::code_base() const {
    return context_.load().segments[kCs].base;
}

// A block counts when it is entered; what lies behind the instruction that left it early has not run.
void UnicornCpu::give_back_rest() {
    const std::uint32_t done = code_base() + engine_.read(UC_X86_REG_EIP) - block_.start;
    if (done >= block_.size) return;
    const std::uint64_t rest = std::min<std::uint64_t>(block_.size - done, executed_);
    executed_ -= rest;
    allowance_ += rest;
}

std::optional<Fault> UnicornCpu::inject(const Interrupt& interrupt) {
    X86State state = this->state();
    const bool virtual_8086 = state.virtual_8086();
    const std::uint32_t page_tables = state.cr3;
    const auto fault = deliver(interrupt, state, memory_, write_);
    context_.store(state);
    if (state.cr3 != page_tables) forget_pages();
    if (interrupt.kind == Interrupt::Kind::kNmi && !fault) context_.block_nmi();
    shadow_ = false;
    if (virtual_8086 && !fault && traps_.mode) client_.mode_changed();
    return fault;
}

X86State UnicornCpu::state() const {
    X86State state = context_.load();
    state.a20 = a20_mapped_ ? kA20On : kA20Off;
    return state;
}

Registers UnicornCpu::registers() const {
    const X86State state = context_.load();
    Registers out;
    out.eax = state.general[kEax], out.ebx = state.general[kEbx], out.ecx = state.general[kEcx];
    out.edx = state.general[kEdx], out.esi = state.general[kEsi], out.edi = state.general[kEdi];
    out.ebp = state.general[kEbp], out.esp = state.general[kEsp], out.eip = state.eip;
    out.eflags = state.eflags, out.cr0 = state.cr0, out.cr2 = state.cr2, out.cr3 = state.cr3, out.cr4 = state.cr4;
    out.ring = state.cpl;
    out.cs = state.segments[kCs].selector, out.ds = state.segments[kDs].selector;
    out.es = state.segments[kEs].selector, out.ss = state.segments[kSs].selector;
    return out;
}

std::optional<std::uint8_t> UnicornCpu::read_byte(std::uint32_t linear) const {
    const X86State state = this->state();
    LinearMemory memory(memory_, write_, state);
    return memory.peek(linear);
}

CodeAddress UnicornCpu::address() const {
    return {engine_.read_selector(UC_X86_REG_CS), engine_.read(UC_X86_REG_EIP), true};
}

}  // namespace sla::cpu
