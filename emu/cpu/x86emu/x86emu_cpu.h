// The CPU on libx86emu, an interpreter: it sees every instruction, so that time, places and counts are exact and every run
// is the same. Real mode and ring 0 of protected mode; no paging, no other rings, no floating point (it says so and ends).
//
// Invariant: the library's registers are the truth, at all times. Its own interrupt delivery, INS and OUTS are not used:
// they lose interrupts and step by one whatever the width.
#pragma once

#include "emu/bus/memory.h"
#include "emu/bus/mmio_table.h"
#include "emu/cpu/cpu.h"
#include "emu/cpu/cpu_names.h"
#include "emu/cpu/instruction.h"
#include "emu/cpu/x86emu/decode_cache.h"

#include <x86emu.h>

#include <memory>
#include <optional>
#include <vector>

namespace sla::cpu {

class X86emuCpu final : public Cpu {
public:
    // Every instruction counts as so many bytes of code, about the mean.
    static constexpr std::uint64_t kBytesPerInstruction = 3;

    static Result<std::unique_ptr<Cpu>> make(bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client);

    [[nodiscard]] std::string_view name() const override { return kX86emu; }
    [[nodiscard]] std::uint32_t missing_features() const override;
    Result<void> reset() override;
    Exit run() override;
    void set_budget(std::uint64_t code_bytes) override { budget_ = code_bytes; }
    std::uint64_t take_executed() override;
    [[nodiscard]] std::int64_t executed() const override { return static_cast<std::int64_t>(executed_); }
    void want_interrupt_window(bool wanted) override { window_wanted_ = wanted; }
    [[nodiscard]] bool can_inject() const override { return !shadow_ && interrupts_on(); }
    [[nodiscard]] bool can_inject_nmi() const override { return !shadow_ && !nmi_blocked_; }
    void set_a20(bool on) override { a20_ = on ? kA20On : kA20Off; }
    std::optional<Fault> inject(const Interrupt& interrupt) override;
    void set_traps(const Traps& traps) override { traps_ = traps; }
    void set_stop_points(StopPoints* points) override { points_ = points; }
    [[nodiscard]] bool sees_accesses() const override { return true; }
    [[nodiscard]] Registers registers() const override;
    [[nodiscard]] X86State full_state() const override { return state(); }
    void set_state(const X86State& state) override { take_back(state); }
    void visit_state(bus::StateVisitor& visitor) override;
    bool write_byte(std::uint32_t linear, std::uint8_t value) override;
    [[nodiscard]] std::optional<std::uint8_t> read_byte(std::uint32_t linear) const override;
    [[nodiscard]] CodeAddress address() const override;
    [[nodiscard]] CodeAddress running_address() override;
    [[nodiscard]] const EventCounts* counts() const override { return &counts_; }
    [[nodiscard]] Counting counting() const override { return Counting::kEverything; }

private:
    static constexpr std::uint32_t kPageBits = 12;
    static constexpr std::uint32_t kOffsetInPage = (1U << kPageBits) - 1;
    static constexpr std::uint16_t kIret = 0xCF;
    static X86emuCpu& of(x86emu_t* emu) { return *static_cast<X86emuCpu*>(emu->_private); }
    struct Free {
        void operator()(x86emu_t* emu) const { x86emu_done(emu); }
    };

    X86emuCpu(bus::Memory& memory, const bus::MmioTable& windows, CpuClient& client);

    // The library's handlers.
    static int on_instruction(x86emu_t* emu);
    static unsigned on_access(x86emu_t* emu, u32 address, u32* value, unsigned type);
    static int on_interrupt(x86emu_t* emu, u8 number, unsigned type);

    // True: the library runs the instruction (x86emu_before_instruction.cpp).
    bool before_instruction();
    bool may_go_on();
    bool beyond_code();
    [[nodiscard]] std::uint8_t fault_of_selector(std::uint32_t selector) const;
    bool emulate(const Instruction& found, std::uint32_t next);
    bool do_iret(const Instruction& found, std::uint32_t next);
    bool return_from_task(std::uint32_t next);
    bool leaves_ring_0(unsigned width, bool has_flags);

    // Instructions that the library does wrong (x86emu_corrections.cpp). False: done here.
    struct Place {  // of an operand
        bool is_register = false;
        unsigned number = 0;
        SegmentIndex segment = kDs;
        std::uint32_t offset = 0;
    };
    bool correct(const DecodeCache::Entry& entry, std::uint32_t next);
    bool do_shift(const DecodeCache::Entry& entry, std::uint32_t next);
    bool do_double_shift(const DecodeCache::Entry& entry, std::uint32_t next);
    bool do_bit_test(const DecodeCache::Entry& entry, std::uint32_t next);
    bool do_exchange(const DecodeCache::Entry& entry, std::uint32_t next);
    bool do_exchange_8_bytes(const DecodeCache::Entry& entry, std::uint32_t next);
    bool do_bound(const DecodeCache::Entry& entry, std::uint32_t next);
    bool do_enter(const DecodeCache::Entry& entry, std::uint32_t next);
    bool do_aam(std::uint8_t base, std::uint32_t next);
    bool do_das(std::uint32_t next);
    bool do_xlat(const Instruction& found, std::uint32_t next);
    bool do_loop(const Instruction& found, std::int8_t away, std::uint32_t next);
    bool done(std::uint32_t next);
    [[nodiscard]] Place place_of(const DecodeCache::Entry& entry, unsigned immediate);
    bool may_access(const Place& place, unsigned bytes, bool write);
    std::uint32_t read_place(const Place& place, unsigned bytes);
    void write_place(const Place& place, unsigned bytes, std::uint32_t value);
    static constexpr std::uint32_t mask_of_bytes(unsigned bytes) { return 0xFFFFFFFFU >> (32 - 8 * bytes); }
    [[nodiscard]] u32& general(unsigned number);
    [[nodiscard]] std::uint32_t read_register(unsigned number, unsigned bytes);
    void write_register(unsigned number, unsigned bytes, std::uint32_t value);
    // A fault leaves the registers as they were; the library's changes some of them first.
    void remember(const DecodeCache::Entry& entry);
    void undo();
    [[nodiscard]] bool uses_stack();
    [[nodiscard]] bool within_limits(const Place& place, unsigned bytes, bool write) const;

    bool emulate_msr(bool write, std::uint32_t next);
    bool string_port(const Instruction& found, std::uint32_t next);
    void count(const Executed& executed);
    void count_access(std::uint32_t address, unsigned bytes, bool write);
    enum class Use : std::uint8_t { kExecute = 0, kWrite = 1, kPort = 2, kRead = 3 };  // but for kRead as in DR7
    void match_breakpoints(std::uint32_t address, unsigned bytes, Use use) {
        if (debug_registers_used_) count_matches(address, bytes, use);
    }
    void count_matches(std::uint32_t address, unsigned bytes, Use use);
    bool fault(std::uint8_t number, std::optional<std::uint32_t> error_code);
    bool leave(Exit exit);

    // Debug exceptions (x86emu_debug.cpp). False: one is due, before the next instruction.
    bool traps_are_done();
    bool may_begin(std::uint32_t at, const Instruction& found);
    bool debug_exception(std::uint32_t reasons);
    [[nodiscard]] std::uint32_t fetch_breakpoints(std::uint32_t address) const;

    [[nodiscard]] std::uint32_t load(std::uint32_t address, unsigned bytes);
    void save(std::uint32_t address, unsigned bytes, std::uint32_t value);
    [[nodiscard]] std::uint32_t code_byte(std::uint32_t address) const;
    [[nodiscard]] DecodeCache::Bytes code_at(std::uint32_t address) const;
    [[nodiscard]] bool interrupts_on() const { return (emu_->x86.R_EFLG & flag::kInterrupt) != 0; }
    [[nodiscard]] X86State state() const;
    void take_back(const X86State& state);

    std::unique_ptr<x86emu_t, Free> emu_;
    bus::Memory& memory_;
    CpuClient& client_;
    PhysicalWrite write_;
    std::vector<std::uint8_t*> pages_;  // of the 4 GB; null: the client answers
    Traps traps_;
    StopPoints* points_ = nullptr;
    EventCounts counts_;
    DecodeCache decoded_;

    std::uint64_t executed_ = 0;
    std::uint64_t budget_ = 0;
    bool window_wanted_ = false;
    bool shadow_ = false;       // of the instruction to come
    bool next_shadow_ = false;  // the instruction that runs casts one
    std::uint32_t a20_ = kA20On;
    bool nmi_blocked_ = false;   // until an IRET has run
    bool iret_running_ = false;  // the instruction that runs is one
    bool debug_registers_used_ = false;
    std::uint32_t debug_traps_ = 0;  // what the instruction that runs gives rise to behind it, as bits of DR6
    bool debug_traps_wait_ = false;  // until the instruction behind a load of SS has run
    std::uint32_t last_cr0_ = 0;
    struct Before {  // the instruction that runs
        i386_general_regs general{};
        i386_special_regs special{};
        const DecodeCache::Entry* entry = nullptr;  // null: it was done here, or the state came from elsewhere
    };
    Before before_;
    std::uint32_t running_eip_ = 0;
    std::optional<Exit> exit_;
};

}  // namespace sla::cpu
