// What a machine needs of a processor, whatever library does the work.
//
// A CPU runs until its allowance of code bytes is used up or something happens that its client must know. It never delivers
// a software interrupt or an exception by itself: run() stops, the client looks, and inject() enters the handler. So the
// guest sees what it would see anyway, and the client sees everything. One thread; client calls come from inside run().
#pragma once

#include "emu/bus/code_address.h"
#include "emu/bus/port_device.h"
#include "proto/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sla::cpu {

using bus::CodeAddress;

enum class StopReason {
    kAllowance,          // the client gave no more code bytes
    kInterruptWindow,    // wanted, and now open
    kHalt,               // HLT ran; EIP is behind it
    kSoftwareInterrupt,  // INT n; EIP is behind it
    kException,          // EIP is where the handler shall return to
    kFailed,             // the backend cannot go on; `what` says why
};

struct Stop {
    StopReason reason = StopReason::kAllowance;
    std::uint8_t vector = 0;
    std::optional<std::uint32_t> error_code;
    CodeAddress address;  // of the instruction that caused the stop
    std::string what;
};

struct Registers {
    std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0, esi = 0, edi = 0, ebp = 0, esp = 0;
    std::uint32_t eip = 0, eflags = 0, cr0 = 0;
    std::uint16_t cs = 0, ds = 0, es = 0, ss = 0;

    static constexpr std::uint32_t kTrapFlag = 1U << 8;
    static constexpr std::uint32_t kInterruptFlag = 1U << 9;
    static constexpr std::uint32_t kProtectionEnable = 1U;
};

class CpuClient {
public:
    virtual ~CpuClient() = default;
    virtual std::uint32_t port_in(std::uint16_t port, bus::Width width) = 0;
    virtual void port_out(std::uint16_t port, bus::Width width, std::uint32_t value) = 0;
    // The allowance is used up. Gives the next one, 0 to stop.
    virtual std::uint64_t next_allowance() = 0;
};

enum class Injected {
    kDone,
    kOutsideTable,  // the vector lies beyond the interrupt table's limit
    kUnsupported,   // this backend cannot enter a handler in the guest's present mode
};

class Cpu {
public:
    virtual ~Cpu() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    // Power on: real mode, F000:FFF0, interrupts off.
    virtual Result<void> reset() = 0;

    virtual Stop run() = 0;
    virtual void set_allowance(std::uint64_t code_bytes) = 0;
    // Bytes of code run since the last call; blocks count when they are entered.
    virtual std::uint64_t take_executed() = 0;

    // While wanted, run() stops as soon as an interrupt can be injected.
    virtual void want_interrupt_window(bool wanted) = 0;
    // Interrupts are on, and the instruction after STI or a load of SS has run.
    [[nodiscard]] virtual bool can_inject() const = 0;
    // Enters the handler of a vector from the present CS:EIP.
    virtual Injected inject(std::uint8_t vector) = 0;

    [[nodiscard]] virtual Registers registers() const = 0;
    // CS:EIP of the next instruction.
    [[nodiscard]] virtual CodeAddress address() const = 0;
    // CS:EIP of the IN or OUT that runs now; only inside port_in and port_out.
    [[nodiscard]] virtual CodeAddress port_address() const = 0;
};

}  // namespace sla::cpu
