// What a machine needs of a processor, whatever library does the work.
//
// A CPU runs until its budget of code bytes is used up or something happens that its client must know. It never delivers
// a software interrupt or an exception by itself: run() stops, the client looks, and inject() enters the handler. So the
// guest sees what it would see anyway, and the client sees everything. Instructions whose answer is not the CPU's to give
// (ports, chips in memory, CPUID, model-specific registers, the time-stamp counter) ask the client, from inside run(). One
// thread.
#pragma once

#include "emu/bus/code_address.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/cpu/executed.h"
#include "emu/cpu/interrupt_delivery.h"
#include "emu/cpu/stop_points.h"
#include "emu/cpu/x86_state.h"
#include "proto/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sla::cpu {

using bus::CodeAddress;

enum class ExitReason {
    kBudgetUsed,         // the client gave no more code bytes
    kInterruptWindow,    // wanted, and now open
    kHalt,               // HLT ran; EIP is behind it
    kSoftwareInterrupt,  // INT n; EIP is behind it
    kException,          // EIP is where the handler shall return to
    kStopPoint,          // a stop point wants the guest to stand still before the next instruction
    kShutdown,           // triple fault, where the CPU enters handlers by itself
    kFailed,             // the backend cannot go on; `what` says why
};

struct Exit {
    ExitReason reason = ExitReason::kBudgetUsed;
    std::uint8_t vector = 0;
    std::optional<std::uint32_t> error_code;
    CodeAddress address;  // of the instruction that caused the stop
    std::string what;
};

struct Registers {
    std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0, esi = 0, edi = 0, ebp = 0, esp = 0;
    std::uint32_t eip = 0, eflags = 0, cr0 = 0, cr2 = 0, cr3 = 0, cr4 = 0;
    unsigned ring = 0;
    std::uint16_t cs = 0, ds = 0, es = 0, ss = 0;
};

struct CpuidAnswer {
    std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

class CpuClient {
public:
    virtual ~CpuClient() = default;
    virtual std::uint32_t port_in(std::uint16_t port, bus::Width width) = 0;
    virtual void port_out(std::uint16_t port, bus::Width width, std::uint32_t value) = 0;
    // The last port_out, which left no budget, was the end: no instruction behind it runs.
    [[nodiscard]] virtual bool over() const = 0;
    // Physical addresses at which no memory answers.
    virtual std::uint32_t mmio_read(std::uint32_t address, bus::Width width) = 0;
    virtual void mmio_write(std::uint32_t address, bus::Width width, std::uint32_t value) = 0;

    virtual CpuidAnswer cpuid(std::uint32_t leaf) = 0;
    // The same, for a CPU that answers by itself and asks beforehand.
    virtual CpuidAnswer identity(std::uint32_t leaf) = 0;
    virtual std::uint64_t read_tsc() = 0;
    // Nothing, or false: the guest gets a general protection fault. The CPU has checked the ring.
    virtual std::optional<std::uint64_t> read_msr(std::uint32_t number) = 0;
    virtual bool write_msr(std::uint32_t number, std::uint64_t value) = 0;
    // The guest accessed a register that the client refused and the CPU has of its own.
    virtual void own_msr(bool write, std::uint32_t number, std::uint64_t value) = 0;
    virtual std::optional<std::uint64_t> read_counter(std::uint32_t number) = 0;
    // VMCALL or VMMCALL; gives the new EAX.
    virtual std::uint32_t hypercall(const Registers& registers) = 0;
    // CR0 was written, or a handler entered from virtual 8086 mode.
    virtual void mode_changed() = 0;
    // An instruction is about to run; it is in the counts already, its accesses are not.
    virtual void instruction(const Executed& executed) = 0;
    // It has run, and all that it did is in the counts; the next one stands at that EIP.
    virtual void instruction_done(std::uint32_t eip) = 0;
    // The same of a CPU that counts by blocks of code: one has run, in that ring, up to that instruction.
    virtual void block_done(const CodeAddress& last, unsigned ring) = 0;
    // It reads or writes memory, or a chip's window.
    virtual void data_access(std::uint32_t address, unsigned bytes, bool write) = 0;

    // The budget is used up. Gives the next one, 0 to stop.
    virtual std::uint64_t next_budget() = 0;
};

// What the client wants to be asked, beside what it cannot be spared.
struct Traps {
    bool tsc = false;           // else RDTSC gives the host's
    bool mode = false;          // mode_changed
    bool instructions = false;  // instruction and instruction_done, or block_done, where the CPU has counts
    bool accesses = false;      // data_access, likewise
};

class Cpu {
public:
    virtual ~Cpu() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    // What it cannot do or does not show, in half a sentence; empty for nothing.
    [[nodiscard]] virtual std::string limits() const { return {}; }
    // What the guest began that this CPU may have done wrong, in a sentence; empty while nothing is known of that kind.
    [[nodiscard]] virtual std::string doubts() const { return {}; }
    // What a Pentium has and this one has not, as bits of CPUID's EDX in leaf 1.
    [[nodiscard]] virtual std::uint32_t missing_features() const { return 0; }
    // What of it is never reported to the client: software interrupts and exceptions, for which the guest's handlers
    // are entered without a stop.
    [[nodiscard]] virtual bool enters_handlers() const { return false; }
    // Its budget is nanoseconds of real time, by a timer of its own; it counts no code.
    [[nodiscard]] virtual bool keeps_time() const { return false; }
    // As at power-on: real mode, F000:FFF0, interrupts off. Between runs; an error: it cannot go on.
    virtual Result<void> reset() = 0;
    // Off: address bit 20 of the guest's accesses is 0. From the next block of code on, where a backend has blocks.
    virtual void set_a20(bool on) = 0;
    // A chip wrote there, and code may lie there that ran before. From the next block of code on, likewise.
    virtual void memory_changed(std::uint32_t physical, std::size_t bytes) { (void)physical, (void)bytes; }

    virtual Exit run() = 0;
    virtual void set_budget(std::uint64_t code_bytes) = 0;
    // Bytes of code run since the last call; blocks count when they are entered.
    virtual std::uint64_t take_executed() = 0;
    // The same up to the next instruction, taking nothing: negative inside a block that counted when it was entered.
    [[nodiscard]] virtual std::int64_t executed() const { return 0; }

    // While wanted, run() stops as soon as an interrupt can be injected.
    virtual void want_interrupt_window(bool wanted) = 0;
    // Interrupts are on, and the instruction after STI or a load of SS has run.
    [[nodiscard]] virtual bool can_inject() const = 0;
    [[nodiscard]] virtual bool can_inject_nmi() const = 0;
    // Enters a handler from the present CS:EIP. A fault on the way comes back: the client decides what becomes of it.
    virtual std::optional<Fault> inject(const Interrupt& interrupt) = 0;
    virtual void set_traps(const Traps& traps) = 0;
    // Null: no stop points, which costs a test an instruction or a block. Between runs, whenever they come or go.
    virtual void set_stop_points(StopPoints* points) = 0;
    // Reads stop it as well as writes, and a write of the value that was there; else it stops when watched memory changed.
    [[nodiscard]] virtual bool sees_accesses() const { return false; }
    // What it counts, and how much of that it keeps. Null: nothing.
    [[nodiscard]] virtual const EventCounts* counts() const { return nullptr; }
    [[nodiscard]] virtual Counting counting() const { return Counting::kNothing; }

    [[nodiscard]] virtual Registers registers() const = 0;
    // All of it, hidden parts too; and back, of which general registers, EIP, flags and control registers count, but for CR0's
    // PE and PG, which stay as they are. Between runs.
    [[nodiscard]] virtual X86State full_state() const = 0;
    virtual void set_state(const X86State& state) = 0;
    // Why its state cannot be saved and taken up again, in half a sentence; empty: it can, and a run by the virtual clock goes on
    // exactly as it would have. One whose cannot shows its registers to a visitor that shows, all the same.
    [[nodiscard]] virtual std::string unsaved() const { return {}; }
    virtual void visit_state(bus::StateVisitor& state) = 0;
    // False where no page or no memory is. Between runs.
    virtual bool write_byte(std::uint32_t linear, std::uint8_t value) = 0;
    // The byte at a linear address, as ring 0 sees it; nothing where no page or no memory is.
    [[nodiscard]] virtual std::optional<std::uint8_t> read_byte(std::uint32_t linear) const = 0;
    // CS:EIP of the next instruction.
    [[nodiscard]] virtual CodeAddress address() const = 0;
    // CS:EIP of the instruction that runs now, where it is known; only inside client calls.
    [[nodiscard]] virtual CodeAddress running_address() = 0;
};

}  // namespace sla::cpu
