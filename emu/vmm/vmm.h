// Runs a CPU on a machine and reports to the tap what an analyzer may want to see.
//
//   Vmm ─┬─ ChipWatch      what chips do by themselves
//        ├─ IntrPin        from the interrupt controllers to the CPU
//        ├─ CounterUnit    the performance counters
//        └─ GuestMarkers   the guest's own markers
//
// One thread, the machine's. The CpuClient's calls come from inside run().
#pragma once

#include "emu/bus/state_visitor.h"
#include "emu/cpu/cpu.h"
#include "emu/machine/machine.h"
#include "emu/machine/stop_signal.h"
#include "emu/tap/port_tap.h"
#include "emu/tap/tap.h"
#include "emu/tap/vmm_tap.h"
#include "emu/vmm/chip_watch.h"
#include "emu/vmm/counter_unit.h"
#include "emu/vmm/guest_markers.h"
#include "emu/vmm/intr_pin.h"
#include "emu/vmm/outcome.h"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::vmm {

class Vmm final : private cpu::CpuClient {
public:
    Vmm(machine::Machine& machine, tap::Tap& tap, const machine::StopSignal& stop);
    ~Vmm() override;

    // Makes the CPU of that name; once, before run, when memory and chips are in place.
    Result<void> plug_cpu(std::string_view name);
    [[nodiscard]] const cpu::Cpu& cpu() const { return *cpu_; }
    // Notes the guest's address at every period-th event of that number (emu/pmc/events.h), or as often as a rate wants by the
    // guest's clock. Once the CPU is plugged in.
    Result<void> sample(const pmc::SampleRequest& wanted) {
        return counters_.sample(wanted,
                                [this] { return machine_.clock().repeatable() ? moment() : machine_.clock().now(); });
    }
    // All events, whoever runs: for sections, tables, logs. Once the CPU is plugged in.
    [[nodiscard]] CounterUnit& counter_unit() { return counters_; }
    // From now on a guest that resets the machine, or whose processor resets itself by a triple fault, starts again instead
    // of ending the run; the observer learns how, each time. A triple fault that comes back at once, with no access to a
    // chip since the last one, ends the run all the same: it would for ever.
    void restart_on_reset(std::function<void(const std::string& how)> observer) { on_restart_ = std::move(observer); }
    // Runs on the machine's thread, the guest standing still, soon after the stop signal called attention. What follows is
    // for it.
    void attend_with(std::function<void()> action) { attend_ = std::move(action); }
    // Where the guest shall stand still; whoever changes it does so then. When it stops the observer learns why, then the
    // action runs that attends.
    [[nodiscard]] cpu::StopPoints& stop_points() { return points_; }
    void on_stop(std::function<void(const cpu::StopPoints::Found&)> observer) { on_stop_ = std::move(observer); }
    // It stood still at a place, and goes on from there: a stop point there has been had.
    void go_on();
    // A stop before the next instruction that can be: from inside the run, when something was seen.
    void stop_soon();
    // When the next instruction begins (emu/cpu/repeat.h), and which of the two ways the guest stands there.
    [[nodiscard]] cpu::RunPlace place() const { return {moment(), !in_cpu_run_}; }
    // Runs the action once the guest comes by there, and goes on; at most one. Exact: what happens behind that place happens
    // behind the action. `block`: when the block of code around that place begins, where the CPU runs blocks.
    void call_at(const cpu::RunPlace& place, cpu::Moment block, std::function<void()> action);
    void forget_call();
    // The same between two runs of the processor, soon behind that moment: for those who want the state as a whole.
    void call_behind(cpu::Moment moment, std::function<void()> action) {
        behind_ = moment;
        call_behind_ = std::move(action);
    }
    // Goes on from a state that was loaded to where the repeat ends, whoever attends or wants it to stop. False: it did not get
    // there, since the guest ended or the signal has an interruption; then nothing is known of the state but that it is whole.
    bool run_again(cpu::Repeat& repeat);
    // Where the next instruction stands.
    [[nodiscard]] std::uint32_t linear_address() const;
    // Model-specific registers, for who looks at a guest that stands still: no event of the guest's, and reading changes nothing.
    [[nodiscard]] std::optional<std::uint64_t> read_model_register(std::uint32_t number) const;
    bool write_model_register(std::uint32_t number, std::uint64_t value);
    void set_state(const cpu::X86State& state) { cpu_->set_state(state); }
    bool write_byte(std::uint32_t linear, std::uint8_t value) { return cpu_->write_byte(linear, value); }
    // That the CPU ran, where it counts them.
    [[nodiscard]] std::uint64_t code_bytes() const { return code_bytes_; }

    // The CPU, what the machine monitor knows of it, then the machine; between two instructions. After loading the run goes on
    // where the other stood.
    void visit_state(bus::StateVisitor& state);

    // Channels with spans that are open where the guest stands, a nested one as often as it has begun: of that state, whoever saw
    // them begin.
    [[nodiscard]] std::vector<std::string> open_spans() const;

    // Runs until the guest ends, the stop signal comes or the machine's clock reaches the limit.
    Outcome run(bus::Nanoseconds time_limit = std::numeric_limits<bus::Nanoseconds>::max());

private:
    // CpuClient
    std::uint32_t port_in(std::uint16_t port, bus::Width width) override;
    void port_out(std::uint16_t port, bus::Width width, std::uint32_t value) override;
    [[nodiscard]] bool over() const override { return machine_.over(); }
    std::uint32_t mmio_read(std::uint32_t address, bus::Width width) override;
    void mmio_write(std::uint32_t address, bus::Width width, std::uint32_t value) override;
    cpu::CpuidAnswer cpuid(std::uint32_t leaf) override;
    cpu::CpuidAnswer identity(std::uint32_t leaf) override;
    std::uint64_t read_tsc() override;
    std::optional<std::uint64_t> read_msr(std::uint32_t number) override;
    bool write_msr(std::uint32_t number, std::uint64_t value) override;
    void own_msr(bool write, std::uint32_t number, std::uint64_t value) override;
    std::optional<std::uint64_t> read_counter(std::uint32_t number) override;
    std::uint32_t hypercall(const cpu::Registers& registers) override;
    void mode_changed() override;
    void instruction(const cpu::Executed& executed) override { counters_.instruction(executed); }
    void instruction_done(std::uint32_t eip) override { counters_.instruction_done(eip); }
    void block_done(const cpu::CodeAddress& last, unsigned ring) override { counters_.block_done(last, ring); }
    void data_access(std::uint32_t address, unsigned bytes, bool write) override {
        counters_.data_access(address, bytes, write);
    }
    std::uint64_t next_budget() override;

    [[nodiscard]] std::uint64_t ticks_at(bus::Nanoseconds now) const;
    void visit_run(bus::StateVisitor& state);
    void visit_registers(bus::StateVisitor& state);
    std::optional<Outcome> step();
    // What becomes of a run that is at that end: nothing, it goes on.
    std::optional<Outcome> restart(const Outcome& end);
    void begin_exit(tap::ExitKind reason, const cpu::CodeAddress& at);
    void end_exit();
    void counter_overflowed();
    void update_traps();
    std::optional<Outcome> handle(const cpu::Exit& exit);
    std::optional<Outcome> deliver_pending_interrupt();
    void wake();
    std::optional<Outcome> deliver(cpu::Interrupt interrupt);
    std::optional<Outcome> wait_halted();
    [[nodiscard]] std::optional<Outcome> finished() const;
    [[nodiscard]] bool is_called() const { return attend_ && (again_ ? stop_.interrupted() : stop_.attention()); }
    [[nodiscard]] cpu::Moment moment() const;
    [[nodiscard]] bool has_passed_call(bool between) const;
    void call();
    [[nodiscard]] bool wants_interlude() const { return is_called() || (!again_ && machine_.clock().now() >= behind_); }
    std::optional<Outcome> run_cpu();
    bool stands_again();
    void look_at_stops();
    [[nodiscard]] bool holds_interrupts_back() const;
    void catch_up();
    void before_access();
    void after_access();
    void look_at_chips();
    void look_behind_stop();
    [[nodiscard]] bus::Nanoseconds deadline() const;
    void plan();
    // For the CPU, until planned_.
    [[nodiscard]] std::uint64_t budget() const;

    machine::Machine& machine_;
    tap::Tap& tap_;
    const machine::StopSignal& stop_;
    tap::VmmTap vmm_tap_;
    tap::PortTap port_tap_;
    std::unique_ptr<cpu::Cpu> cpu_;
    ChipWatch chips_;
    IntrPin intr_;
    CounterUnit counters_;
    GuestMarkers markers_;

    bus::Nanoseconds time_limit_ = 0;
    bus::Nanoseconds planned_ = 0;  // the deadline that the CPU's budget was made for
    std::uint64_t code_bytes_ = 0;
    std::uint64_t tsc_offset_ = 0;
    bool halted_ = false;
    bool in_cpu_run_ = false;  // where the guest stands still: in the middle of a budget, or behind it
    bool loaded_ = false;      // by whoever attended: the present step is of another time
    bool interlude_ = false;   // the CPU left its run for those around it, and the guest shall not notice
    bool again_ = false;       // a run that is made again
    std::optional<cpu::RunPlace> call_at_;
    std::function<void()> call_;
    cpu::Moment behind_ = std::numeric_limits<cpu::Moment>::max();
    std::function<void()> call_behind_;
    cpu::Repeat* repeat_ = nullptr;
    std::function<void(const std::string&)> on_restart_;  // empty: a reset ends the run
    std::function<void()> attend_;                        // empty: nobody can call
    cpu::StopPoints points_;
    std::function<void(const cpu::StopPoints::Found&)> on_stop_;
    unsigned fruitless_restarts_ = 0;    // without an access to a chip
    std::optional<tap::ExitKind> exit_;  // of the CPU's run, while the guest stands still
    cpu::CodeAddress halt_address_;
};

}  // namespace sla::vmm
