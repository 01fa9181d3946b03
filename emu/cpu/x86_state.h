// What a 32-bit x86 processor knows of itself: registers as the guest sees them and the hidden parts of segments. Backends
// whose library cannot enter handlers lay it out, InterruptDelivery changes it, and they take it back.
#pragma once

#include "emu/bus/state_visitor.h"

#include <array>
#include <cstdint>

namespace sla::cpu {

struct Segment {
    std::uint16_t selector = 0;
    std::uint32_t base = 0;
    std::uint32_t limit = 0;
    std::uint32_t attributes = 0;  // bits 8-23 as in the upper half of a descriptor

    static constexpr std::uint32_t kAccessed = 1U << 8;
    static constexpr std::uint32_t kWritable = 1U << 9;     // of data
    static constexpr std::uint32_t kConforming = 1U << 10;  // of code
    static constexpr std::uint32_t kExpandDown = 1U << 10;  // of data
    static constexpr std::uint32_t kCode = 1U << 11;
    static constexpr std::uint32_t kNotSystem = 1U << 12;
    static constexpr std::uint32_t kPresent = 1U << 15;
    static constexpr std::uint32_t kBig = 1U << 22;
    static constexpr std::uint32_t kGranular = 1U << 23;
    static constexpr std::uint32_t kAll = 0x00F0FF00;

    [[nodiscard]] unsigned dpl() const { return attributes >> 13 & 3; }
    [[nodiscard]] bool has(std::uint32_t bits) const { return (attributes & bits) == bits; }
};

struct TableRegister {
    std::uint32_t base = 0;
    std::uint32_t limit = 0;
};

enum SegmentIndex { kEs, kCs, kSs, kDs, kFs, kGs };
enum GeneralIndex { kEax, kEcx, kEdx, kEbx, kEsp, kEbp, kEsi, kEdi };

namespace flag {
inline constexpr std::uint32_t kCarry = 1U << 0;
inline constexpr std::uint32_t kParity = 1U << 2;
inline constexpr std::uint32_t kAdjust = 1U << 4;
inline constexpr std::uint32_t kZero = 1U << 6;
inline constexpr std::uint32_t kSign = 1U << 7;
inline constexpr std::uint32_t kOverflow = 1U << 11;
inline constexpr std::uint32_t kTrap = 1U << 8;
inline constexpr std::uint32_t kInterrupt = 1U << 9;
inline constexpr std::uint32_t kIopl = 3U << 12;
inline constexpr std::uint32_t kNestedTask = 1U << 14;
inline constexpr std::uint32_t kResume = 1U << 16;
inline constexpr std::uint32_t kVirtual8086 = 1U << 17;
}  // namespace flag

namespace control {
inline constexpr std::uint32_t kProtectionEnable = 1U;    // CR0
inline constexpr std::uint32_t kMonitorFpu = 1U << 1;     // CR0
inline constexpr std::uint32_t kEmulateFpu = 1U << 2;     // CR0
inline constexpr std::uint32_t kTaskSwitched = 1U << 3;   // CR0
inline constexpr std::uint32_t kWriteProtect = 1U << 16;  // CR0
inline constexpr std::uint32_t kPaging = 1U << 31;        // CR0
inline constexpr std::uint32_t kPageSizeExtension = 1U << 4;
inline constexpr std::uint32_t kPhysicalAddressExtension = 1U << 5;
inline constexpr std::uint32_t kCounterEnable = 1U << 8;
}  // namespace control

inline constexpr std::uint32_t kA20On = 0xFFFFFFFF;
inline constexpr std::uint32_t kA20Off = ~(1U << 20);
// What memory sees of an address while line 20 is masked so. The firmware's end answers 1 MB below the end of 4 GB as well (Intel
// 82371, BIOSCS#): a reset finds it whatever became of the line.
constexpr std::uint32_t masked(std::uint32_t address, std::uint32_t a20) {
    constexpr std::uint32_t kFirmwareEnd = 0xFFFF0000;
    return address >= kFirmwareEnd ? address : address & a20;
}

struct X86State {
    std::array<std::uint32_t, 8> general{};
    std::uint32_t eip = 0;
    std::uint32_t eflags = 2;
    std::array<Segment, 6> segments{};
    Segment ldt, task;
    TableRegister gdt, idt;
    std::uint32_t cr0 = 0, cr2 = 0, cr3 = 0, cr4 = 0;
    unsigned cpl = 0;
    std::uint32_t a20 = kA20On;  // mask of physical addresses

    // But for address line 20, which is the board's.
    void visit_state(bus::StateVisitor& state);

    [[nodiscard]] bool protected_mode() const { return (cr0 & control::kProtectionEnable) != 0; }
    [[nodiscard]] bool virtual_8086() const { return protected_mode() && (eflags & flag::kVirtual8086) != 0; }
    // Code without prefixes has 32-bit operands and addresses.
    [[nodiscard]] bool code32() const { return protected_mode() && !virtual_8086() && segments[kCs].has(Segment::kBig); }
};

}  // namespace sla::cpu
