// The processor state inside Unicorn, hidden parts included, through the context it saves and restores. Its interface shows
// neither segment bases nor the ring, nor the shadow of STI, nor can it enter a handler; its context is the state itself.
//
//   context   ... │ eax … │ eip │ flags │ … │ hidden flags │ es cs ss ds fs gs ldt tr gdt idt │ cr0-4 │ ...
//             ... │ fault in flight │ intercepts │
//
// Intercepts are the core's support for AMD's virtual machines, which the library leaves in: an instruction on the list ends
// the run before it does anything, but EIP may be an older one. Where all this lies is found by experiment and
// proven at start-up.
#pragma once

#include "emu/cpu/unicorn/access_cache.h"
#include "emu/cpu/unicorn/unicorn_engine.h"
#include "emu/cpu/unicorn/unicorn_exception.h"
#include "emu/cpu/x86_state.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace sla::cpu {

struct ContextLayout {
    static constexpr std::size_t kFromGeneral = 464;  // bytes from EAX to the end of CR4

    std::size_t general = 0;    // EAX, then the rest at fixed distances
    std::size_t in_flight = 0;  // then the intercepts
};

Result<ContextLayout> calibrate_context(const ExceptionLayout& exceptions);

// Instructions that can end a run.
struct Intercepts {
    bool cpuid = false;
    bool halt = false;
    bool msr = false;
    bool tsc = false;
    bool counters = false;        // RDPMC
    bool control_writes = false;  // CR0
    bool debug_writes = false;    // DR7, by this name and as DR5
};

// What an intercepted instruction reports instead of a vector.
namespace intercepted {
inline constexpr std::uint32_t kFirst = 0x100;
inline constexpr std::uint32_t kWriteCr0 = 0x110;
inline constexpr std::uint32_t kWriteDr5 = 0x135;
inline constexpr std::uint32_t kWriteDr7 = 0x137;
inline constexpr std::uint32_t kReadTsc = 0x16E;
inline constexpr std::uint32_t kReadCounter = 0x16F;
inline constexpr std::uint32_t kCpuid = 0x172;
inline constexpr std::uint32_t kHalt = 0x178;
inline constexpr std::uint32_t kMsr = 0x17C;  // error code 0: read, 1: write
}  // namespace intercepted

// Costs 50 ns to save and 50 ns to restore. Between runs, and reading also inside the block hook.
class UnicornContext {
public:
    UnicornContext(const UnicornEngine& engine, const ContextLayout& layout);

    [[nodiscard]] X86State load();
    [[nodiscard]] CodeSegment code_segment();
    // Of CR0 not the modes, PE and PG; who changes CR3 or CR4 has pages forgotten.
    void store(const X86State& state);

    // The next instruction runs before any interrupt.
    [[nodiscard]] bool in_shadow();
    void end_shadow();
    // From an NMI to the next IRET, which the library ends by itself.
    [[nodiscard]] bool nmi_blocked();
    void block_nmi();
    // All of it, for another engine of the same library to go on from: it holds no address.
    [[nodiscard]] std::vector<std::uint8_t> snapshot();
    void go_back_to(std::span<const std::uint8_t> snapshot);
    // One that comes from a file; false: it is not of this library.
    [[nodiscard]] bool take_over(std::span<const std::uint8_t> snapshot);
    void intercept(const Intercepts& which, std::uint64_t control_block);

private:
    struct Free {
        void operator()(uc_context* context) const { uc_context_free(context); }
    };
    void save() { uc_context_save(engine_, context_.get()); }
    void restore() { uc_context_restore(engine_, context_.get()); }
    template <typename Word>
    [[nodiscard]] Word get(std::size_t offset) const;
    template <typename Word>
    void put(std::size_t offset, Word value);
    [[nodiscard]] Segment segment(std::size_t offset) const;
    void put_segment(std::size_t offset, const Segment& segment);

    uc_engine* engine_;
    ContextLayout layout_;
    std::unique_ptr<uc_context, Free> context_;
};

}  // namespace sla::cpu
