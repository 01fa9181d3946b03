// The CPU on Unicorn 2. The README of this room says which of its ways are forced by the library.
//
// Invariant: between runs EIP, flags and memory are exact. Inside hooks only what a hook says it reads is.
#pragma once

#include "emu/bus/memory.h"
#include "emu/bus/mmio_table.h"
#include "emu/cpu/cpu.h"
#include "emu/cpu/instruction.h"
#include "emu/cpu/place_cache.h"
#include "emu/cpu/unicorn_context.h"
#include "emu/cpu/unicorn_engine.h"
#include "emu/cpu/unicorn_exception.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sla::cpu {

class UnicornCpu final : public Cpu {
public:
    static Result<std::unique_ptr<Cpu>> make(bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client);

    [[nodiscard]] std::string_view name() const override { return "unicorn"; }
    [[nodiscard]] std::string limits() const override;
    [[nodiscard]] std::string doubts() const override;
    Result<void> reset() override;
    Stop run() override;
    void set_allowance(std::uint64_t code_bytes) override;
    std::uint64_t take_executed() override;
    void set_a20(bool on) override { a20_ = on; }
    void want_interrupt_window(bool wanted) override { window_wanted_ = wanted; }
    [[nodiscard]] bool can_inject() const override { return !shadow_ && interrupts_on(); }
    [[nodiscard]] bool can_inject_nmi() const override { return !shadow_ && !context_.nmi_blocked(); }
    std::optional<Fault> inject(const Interrupt& interrupt) override;
    void set_traps(const Traps& traps) override;
    [[nodiscard]] Registers registers() const override;
    [[nodiscard]] std::optional<std::uint8_t> read_byte(std::uint32_t linear) const override;
    [[nodiscard]] CodeAddress address() const override;
    [[nodiscard]] CodeAddress running_address() override;

private:
    friend struct UnicornHooks;  // the library's callbacks

    static constexpr unsigned kPageBits = 12;
    // The library looks into this block for the model-specific registers it shall intercept: all. Above 4 GB, where no guest
    // gets.
    static constexpr std::uint64_t kControlBlock = std::uint64_t{1} << 32;
    // Blocks of code that an engine may translate. The library throws nothing away until its 1 GB is full, at a KB or so a
    // block, and then it crashes; a guest that writes beside its code for some minutes gets there.
    static constexpr unsigned kMostTranslated = 16'384;

    struct MovedPage {
        std::uint32_t linear = 0;
        std::uint32_t physical = 0;  // where the page tables put it
    };
    struct Block {
        std::uint32_t start = 0;  // linear
        std::uint32_t size = 0;
    };
    struct Window {  // physical addresses that the client answers
        UnicornCpu* cpu = nullptr;
        std::uint32_t base = 0;
    };

    UnicornCpu(UnicornEngine engine, const ExceptionLayout& exceptions, const ContextLayout& context, bus::Memory& memory,
               const bus::MmioTable& windows, CpuClient& client);
    Result<void> change_engine();
    // A new engine gets memory, real mode and hooks; or what it needs to take another's place.
    Result<void> power_on();
    Result<void> renew_engine();
    Result<void> map_all();
    Result<void> set_up_runs();
    Result<void> map_memory();
    Result<void> move_a20();
    void forget_pages();
    [[nodiscard]] X86State state() const;
    Result<void> map_control_block();
    void update_intercepts();

    void enter_block(std::uint32_t start, std::uint32_t size);
    void stop_before(std::uint32_t start, std::optional<StopReason> why);  // nothing: only to go on
    [[nodiscard]] bool lies_elsewhere(std::uint32_t linear);
    // The page tables of this state, looked at without leaving marks in them when `write` does nothing.
    [[nodiscard]] std::optional<MovedPage> moved_page(const X86State& state, const PhysicalWrite& write,
                                                      std::uint32_t linear) const;
    [[nodiscard]] static std::string text_of(const MovedPage& page);
    void look_for_moved_pages();
    [[nodiscard]] bool in_shadow(std::uint32_t next) const;
    [[nodiscard]] bool interrupts_on() const;
    [[nodiscard]] std::uint32_t code_base() const;
    // Takes the block apart: visit(instruction, code from it on, place), until that gives true.
    template <typename Visit>
    void walk_block(const X86State& state, Visit visit);
    // CS:EIP of the count-th instruction of the block for which the test is true.
    template <typename Test>
    std::optional<CodeAddress> find_in_block(unsigned count, Test test);
    // CS:EIP of the instruction that makes the present access to a chip's window, where only one of the block can.
    [[nodiscard]] CodeAddress place_of_window_access();
    void remember_place(const PlaceCache::Access& access, const CodeAddress& place);
    [[nodiscard]] bool runs_in(const CodeSegment& segment);
    [[nodiscard]] std::span<const std::uint8_t> block_code(std::size_t length) const;
    void give_back_rest();

    // One run of the library; nothing: the client need not know, go on.
    std::optional<Stop> run_once();
    std::optional<Stop> describe_interrupt();
    [[nodiscard]] std::uint32_t length_of_interrupt(const Stop& stop) const;
    Stop give_up(const std::string& signal);
    Stop describe_failure(uc_err error);
    Stop describe_elsewhere() const;

    // Instructions done here (unicorn_instructions.cpp). EIP stands at them.
    std::optional<Stop> emulate(std::uint32_t report, std::uint32_t error_code);
    bool find_place(std::uint32_t report);
    std::optional<Stop> emulate_msr(bool write);
    std::optional<Stop> emulate_counter();
    std::optional<Stop> invalid_opcode();
    void finish_mode_write();
    void put_edx_eax(std::uint64_t value);
    void skip();
    Stop exception(std::uint8_t number, std::optional<std::uint32_t> error_code);

    ExceptionLayout exception_layout_;
    ContextLayout context_layout_;
    UnicornEngine engine_;
    ExceptionContext exceptions_;
    mutable UnicornContext context_;  // a buffer: reading the state changes it
    bus::Memory& memory_;
    const bus::MmioTable& chips_;
    CpuClient& client_;
    PhysicalWrite write_;
    std::vector<std::unique_ptr<Window>> windows_;  // the library keeps their addresses
    Traps traps_;

    std::uint64_t executed_ = 0;   // since take_executed
    std::uint64_t allowance_ = 0;  // what is left of it
    bool window_wanted_ = false;
    bool shadow_ = false;        // the next instruction runs before any interrupt
    Block block_;                // entered last
    bool last_was_out_ = false;  // the last access to a port
    PlaceCache places_;
    unsigned translated_ = 0;                     // by this engine
    std::optional<std::uint32_t> window_access_;  // being served: its physical address
    unsigned ins_ = 0;                            // accesses in this block
    unsigned outs_ = 0;
    std::size_t length_ = 0;  // of the instruction found last

    // Why the present run stops; cleared at its start.
    std::optional<std::uint32_t> stop_at_;  // linear address of the block before which it stops
    std::optional<StopReason> asked_;
    std::optional<std::uint32_t> taken_vector_;
    bool invalid_instruction_ = false;
    std::optional<std::uint64_t> bad_address_;

    bool protected_ = false;  // CR0's, as of its last write
    bool paged_ = false;
    std::uint32_t checked_page_ = 0;               // of code; 0: none
    std::optional<MovedPage> moved_page_;          // the first that was seen
    std::optional<std::uint32_t> looked_through_;  // CR3 of the tables that were looked at last
    std::optional<MovedPage> elsewhere_;           // the code that this run stopped before

    bool a20_ = true;         // wanted
    bool a20_mapped_ = true;  // as the engine has it

    // A write to CR0: once intercepted it runs, and the block behind it is stopped at.
    unsigned blocks_to_mode_ = 0;
    bool mode_written_ = false;
    std::optional<CodeAddress> instruction_;  // being emulated
};

}  // namespace sla::cpu
