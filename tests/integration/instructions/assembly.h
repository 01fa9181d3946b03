// One instruction in the making: bytes, and registers that lead its operands into memory that is there.
#pragma once

#include "tests/integration/instructions/case.h"

#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>

namespace sla::instructions {

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }
    std::uint32_t below(std::uint32_t end) { return bits() % end; }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    template <typename Value>
    Value of(std::initializer_list<Value> values) {
        return values.begin()[below(static_cast<std::uint32_t>(values.size()))];
    }
    // Often one at which a flag or a sign changes.
    std::uint32_t value();

private:
    std::mt19937_64 engine_;
};

class Assembly {
public:
    struct Options {
        bool at_limits = false;
        bool odd_prefixes = false;
    };
    Assembly(Random& random, Case& into, const Options& options);

    Random& random;
    Case& made;

    [[nodiscard]] bool wide() const { return wide_; }                  // operands of 32 bits
    [[nodiscard]] bool wide_address() const { return wide_address_; }  // addresses of 32 bits
    void byte(std::uint32_t value) { made.bytes.push_back(static_cast<std::uint8_t>(value)); }
    void word(std::uint32_t value) { byte(value), byte(value >> 8); }
    void dword(std::uint32_t value) { word(value), word(value >> 16); }
    void immediate(bool bytes);  // of a byte, or as wide as operands are
    // ModR/M and what belongs to it. A register or memory; only memory; only a register.
    void operand(unsigned reg) {
        if (random.one_in(3)) return register_operand(reg, random.below(8));
        memory_operand(reg);
    }
    void register_operand(unsigned reg, unsigned rm) { byte(0xC0 | reg << 3 | rm); }
    // Gives its offset within its segment, whichever that is.
    std::uint32_t memory_operand(unsigned reg);
    // Without a register.
    std::uint32_t direct_operand(unsigned reg);
    // An offset within a segment, some bytes from its ends; or, at limits, around them.
    std::uint32_t offset();
    // What stands there, in every data segment.
    void poke(std::uint32_t offset, std::uint32_t value);
    // What stands at the top of the stack and above, in elements as wide as operands are.
    void poke_stack(std::uint32_t elements_up, std::uint32_t value);
    [[nodiscard]] std::uint32_t stack_offset() const;
    // The register that counts or points, by the width of addresses; the upper half is left where it does not count.
    void set_index(Register which, std::uint32_t value);

private:
    void prefixes();
    void poke_region(unsigned region, std::uint32_t offset, std::uint32_t value);
    void memory_operand_16(unsigned reg, std::uint32_t wanted);
    void memory_operand_32(unsigned reg, std::uint32_t wanted);

    Options options_;
    bool wide_ = true;
    bool wide_address_ = true;
};

}  // namespace sla::instructions
