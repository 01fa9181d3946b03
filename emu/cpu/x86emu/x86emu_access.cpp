// Memory and ports as the library's instructions reach them, and what of that is counted.
#include "emu/cpu/x86emu/x86emu_cpu.h"

#include "emu/cpu/instruction_kinds.h"

#include <array>
#include <cstring>

namespace sla::cpu {

unsigned X86emuCpu::on_access(x86emu_t* emu, u32 address, u32* value, unsigned type) {
    X86emuCpu& cpu = of(emu);
    const unsigned size = type & 0xFF;
    const unsigned bytes = size == X86EMU_MEMIO_16 ? 2 : size == X86EMU_MEMIO_32 ? 4 : 1;
    switch (type & ~0xFFU) {
        case X86EMU_MEMIO_R:
            cpu.count_access(address, bytes, false);
            *value = cpu.load(address, bytes);
            break;
        case X86EMU_MEMIO_X: *value = cpu.load(address, bytes); break;
        case X86EMU_MEMIO_W:
            if ((emu->x86.intr_type & 0xFF) == INTR_TYPE_FAULT) break;  // it goes on behind a limit that it found exceeded
            cpu.count_access(address, bytes, true);
            cpu.save(address, bytes, *value);
            break;
        case X86EMU_MEMIO_I:
            cpu.counts_.port(static_cast<std::uint16_t>(address), bytes);
            cpu.match_breakpoints(address & 0xFFFF, bytes, Use::kPort);
            *value = cpu.client_.port_in(static_cast<std::uint16_t>(address), bus::width_of(bytes));
            break;
        default:
            cpu.counts_.port(static_cast<std::uint16_t>(address), bytes);
            cpu.match_breakpoints(address & 0xFFFF, bytes, Use::kPort);
            cpu.client_.port_out(static_cast<std::uint16_t>(address), bus::width_of(bytes), *value);
    }
    return 0;
}

void X86emuCpu::count_access(std::uint32_t address, unsigned bytes, bool write) {
    count_cycles(address, bytes, write ? counts_.data_writes : counts_.data_reads, counts_.misaligned);
    match_breakpoints(address, bytes, write ? Use::kWrite : Use::kRead);
    if (traps_.accesses) client_.data_access(masked(address, a20_), bytes, write);
    if (points_ != nullptr) points_->accessed(address, bytes, write);
}

// As the pins BP0 to BP3 have it: matches show whether DR7 switches the breakpoint on or not. A register that is zero and off
// matches nothing.
void X86emuCpu::count_matches(std::uint32_t address, unsigned bytes, Use use) {
    const auto& dr = emu_->x86.drx;
    const std::uint32_t dr7 = dr[7];
    constexpr std::uint32_t kDebuggingExtensions = 1U << 3;  // CR4.DE, for ports
    constexpr std::array<unsigned, 4> kLengths{1, 2, 1, 4};
    for (unsigned n = 0; n < counts_.breakpoints.size(); ++n) {
        if (dr[n] == 0 && (dr7 >> (2 * n) & 3) == 0) continue;
        const auto wanted = static_cast<Use>(dr7 >> (16 + 4 * n) & 3);
        const unsigned length = kLengths[dr7 >> (18 + 4 * n) & 3];
        const std::uint32_t first = dr[n] & ~(length - 1);
        const bool overlaps = address - first < length || first - address < bytes;
        const bool right_use = wanted == use || (wanted == Use::kRead && use == Use::kWrite);
        if (use == Use::kPort && (emu_->x86.R_CR4 & kDebuggingExtensions) == 0) continue;
        if (!right_use || (use == Use::kExecute ? address != dr[n] : !overlaps)) continue;
        ++counts_.breakpoints[n];
        const bool enabled = (dr7 >> (2 * n) & 3) != 0;
        if (enabled && use != Use::kExecute) debug_traps_ |= 1U << n;
    }
}

std::uint32_t X86emuCpu::load(std::uint32_t linear, unsigned bytes) {
    const std::uint32_t address = masked(linear, a20_);
    const std::uint8_t* page = pages_[address >> kPageBits];
    const std::uint32_t offset = address & kOffsetInPage;
    if (offset + bytes > kOffsetInPage + 1) {
        return load(linear, 1) | load(linear + 1, bytes - 1 == 3 ? 2 : bytes - 1) << 8 |
               (bytes == 4 ? load(linear + 3, 1) << 24 : 0);
    }
    if (page == nullptr) return client_.mmio_read(address, bus::width_of(bytes));
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint32_t{page[offset + i]} << (8 * i);
    return value;
}

void X86emuCpu::save(std::uint32_t linear, unsigned bytes, std::uint32_t value) {
    const std::uint32_t address = masked(linear, a20_);
    std::uint8_t* page = pages_[address >> kPageBits];
    const std::uint32_t offset = address & kOffsetInPage;
    if (offset + bytes > kOffsetInPage + 1) {
        for (unsigned i = 0; i < bytes; ++i) save(linear + i, 1, value >> (8 * i) & 0xFF);
        return;
    }
    if (page == nullptr) return client_.mmio_write(address, bus::width_of(bytes), value);
    for (unsigned i = 0; i < bytes; ++i) page[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

// Chips are not asked: a look at code has no effects.
std::uint32_t X86emuCpu::code_byte(std::uint32_t linear) const {
    const std::uint32_t address = masked(linear, a20_);
    const std::uint8_t* page = pages_[address >> kPageBits];
    return page == nullptr ? 0xFF : page[address & kOffsetInPage];
}

DecodeCache::Bytes X86emuCpu::code_at(std::uint32_t linear) const {
    DecodeCache::Bytes bytes{};
    const std::uint32_t address = masked(linear, a20_);
    const std::uint8_t* page = pages_[address >> kPageBits];
    const std::uint32_t offset = address & kOffsetInPage;
    if (page != nullptr && offset + kMaxInstructionBytes <= kOffsetInPage) {
        std::memcpy(bytes.data(), page + offset, kMaxInstructionBytes);
        return bytes;
    }
    for (std::uint32_t i = 0; i < kMaxInstructionBytes; ++i) bytes[i] = static_cast<std::uint8_t>(code_byte(linear + i));
    return bytes;
}

std::optional<std::uint8_t> X86emuCpu::read_byte(std::uint32_t linear) const {
    if (pages_[masked(linear, a20_) >> kPageBits] == nullptr) return std::nullopt;
    return static_cast<std::uint8_t>(code_byte(linear));
}

bool X86emuCpu::write_byte(std::uint32_t linear, std::uint8_t value) {
    if (pages_[masked(linear, a20_) >> kPageBits] == nullptr) return false;
    save(linear, 1, value);
    return true;
}

}  // namespace sla::cpu
