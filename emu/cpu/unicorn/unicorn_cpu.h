// The CPU on Unicorn 2. The README of this room says which of its ways are forced by the library.
//
//   UnicornCpu ─┬─ UnicornEngine, UnicornContext, ExceptionContext   the library's processor, and what its interface hides
//               ├─ UnicornMemory   what answers at physical addresses, address line 20
//               ├─ PageTracker     pages that the guest's tables put elsewhere
//               ├─ UnicornBlock    the block of code that runs, and where in it an access is made
//               ├─ BlockCounter    what the blocks of code do, while somebody counts
//               └─ ModeWriter      a write to CR0 on its way
//
// Invariant: between runs EIP, flags and memory are exact. Inside hooks only what a hook says it reads is.
#pragma once

#include "emu/cpu/cpu.h"
#include "emu/cpu/cpu_names.h"
#include "emu/cpu/unicorn/block_counter.h"
#include "emu/cpu/unicorn/mode_writer.h"
#include "emu/cpu/unicorn/page_tracker.h"
#include "emu/cpu/unicorn/unicorn_block.h"
#include "emu/cpu/unicorn/unicorn_context.h"
#include "emu/cpu/unicorn/unicorn_engine.h"
#include "emu/cpu/unicorn/unicorn_exception.h"
#include "emu/cpu/unicorn/unicorn_memory.h"

#include <memory>
#include <optional>
#include <span>

namespace sla::cpu {

class UnicornCpu final : public Cpu {
public:
    static Result<std::unique_ptr<Cpu>> make(bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client);

    [[nodiscard]] std::string_view name() const override { return kUnicorn; }
    [[nodiscard]] std::string limits() const override;
    [[nodiscard]] std::string doubts() const override;
    Result<void> reset() override;
    Exit run() override;
    void set_budget(std::uint64_t code_bytes) override { budget_ = code_bytes; }
    std::uint64_t take_executed() override;
    [[nodiscard]] std::int64_t executed() const override {
        return static_cast<std::int64_t>(executed_) - static_cast<std::int64_t>(ahead_);
    }
    void set_a20(bool on) override { memory_.want_a20(on); }
    void memory_changed(std::uint32_t physical, std::size_t bytes) override;
    void want_interrupt_window(bool wanted) override { window_wanted_ = wanted; }
    [[nodiscard]] bool can_inject() const override { return !shadow_ && interrupts_on(); }
    [[nodiscard]] bool can_inject_nmi() const override { return !shadow_ && !context_.nmi_blocked(); }
    std::optional<Fault> inject(const Interrupt& interrupt) override;
    void set_traps(const Traps& traps) override;
    void set_stop_points(StopPoints* points) override { points_ = points; }
    [[nodiscard]] Registers registers() const override;
    [[nodiscard]] X86State full_state() const override { return memory_.state(); }
    void set_state(const X86State& state) override;
    void visit_state(bus::StateVisitor& visitor) override;
    bool write_byte(std::uint32_t linear, std::uint8_t value) override;
    [[nodiscard]] std::optional<std::uint8_t> read_byte(std::uint32_t linear) const override;
    [[nodiscard]] CodeAddress address() const override;
    [[nodiscard]] CodeAddress running_address() override;
    [[nodiscard]] const EventCounts* counts() const override { return &counts_; }
    [[nodiscard]] Counting counting() const override { return Counting::kBlocks; }

private:
    friend struct UnicornHooks;  // the library's callbacks

    // Blocks of code that an engine may translate. The library throws nothing away until its 1 GB is full, at a KB or so a
    // block, and then it crashes; a guest that writes beside its code for some minutes gets there.
    static constexpr unsigned kMaxTranslated = 16'384;

    // Why a run of the library ended.
    struct RunEnd {
        std::optional<std::uint32_t> before_block;  // its linear address; we asked for the end
        std::optional<ExitReason> asked;            // nothing: only to go on
        std::optional<std::uint32_t> vector;
        bool behind_access = false;  // to a port: no more runs
        bool invalid_instruction = false;
        std::optional<std::uint64_t> bad_address;
    };

    UnicornCpu(UnicornEngine engine, const ExceptionLayout& exceptions, const ContextLayout& context, bus::Memory& memory,
               const bus::MmioTable& windows, CpuClient& client);
    Result<void> change_engine();
    // A new engine gets memory, real mode and hooks; or what it needs to take another's place.
    Result<void> power_on();
    Result<void> renew_engine();
    Result<void> set_up_runs();
    void update_intercepts();
    void visit_context(bus::StateVisitor& visitor);

    void enter_block(std::uint32_t start, std::uint32_t size);
    bool may_enter(std::uint32_t start, std::uint32_t size);
    void end_block_before(std::uint32_t start);
    void stop_before(std::uint32_t start, std::optional<ExitReason> why);
    [[nodiscard]] bool in_shadow(std::uint32_t next) const;
    [[nodiscard]] bool interrupts_on() const;
    [[nodiscard]] std::uint32_t code_base() const { return context_.load().segments[kCs].base; }
    [[nodiscard]] X86State state() const { return memory_.state(); }
    void give_back_rest(std::uint32_t ran_at_eip = 0);
    // A block, or a part of it, was counted.
    void report_count();
    void access_port(std::uint32_t port, int bytes, bool out);
    // The run ended at EIP; `ran`: the instruction there counts.
    void count_up_to_eip(bool ran);

    // One run of the library; nothing: the client need not know, go on.
    std::optional<Exit> run_once();
    std::optional<Exit> describe_interrupt();
    Exit end_behind_access();
    [[nodiscard]] bool is_at_counter_read() const;
    [[nodiscard]] std::uint32_t length_of_interrupt(const Exit& exit) const;
    Exit give_up(const std::string& signal);
    Exit describe_failure(uc_err error);
    [[nodiscard]] Exit describe_remapped() const;

    // One instruction at a time, by the trap flag (unicorn_steps.cpp).
    struct Step {
        bool wanted = false;  // the next run is one
        bool armed = false;   // the present run is one
        bool trapped_itself = false;
        std::uint16_t opcode = Instruction::kUnknown;
        std::uint32_t debug_status = 0;          // DR6 before it
        std::optional<std::uint32_t> last_turn;  // of a repeated string instruction: its EIP
        std::optional<bool> turns_while;         // its ZF, where that ends it too
    };
    [[nodiscard]] bool stops_or_steps(std::uint32_t start, std::uint32_t size);
    void step_from(std::uint32_t start);
    void arm_step();
    void note_last_turn(const X86State& now, const Instruction& found, std::span<const std::uint8_t> code);
    void take_turn_at_zero();
    // True: the run ended behind that instruction, and nothing else happened.
    bool finish_step();

    // Instructions done here (unicorn_instructions.cpp). EIP stands at them.
    std::optional<Exit> emulate(std::uint32_t report, std::uint32_t error_code);
    std::optional<Exit> emulate_msr(bool write);
    std::optional<Exit> emulate_counter();
    void emulate_debug_write();
    std::optional<Exit> invalid_opcode();
    void finish_mode_write();
    std::optional<Exit> trap_behind();
    void put_edx_eax(std::uint64_t value);
    void skip();
    Exit exception(std::uint8_t number, std::optional<std::uint32_t> error_code);

    ExceptionLayout exception_layout_;
    ContextLayout context_layout_;
    UnicornEngine engine_;
    ExceptionContext exceptions_;
    mutable UnicornContext context_;  // a buffer: reading the state changes it
    CpuClient& client_;
    UnicornMemory memory_;
    PageTracker pages_;
    UnicornBlock block_;
    ModeWriter mode_;
    Traps traps_;
    StopPoints* points_ = nullptr;
    Step step_;
    EventCounts counts_;
    BlockCounter counter_;

    std::uint64_t executed_ = 0;  // since take_executed
    std::uint64_t budget_ = 0;    // what is left of it
    std::uint32_t ahead_ = 0;     // of the present block, which counts whole: bytes to come that it is stepped through
    bool window_wanted_ = false;
    bool shadow_ = false;              // the next instruction runs before any interrupt
    unsigned translated_ = 0;          // by this engine
    bool breakpoints_wanted_ = false;  // by the guest, in DR7
    RunEnd end_;                       // of the present run
    std::optional<UnicornBlock::Found> emulated_;
};

}  // namespace sla::cpu
