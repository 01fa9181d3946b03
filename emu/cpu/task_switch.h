// One switch of tasks, as a task gate or an IRET of a nested task makes it: the registers go to the present task state
// segment (TSS) and come from the new one.
//
//   old TSS ◄── EIP flags EAX.. segments      new TSS ──► CR3 EIP flags EAX.. LDT segments;  back link ◄── old TR (entering)
//
// Rules: Intel's manual, volume 3, chapter 7.3. Before the switch a fault changes nothing; from then on it belongs to the
// new task, whose registers are loaded. 32-bit TSSs only; a 16-bit one is refused as one that is not valid.
#pragma once

#include "emu/cpu/interrupt_delivery.h"

#include <cstdint>
#include <optional>

namespace sla::cpu {

// What is raised when the processor finds that number's reason while it looks into tables: a page fault on the way is the true
// fault, and sets CR2.
Fault fault_of(std::uint8_t number, std::uint32_t error_code, const LinearMemory& memory, X86State& state);

class TaskSwitch {
public:
    // `external`: bit 0 of error codes, 1 when no INT n of the program is the reason.
    TaskSwitch(X86State& state, LinearMemory& memory, std::uint32_t external)
        : state_(state), memory_(memory), external_(external) {}

    // By a task gate; the present task stays busy and the new one knows it.
    std::optional<Fault> enter(std::uint16_t selector, std::optional<std::uint32_t> error_code);
    // By IRET with NT set, to the task that the present one knows.
    std::optional<Fault> leave();

    [[nodiscard]] bool switched() const { return switched_; }

private:
    struct Image;

    bool find_task(std::uint16_t selector, bool busy);
    void save(std::uint32_t eflags);
    void set_busy(std::uint16_t selector, bool busy);
    void load(const Image& image);
    bool load_ldt(std::uint16_t selector);
    bool load_segments(const Image& image);
    bool load_code(std::uint16_t selector);
    bool load_stack(std::uint16_t selector);
    bool load_data(std::size_t index, std::uint16_t selector);
    bool push_error_code(std::uint32_t error_code);
    // False, with the fault set; a page fault met on the way is the true one.
    bool fail(std::uint8_t number, std::uint32_t error_code);
    bool fail(std::uint8_t number, std::uint16_t selector) { return fail(number, (selector & 0xFFFCU) | external_); }

    X86State& state_;
    LinearMemory& memory_;
    std::uint32_t external_;
    Segment task_;
    std::optional<Fault> fault_;
    bool switched_ = false;
};

}  // namespace sla::cpu
