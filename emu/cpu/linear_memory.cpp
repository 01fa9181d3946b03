#include "emu/cpu/linear_memory.h"

#include <algorithm>
#include <array>

namespace sla::cpu {

namespace {

constexpr std::uint32_t kPage = 4096;
constexpr std::uint32_t kPageMask = ~(kPage - 1);

constexpr std::uint32_t kPresent = 1;
constexpr std::uint32_t kWritable = 2;
constexpr std::uint32_t kAccessed = 1U << 5;
constexpr std::uint32_t kDirty = 1U << 6;
constexpr std::uint32_t kBigPage = 1U << 7;

constexpr std::uint32_t kErrorProtection = 1;
constexpr std::uint32_t kErrorWrite = 2;

}  // namespace

std::uint32_t LinearMemory::read(std::uint32_t address, unsigned bytes) {
    count_cycles(address, bytes, use_.reads, use_.misaligned);
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bytes && !fault_; ++i) {
        const auto physical = translate(address + i, Access::kRead);
        if (!physical) return 0;
        const auto byte = memory_.at(*physical, 1);
        value |= std::uint32_t{byte.empty() ? std::uint8_t{0xFF} : byte[0]} << (8 * i);
    }
    return value;
}

std::optional<std::uint8_t> LinearMemory::peek(std::uint32_t address) {
    const auto at = physical(address);
    if (!at) return std::nullopt;
    const auto byte = memory_.at(*at, 1);
    return byte.empty() ? std::nullopt : std::optional(byte[0]);
}

std::span<const std::uint8_t> LinearMemory::view(std::uint32_t address, std::size_t bytes) {
    const auto at = physical(address);
    if (!at) return {};
    return memory_.at(*at, std::min<std::size_t>(bytes, kPage - (address & ~kPageMask)));
}

void LinearMemory::write(std::uint32_t address, unsigned bytes, std::uint32_t value) {
    count_cycles(address, bytes, use_.writes, use_.misaligned);
    const std::array<std::uint8_t, 4> data{static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8),
                                           static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 24)};
    const bool one_page = (address & ~kPageMask) + bytes <= kPage;
    const unsigned piece = one_page ? bytes : 1;
    for (unsigned i = 0; i < bytes && !fault_; i += piece) {
        if (const auto physical = translate(address + i, Access::kWrite))
            write_(*physical, std::span(data).subspan(i, piece));
    }
}

// The entry that covers 4 MB, or 2 MB with physical address extension; its address, or nothing after a fault.
std::optional<std::uint32_t> LinearMemory::directory(std::uint32_t address) {
    if ((state_.cr4 & control::kPhysicalAddressExtension) == 0) return (state_.cr3 & kPageMask) + (address >> 22 << 2);
    const Entry top = entry((state_.cr3 & ~0x1FU) + (address >> 30 << 3));
    if ((top.bits & kPresent) == 0) return std::nullopt;
    return (top.bits & kPageMask) + ((address >> 21 & 0x1FF) << 3);
}

std::optional<std::uint32_t> LinearMemory::translate(std::uint32_t address, Access access) {
    if (fault_) return std::nullopt;
    if ((state_.cr0 & control::kPaging) == 0) return masked(address, state_.a20);
    const bool write = access == Access::kWrite;
    const auto missing = [&]() -> std::optional<std::uint32_t> {
        return access == Access::kLook ? std::nullopt : fail(address, write ? kErrorWrite : 0);
    };
    const auto at = directory(address);
    if (!at) return missing();
    const bool extended = (state_.cr4 & control::kPhysicalAddressExtension) != 0;
    const Entry first = entry(*at);
    if ((first.bits & kPresent) == 0) return missing();
    const bool big = (first.bits & kBigPage) != 0 && (extended || (state_.cr4 & control::kPageSizeExtension) != 0);
    const std::uint32_t index = extended ? (address >> 12 & 0x1FF) << 3 : (address >> 12 & 0x3FF) << 2;
    const Entry last = big ? first : entry((first.bits & kPageMask) + index);
    if ((last.bits & kPresent) == 0) return missing();
    const bool writable = (first.bits & last.bits & kWritable) != 0 || (state_.cr0 & control::kWriteProtect) == 0;
    if (write && !writable) return fail(address, kErrorProtection | kErrorWrite);
    if (access != Access::kLook) {
        if (!big) mark(first, kAccessed);
        mark(last, write ? kAccessed | kDirty : kAccessed);
    }
    const std::uint32_t within = !big ? kPage - 1 : extended ? (1U << 21) - 1 : (1U << 22) - 1;
    return masked((last.bits & ~within & kPageMask) | (address & within), state_.a20);
}

std::optional<std::uint32_t> LinearMemory::fail(std::uint32_t address, std::uint32_t error_code) {
    fault_ = PageFault{address, error_code};
    return std::nullopt;
}

LinearMemory::Entry LinearMemory::entry(std::uint32_t address) const {
    const std::uint32_t at = masked(address, state_.a20);
    const auto bytes = memory_.at(at, 4);
    if (bytes.size() < 4) return {at, 0};
    return {at, bytes[0] | bytes[1] << 8U | bytes[2] << 16U | static_cast<std::uint32_t>(bytes[3]) << 24U};
}

void LinearMemory::mark(const Entry& entry, std::uint32_t bits) {
    if ((entry.bits & bits) == bits) return;
    const std::array<std::uint8_t, 1> low{static_cast<std::uint8_t>(entry.bits | bits)};
    write_(entry.at, low);
}

std::optional<Segment> read_descriptor(std::uint16_t selector, const X86State& state, LinearMemory& memory) {
    const bool local = (selector & kLocalTable) != 0;
    const TableRegister table = local ? TableRegister{state.ldt.base, state.ldt.limit} : state.gdt;
    const std::uint32_t offset = selector & 0xFFF8U;
    if (offset + 7 > table.limit) return std::nullopt;
    const std::uint32_t low = memory.read(table.base + offset, 4);
    const std::uint32_t high = memory.read(table.base + offset + 4, 4);
    if (memory.fault()) return std::nullopt;
    Segment segment;
    segment.selector = selector;
    segment.base = low >> 16 | (high & 0xFF) << 16 | (high & 0xFF000000);
    segment.limit = (low & 0xFFFF) | (high & 0x000F0000);
    if ((high & Segment::kGranular) != 0) segment.limit = segment.limit << 12 | 0xFFF;
    segment.attributes = high & Segment::kAll;
    return segment;
}

}  // namespace sla::cpu
