#include "emu/vmm/vmm.h"

#include "emu/cpu/cpu_factory.h"
#include "proto/base/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sla::vmm {

namespace {

constexpr bus::Nanoseconds kLongestRun = 10'000'000;  // a request to stop that no timer brings is noticed after it
constexpr std::uint64_t kEntryBytes = 500;            // an entry takes the virtual clock's time of so much code

std::string text_of(const cpu::CodeAddress& address) {
    return fmt::format("{:04x}:{:04x}", address.selector, address.offset);
}

}  // namespace

Vmm::Vmm(machine::Machine& machine, tap::Tap& tap, const machine::StopSignal& stop)
    : machine_(machine),
      tap_(tap),
      stop_(stop),
      vmm_tap_(tap.sink()),
      port_tap_(tap, vmm_tap_),
      chips_(machine, tap, vmm_tap_, cpu_),
      intr_(machine, vmm_tap_),
      counters_(vmm_tap_, cpu_, machine.memory().regions().front().bytes.size(), [this] { counter_overflowed(); }),
      markers_(vmm_tap_, [this](std::uint32_t address) { return cpu_->read_byte(address); }) {
    counters_.on_change([this] { update_traps(); });
}

Vmm::~Vmm() {
    machine_.a20().observe({});
}

Result<void> Vmm::plug_cpu(std::string_view name) {
    auto made = cpu::make_cpu(name, machine_.memory(), machine_.mmio(), *this);
    if (!made) return made.error();
    if ((*made)->keeps_time() && machine_.clock().repeatable()) {
        return invalid_input(fmt::format("the CPU \"{}\" runs by real time and no other; leave --clock virtual out", name));
    }
    cpu_ = std::move(made).value();
    points_.know_time([this] { return moment(); });
    machine_.a20().observe([this](bool on) { cpu_->set_a20(on); });
    update_traps();
    return {};
}

Outcome Vmm::run(bus::Nanoseconds time_limit) {
    SLA_CHECK(cpu_ != nullptr);
    time_limit_ = time_limit;
    for (;;) {
        auto end = step();
        if (end) end = restart(*end);
        if (end) return *std::move(end);
    }
}

std::optional<Outcome> Vmm::step() {
    const bool resumes = std::exchange(loaded_, false);
    if (resumes && in_cpu_run_) {
        look_behind_stop();
        return run_cpu();
    }
    if (!resumes) catch_up();
    in_cpu_run_ = false;
    const bool interlude = std::exchange(interlude_, false);
    if (again_) {
        if (stands_again()) return std::nullopt;
    } else {
        look_at_stops();
    }
    if (loaded_) return std::nullopt;
    if (auto end = finished()) return end;
    cpu_->set_stop_points(points_.any() ? &points_ : nullptr);
    if (!interlude && !holds_interrupts_back()) {
        if (auto end = deliver_pending_interrupt()) return end;
    }
    if (halted_) return wait_halted();
    plan();
    intr_.look(*cpu_);
    end_exit();
    return run_cpu();
}

// The clock learns what ran; chips do what has become due.
void Vmm::catch_up() {
    const std::uint64_t ran = cpu_->take_executed();
    code_bytes_ += ran;
    machine_.clock().executed(ran);
    machine_.events().run_due();
    intr_.catch_up();
}

bus::Nanoseconds Vmm::deadline() const {
    return std::min({machine_.events().next_due().value_or(time_limit_), time_limit_, intr_.held_until()});
}

std::uint64_t Vmm::budget() const {
    if (machine_.nmi()) return 1;  // it waits for its window
    if (!cpu_->keeps_time()) return machine_.clock().code_bytes_until(planned_);
    return static_cast<std::uint64_t>(std::clamp<bus::Nanoseconds>(planned_ - machine_.clock().now(), 1, kLongestRun));
}

std::optional<Outcome> Vmm::finished() const {
    if (const auto code = machine_.exit_port().exit_code()) {
        return Outcome{Ending::kExit, *code, fmt::format("the guest ended with exit code {}", *code)};
    }
    using Line = machine::Machine::Line;
    if (const auto& pulled = machine_.pulled(); pulled.line != Line::kNone) {
        const bool off = pulled.line == Line::kOff;
        return Outcome{off ? Ending::kOff : Ending::kReset, 0,
                       fmt::format("the PC was {} by {} at {}", off ? "switched off" : "reset", pulled.by_words(),
                                   text_of(cpu_->address()))};
    }
    if (stop_.requested()) {
        return Outcome{Ending::kStopped, 0,
                       fmt::format("stopped on request; the guest was at {}", text_of(cpu_->address()))};
    }
    if (machine_.clock().now() >= time_limit_) {
        return Outcome{Ending::kTimeUp, 0, fmt::format("the time is up; the guest was at {}", text_of(cpu_->address()))};
    }
    return std::nullopt;
}

std::optional<Outcome> Vmm::handle(const cpu::Exit& exit) {
    switch (exit.reason) {
        case cpu::ExitReason::kBudgetUsed:
            if (!interlude_) begin_exit(tap::ExitKind::kTimer, exit.address);
            return std::nullopt;
        case cpu::ExitReason::kInterruptWindow:
            if (has_passed_call(true)) call();
            begin_exit(tap::ExitKind::kWindow, exit.address);
            intr_.window_opened(exit.address);
            return std::nullopt;
        case cpu::ExitReason::kHalt:
            if (finished()) return std::nullopt;  // a halt behind the exit is not the guest's work any more
            begin_exit(tap::ExitKind::kHalt, exit.address);
            halted_ = true;
            halt_address_ = exit.address;
            tap_.halt_begins(exit.address);
            return std::nullopt;
        case cpu::ExitReason::kSoftwareInterrupt:
            begin_exit(tap::ExitKind::kInt, exit.address);
            tap_.software_interrupt(exit.vector, static_cast<std::uint16_t>(cpu_->registers().eax), exit.address);
            return deliver({exit.vector, cpu::Interrupt::Kind::kSoftware, {}, exit.address.offset});
        case cpu::ExitReason::kException:
            begin_exit(tap::ExitKind::kException, exit.address);
            tap_.exception(exit.vector, exit.error_code.value_or(0), exit.address);
            return deliver({exit.vector, cpu::Interrupt::Kind::kException, exit.error_code, 0});
        case cpu::ExitReason::kStopPoint: return std::nullopt;
        case cpu::ExitReason::kShutdown:
            return Outcome{Ending::kTripleFault, 0, fmt::format("triple fault at {}: {}", text_of(exit.address), exit.what)};
        case cpu::ExitReason::kFailed: break;
    }
    return Outcome{Ending::kFailed, 0, fmt::format("the guest cannot go on at {}: {}", text_of(exit.address), exit.what)};
}

std::optional<Outcome> Vmm::deliver_pending_interrupt() {
    intr_.look(*cpu_);
    if (machine_.nmi() && cpu_->can_inject_nmi()) {
        wake();
        machine_.take_nmi();
        tap_.nmi(cpu_->address());
        return deliver({cpu::vector::kNmi, cpu::Interrupt::Kind::kNmi, {}, 0});
    }
    if (!machine_.interrupt() || intr_.is_held() || !cpu_->can_inject()) return std::nullopt;
    wake();
    const std::uint8_t vector = machine_.acknowledge();
    intr_.clear();
    vmm_tap_.acknowledged(vector, cpu_->address());
    return deliver({vector, cpu::Interrupt::Kind::kExternal, {}, 0});
}

void Vmm::wake() {
    if (halted_) tap_.halt_ends();
    halted_ = false;
}

// A fault on the way to a handler is delivered in its place, or becomes a double fault; a fault on the way to the handler of
// that is the end.
std::optional<Outcome> Vmm::deliver(cpu::Interrupt interrupt) {
    machine_.clock().executed(kEntryBytes);
    const cpu::CodeAddress from = cpu_->address();
    const std::uint8_t first = interrupt.vector;
    for (;;) {
        const cpu::CodeAddress at = cpu_->address();
        const auto fault = cpu_->inject(interrupt);
        if (!fault) {
            vmm_tap_.injected(interrupt.vector, at);
            counters_.interrupted(at.offset);
            return std::nullopt;
        }
        const bool exception = interrupt.kind == cpu::Interrupt::Kind::kException;
        if (exception && interrupt.vector == cpu::vector::kDoubleFault) break;
        interrupt = cpu::escalate(interrupt, *fault);
        tap_.exception(interrupt.vector, interrupt.error_code.value_or(0), cpu_->address());
    }
    return Outcome{Ending::kTripleFault, 0,
                   fmt::format("triple fault at {}: interrupt {:02x}h could not be delivered, nor the faults that followed; "
                               "are the guest's interrupt table and its stack in order?",
                               text_of(from), first)};
}

// No timer that is armed can end it: then nothing can, for the guest does nothing any more that would change that.
std::optional<Outcome> Vmm::wait_halted() {
    const bool interrupts_on = cpu_->can_inject();
    const bool is_coming = interrupts_on && intr_.is_held();
    if (!is_coming && !machine_.can_wake(interrupts_on)) {
        const char* why = !interrupts_on                  ? "interrupts off"
                          : !machine_.events().next_due() ? "no timer running"
                                                          : "every interrupt masked that could still come";
        return Outcome{Ending::kHalted, 0,
                       fmt::format("the guest halted at {} with {}: nothing can wake it", text_of(halt_address_), why)};
    }
    machine_.clock().wait_until(deadline());
    return std::nullopt;
}

}  // namespace sla::vmm
