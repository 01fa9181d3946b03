#include "emu/cpu/unicorn/unicorn_cpu.h"

#include "emu/cpu/unicorn/crash_guard.h"

#include <algorithm>
#include <utility>

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
      client_(client),
      memory_(engine_, context_, memory, windows),
      pages_(memory_),
      block_(engine_, context_, memory_),
      counter_(context_, memory_, counts_) {}

void UnicornCpu::set_traps(const Traps& traps) {
    traps_ = traps;
    counter_.want(traps.instructions);
    update_intercepts();
}

void UnicornCpu::update_intercepts() {
    context_.intercept({.cpuid = true,
                        .halt = true,
                        .msr = true,
                        .tsc = traps_.tsc,
                        .counters = true,
                        .control_writes = !mode_.under_way(),
                        .debug_writes = true},
                       UnicornMemory::kControlBlock);
}

Exit UnicornCpu::run() {
    for (;;) {
        if (auto exit = run_once()) return *std::move(exit);
    }
}

std::optional<Exit> UnicornCpu::run_once() {
    const auto prepared = translated_ >= kMaxTranslated ? renew_engine()
                          : ahead_ == 0                 ? memory_.switch_a20()
                                                        : Result<void>();
    if (!prepared) return Exit{ExitReason::kFailed, 0, {}, address(), prepared.error().message};
    end_ = {};
    block_.clear();
    uc_err error = UC_ERR_OK;
    if (step_.wanted && !mode_.under_way()) arm_step();
    const std::uint32_t begin = engine_.read(UC_X86_REG_EIP);
    auto call = [&] { error = uc_emu_start(engine_.get(), begin, 0, 0, 0); };
    if (const auto signal = CrashGuard::run(call)) return give_up(*signal);
    if (step_.armed && finish_step()) {
        counter_.leave();
        report_count();
        return std::nullopt;
    }
    if (end_.behind_access) return end_behind_access();
    if (end_.before_block) {
        engine_.write(UC_X86_REG_EIP, *end_.before_block - code_base());
        if (mode_.has_written()) {
            finish_mode_write();
            return std::nullopt;
        }
        if (!pages_.failure().empty()) return describe_remapped();
        if (!end_.asked) return std::nullopt;
        return Exit{*end_.asked, 0, {}, address(), {}};
    }
    shadow_ = false;
    if (end_.vector) return describe_interrupt();
    if (end_.invalid_instruction) return invalid_opcode();
    return describe_failure(error);
}

std::uint64_t UnicornCpu::take_executed() {
    const std::uint64_t bytes = executed_;
    executed_ = 0;
    return bytes;
}

std::string UnicornCpu::doubts() const {
    if (!breakpoints_wanted_) return pages_.doubts();
    const std::string pages = pages_.doubts();
    return "the guest switched breakpoints of its debug registers on, which never match here" +
           (pages.empty() ? pages : "; " + pages);
}

std::string UnicornCpu::limits() const {
    return "runs paging guests that map their code one to one: page tables give protection and faults, not other "
           "addresses, and a guest whose code is mapped elsewhere ends";
}

// Runs before every block of guest code: the hot place. About 10 ns while nothing is wanted.
void UnicornCpu::enter_block(std::uint32_t start, std::uint32_t size) {
    const bool is_cut_short = block_.ends_before(start, size);
    if (counter_.runs()) {
        const CrashGuard::Outside ours;
        is_cut_short ? counter_.leave_before_linear(start) : counter_.leave();
        report_count();
    }
    if (is_cut_short) end_block_before(start);
    if (pages_.is_new(start) && pages_.is_remapped(start)) return stop_before(start, ExitReason::kFailed);
    if (mode_.reaches_block()) return stop_before(start, ExitReason::kBudgetUsed);
    if (ahead_ == 0 && !may_enter(start, size)) return;
    if (points_ != nullptr && !mode_.under_way() && stops_or_steps(start, size)) return;
    if (ahead_ == 0) {
        budget_ -= std::min<std::uint64_t>(budget_, size);
        executed_ += size;
    } else if (size > ahead_ && !step_.armed && !mode_.under_way()) {
        return step_from(start);  // it would go beyond the block's end
    } else {
        ahead_ -= std::min(ahead_, size);
    }
    block_.enter(start, size);
    if (counter_.wanted()) counter_.enter(start, size);
}

// What is looked at between two blocks only, so that it makes no difference whether one is run whole or stepped through.
bool UnicornCpu::may_enter(std::uint32_t start, std::uint32_t size) {
    if (memory_.a20_changes() || (translated_ >= kMaxTranslated && !mode_.under_way())) {
        shadow_ = in_shadow(start);
        stop_before(start, std::nullopt);
        return false;
    }
    if (budget_ <= size) {
        shadow_ = in_shadow(start);
        const CrashGuard::Outside ours;
        budget_ = client_.next_budget();
        if (budget_ == 0) {
            stop_before(start, ExitReason::kBudgetUsed);
            return false;
        }
    }
    if (window_wanted_ && interrupts_on()) {
        shadow_ = in_shadow(start);
        if (!shadow_) {
            stop_before(start, ExitReason::kInterruptWindow);
            return false;
        }
    }
    return true;
}

// The library knows the shadow, but for a load of SS that itself stands in one. Such a load ends its block, and the shadow
// is the block that follows by falling through.
bool UnicornCpu::in_shadow(std::uint32_t next) const {
    return context_.in_shadow() || block_.ends_with_load_of_ss(next);
}

void UnicornCpu::stop_before(std::uint32_t start, std::optional<ExitReason> why) {
    end_.asked = why;
    end_.before_block = start;
    uc_emu_stop(engine_.get());
}

bool UnicornCpu::interrupts_on() const {
    return (engine_.read(UC_X86_REG_EFLAGS) & flag::kInterrupt) != 0;
}

void UnicornCpu::set_state(const X86State& state) {
    counter_.part();
    const X86State before = this->state();
    context_.store(state);
    if (state.cr0 != before.cr0 || state.cr3 != before.cr3 || state.cr4 != before.cr4) memory_.forget_pages();
}

std::optional<Fault> UnicornCpu::inject(const Interrupt& interrupt) {
    X86State state = this->state();
    const bool virtual_8086 = state.virtual_8086();
    const std::uint32_t page_tables = state.cr3;
    const unsigned ring = state.cpl;
    counter_.part();
    MemoryUse use;
    const auto fault = deliver(interrupt, state, memory_.physical(), memory_.write(), &use);
    context_.store(state);
    if (state.cr3 != page_tables) memory_.forget_pages();
    if (interrupt.kind == Interrupt::Kind::kNmi && !fault) context_.block_nmi();
    shadow_ = false;
    if (!fault) counts_.entered(interrupt, state.cpl != ring, use);
    if (virtual_8086 && !fault && traps_.mode) client_.mode_changed();
    return fault;
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
    LinearMemory memory(memory_.physical(), memory_.write(), state);
    return memory.peek(linear);
}

bool UnicornCpu::write_byte(std::uint32_t linear, std::uint8_t value) {
    const X86State state = this->state();
    const auto physical = LinearMemory(memory_.physical(), memory_.write(), state).physical(linear);
    if (!physical || memory_.physical().at(*physical, 1).empty()) return false;
    memory_.write()(*physical, std::span(&value, 1));
    memory_changed(*physical, 1);
    return true;
}

// With paging, code is thrown away with all there is: what the library takes is looked up in the guest's page tables.
void UnicornCpu::memory_changed(std::uint32_t physical, std::size_t bytes) {
    if (pages_.paging()) {
        translated_ = kMaxTranslated;
    } else {
        memory_.forget_code(physical, bytes);
    }
}

CodeAddress UnicornCpu::address() const {
    return {engine_.read_selector(UC_X86_REG_CS), engine_.read(UC_X86_REG_EIP), true};
}

CodeAddress UnicornCpu::running_address() {
    return emulated_ ? emulated_->address : block_.address_of_access(mode_.protected_mode());
}

}  // namespace sla::cpu
