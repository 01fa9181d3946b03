// One instruction with all that it may touch, and what a processor made of it. The guest is ring 3 of protected mode: the host's
// own processor runs the same bytes in segments of a local descriptor table, 16 and 32-bit code alike, with the same selectors,
// offsets and limits. Behind the instruction stand breakpoints (CCh) only, so that every case ends in an exception.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sla::instructions {

inline constexpr std::uint32_t kCodeBytes = 512;    // a code segment
inline constexpr std::uint32_t kCodeOffset = 0x80;  // where the instruction stands in it
inline constexpr std::uint32_t kDataBytes = 1024;   // each of the four data segments
inline constexpr std::uint32_t kDataSegments = 4;
inline constexpr std::size_t kMaxBytes = 18;  // one more than a processor takes, and some
inline constexpr std::uint8_t kBreakpoint = 0xCC;

using DataMemory = std::array<std::uint8_t, kDataSegments * kDataBytes>;

// Entries of the local descriptor table, as the guest names them.
enum Selector : std::uint16_t {
    kCode32 = 0x07,
    kCode16 = 0x0F,
    kData = 0x17,
    kExtra = 0x1F,
    kStack32 = 0x27,
    kStack16 = 0x2F,
    kMore = 0x37,
    kReadOnly = 0x3F,
    kAbsentData = 0x47,
    kExecuteOnly = 0x4F,
    kAbsentCode = 0x57,
    kEnd = 0x5F,  // beyond the table
};

// What an entry is; conforming code is nothing that Linux lets into such a table. `region`: which of the data segments it begins with; code begins where the case's does.
struct Entry {
    Selector selector;
    unsigned region;
    std::uint32_t limit;
    std::uint32_t access;  // bits 8-15 of a descriptor's upper half
    bool big;
};
inline constexpr std::uint32_t kReadWrite = 0xF3;
inline constexpr std::uint32_t kExecuteRead = 0xFB;
inline constexpr std::array<Entry, 11> kTable{{{kCode32, 0, kCodeBytes - 1, kExecuteRead, true},
                                               {kCode16, 0, kCodeBytes - 1, kExecuteRead, false},
                                               {kData, 0, kDataBytes - 1, kReadWrite, true},
                                               {kExtra, 1, kDataBytes - 1, kReadWrite, true},
                                               {kStack32, 2, kDataBytes - 1, kReadWrite, true},
                                               {kStack16, 2, kDataBytes - 1, kReadWrite, false},
                                               {kMore, 3, kDataBytes - 1, kReadWrite, true},
                                               {kReadOnly, 0, kDataBytes - 1, 0xF1, true},
                                               {kAbsentData, 0, kDataBytes - 1, 0x73, true},
                                               {kExecuteOnly, 0, kCodeBytes - 1, 0xF9, true},
                                               {kAbsentCode, 0, kCodeBytes - 1, 0x7B, true}}};

// Of a segment register in general, in the order of the processor's numbers: ES CS SS DS FS GS.
enum SegmentNumber { kEs, kCs, kSs, kDs, kFs, kGs };
// Of a general register: EAX ECX EDX EBX ESP EBP ESI EDI.
enum Register { kEax, kEcx, kEdx, kEbx, kEsp, kEbp, kEsi, kEdi };

namespace flags {
inline constexpr std::uint32_t kCarry = 1U << 0;
inline constexpr std::uint32_t kParity = 1U << 2;
inline constexpr std::uint32_t kAdjust = 1U << 4;
inline constexpr std::uint32_t kZero = 1U << 6;
inline constexpr std::uint32_t kSign = 1U << 7;
inline constexpr std::uint32_t kInterrupt = 1U << 9;
inline constexpr std::uint32_t kDirection = 1U << 10;
inline constexpr std::uint32_t kOverflow = 1U << 11;
inline constexpr std::uint32_t kNested = 1U << 14;
inline constexpr std::uint32_t kArithmetic = kCarry | kParity | kAdjust | kZero | kSign | kOverflow;
inline constexpr std::uint32_t kFixed = 1U << 1 | kInterrupt;
}  // namespace flags

struct Patch {
    std::uint16_t offset = 0;  // in the data memory
    std::uint32_t value = 0;
};

struct Case {
    std::vector<std::uint8_t> bytes;
    bool code32 = true;
    bool stack32 = true;
    std::array<std::uint32_t, 8> general{};
    std::uint32_t eflags = flags::kFixed;
    std::vector<Patch> patches;  // of the memory that all cases of a batch begin with

    [[nodiscard]] std::uint16_t code_selector() const { return code32 ? kCode32 : kCode16; }
    [[nodiscard]] std::uint16_t stack_selector() const { return stack32 ? kStack32 : kStack16; }
};

struct Result {
    std::array<std::uint32_t, 8> general{};
    std::uint32_t eip = 0;
    std::uint32_t eflags = 0;
    std::array<std::uint16_t, 6> selectors{};
    unsigned vector = 0;
    std::uint32_t error_code = 0;  // 0 for vectors without one
    std::string failure;           // the processor could not go on: why
    DataMemory memory{};
};

}  // namespace sla::instructions
