#include "tests/integration/instructions/assembly.h"

#include <algorithm>
#include <utility>

namespace sla::instructions {

namespace {

constexpr std::uint32_t kMargin = 64;

}  // namespace

std::uint32_t Random::value() {
    switch (below(4)) {
        case 0:
            return of({0U, 1U, 2U, 0x0FU, 0x10U, 0x7FU, 0x80U, 0x81U, 0xFFU, 0x100U, 0x7FFFU, 0x8000U, 0xFFFFU, 0x10000U,
                       0x7FFFFFFFU, 0x80000000U, 0x80000001U, 0xFFFFFFFEU, 0xFFFFFFFFU});
        case 1: return below(64);
        default: return bits();
    }
}

Assembly::Assembly(Random& randomness, Case& into, const Options& options)
    : random(randomness), made(into), options_(options) {
    made.code32 = random.one_in(2);
    made.stack32 = random.one_in(2);
    for (auto& value : made.general) value = random.value();
    // Somewhere in the middle; of a 16-bit stack the upper half means nothing.
    made.general[kEsp] = kDataBytes / 2 + 4 * random.below(32) + (random.one_in(8) ? random.below(4) : 0);
    if (options_.at_limits) made.general[kEsp] = offset() & 0xFFFF;
    if (!made.stack32) made.general[kEsp] |= random.bits() << 16;
    made.eflags = flags::kFixed | (random.bits() & (flags::kArithmetic | flags::kDirection));
    wide_ = made.code32;
    wide_address_ = made.code32;
    prefixes();
}

void Assembly::prefixes() {
    if (random.one_in(4)) {
        byte(0x66);
        wide_ = !wide_;
    }
    if (random.one_in(6)) {
        byte(0x67);
        wide_address_ = !wide_address_;
    }
    if (random.one_in(8)) byte(random.of({0x26U, 0x36U, 0x3EU, 0x65U}));
    if (!options_.odd_prefixes) return;
    const std::uint32_t more = random.one_in(16) ? random.below(16) : random.below(3);
    for (std::uint32_t i = 0; i < more; ++i) {
        const std::uint32_t prefix = random.of({0x26U, 0x36U, 0x3EU, 0x65U, 0x66U, 0x67U, 0xF0U, 0xF2U, 0xF3U});
        byte(prefix);
        if (prefix == 0x66) wide_ = !made.code32;
        if (prefix == 0x67) wide_address_ = !made.code32;
    }
}

void Assembly::immediate(bool bytes) {
    const std::uint32_t value = random.value();
    if (bytes) return byte(value);
    wide_ ? dword(value) : word(value);
}

std::uint32_t Assembly::offset() {
    if (!options_.at_limits) return kMargin + random.below(kDataBytes - 2 * kMargin);
    const std::uint32_t around = random.below(12);
    switch (random.below(5)) {
        case 0: return 0U - around;
        case 1: return 0xFFFF - around;
        case 2: return random.bits();
        default: return kDataBytes + 2 - around;
    }
}

std::uint32_t Assembly::memory_operand(unsigned reg) {
    const std::uint32_t wanted = offset();
    wide_address_ ? memory_operand_32(reg, wanted) : memory_operand_16(reg, wanted);
    return wanted;
}

std::uint32_t Assembly::direct_operand(unsigned reg) {
    const std::uint32_t wanted = offset();
    byte(reg << 3 | (wide_address_ ? 5 : 6));
    wide_address_ ? dword(wanted) : word(wanted);
    return wanted;
}

// [BX+SI] [BX+DI] [BP+SI] [BP+DI] [SI] [DI] [BP] [BX], of which [BP] without a displacement is a mere displacement.
void Assembly::memory_operand_16(unsigned reg, std::uint32_t wanted) {
    constexpr std::array<std::pair<int, int>, 8> kParts{
        {{kEbx, kEsi}, {kEbx, kEdi}, {kEbp, kEsi}, {kEbp, kEdi}, {kEsi, -1}, {kEdi, -1}, {kEbp, -1}, {kEbx, -1}}};
    const unsigned mode = random.below(3);
    const unsigned rm = random.below(8);
    byte(mode << 6 | reg << 3 | rm);
    if (mode == 0 && rm == 6) return word(wanted);
    const std::uint32_t displacement = mode == 0 ? 0 : mode == 1 ? random.below(256) : random.bits();
    if (mode == 1) byte(displacement);
    if (mode == 2) word(displacement);
    std::uint32_t rest =
        wanted - (mode == 1 ? static_cast<std::uint32_t>(static_cast<std::int8_t>(displacement)) : displacement);
    const auto [base, index] = kParts[rm];
    if (index >= 0) {
        set_index(static_cast<Register>(index), random.bits());
        rest -= made.general[static_cast<std::size_t>(index)];
    }
    set_index(static_cast<Register>(base), rest);
}

void Assembly::memory_operand_32(unsigned reg, std::uint32_t wanted) {
    const unsigned mode = random.below(3);
    const unsigned rm = random.below(8);
    byte(mode << 6 | reg << 3 | rm);
    if (mode == 0 && rm == 5) return dword(wanted);
    const std::uint32_t value = mode == 0 ? 0 : mode == 1 ? random.below(256) : random.bits();
    const std::uint32_t displacement = mode == 1 ? static_cast<std::uint32_t>(static_cast<std::int8_t>(value)) : value;
    if (rm == 4) {
        unsigned base = random.below(8);
        const unsigned index = random.below(8);
        const unsigned scale = random.below(4);
        // ESP stays where the stack is, and a register times something cannot be led anywhere.
        if (base == index || base == kEsp) base = index == kEcx ? kEdx : kEcx;
        byte(scale << 6 | index << 3 | base);
        const std::uint32_t scaled = index == kEsp ? 0 : made.general[index] << scale;
        if (base == kEbp && mode == 0) {
            dword(wanted - scaled);
            return;
        }
        made.general[base] = wanted - displacement - scaled;
    } else {
        made.general[rm] = wanted - displacement;
    }
    if (mode == 1) byte(value);
    if (mode == 2) dword(value);
}

void Assembly::poke_region(unsigned region, std::uint32_t offset, std::uint32_t value) {
    if (offset <= kDataBytes - 4) made.patches.push_back({static_cast<std::uint16_t>(region * kDataBytes + offset), value});
}

void Assembly::poke(std::uint32_t offset, std::uint32_t value) {
    for (unsigned region = 0; region < kDataSegments; ++region) poke_region(region, offset, value);
}

std::uint32_t Assembly::stack_offset() const {
    return made.stack32 ? made.general[kEsp] : made.general[kEsp] & 0xFFFF;
}

// From the lowest element up: each covers the rest of the one below.
void Assembly::poke_stack(std::uint32_t elements_up, std::uint32_t value) {
    constexpr unsigned kStackRegion = 2;
    poke_region(kStackRegion, stack_offset() + elements_up * (wide_ ? 4 : 2), value);
}

void Assembly::set_index(Register which, std::uint32_t value) {
    auto& into = made.general[which];
    into = wide_address_ ? value : (into & 0xFFFF0000) | (value & 0xFFFF);
}

}  // namespace sla::instructions
