// One Intel 8259A programmable interrupt controller (data sheet 231468): registers, priorities, end of interrupt.
//
//   IR0..IR7 ──► IRR ──(IMR)──► priority ──► INT          INTA: highest IRR bit moves to ISR, its vector goes out
//
// Edge mode: a rising input sets the IRR bit and a falling one takes it back, so the input must stay high until INTA; when
// nothing is requested at INTA the chip answers with IR7 and sets no ISR bit (the spurious interrupt).
// Invariant: bits of irr_, isr_ and imr_ are inputs 0-7. Owned by the machine's thread.
#pragma once

#include "emu/bus/state_visitor.h"

#include <cstdint>
#include <optional>

namespace sla::device {

class Pic8259 {
public:
    enum class Role { kMaster, kSlave };

    struct Acknowledge {
        std::uint8_t vector = 0;
        std::uint8_t level = 7;
        bool spurious = true;
        bool ended = false;  // automatic end of interrupt: the service ended with its acknowledge
    };

    explicit Pic8259(Role role) : role_(role) {}

    void set_input(unsigned level, bool high);
    // The edge/level register (ELCR, beside the chip in PCI chip sets): bits of level-triggered inputs.
    void set_elcr(std::uint8_t elcr);
    [[nodiscard]] std::uint8_t elcr() const { return elcr_; }
    [[nodiscard]] bool input(unsigned level) const { return (lines_ >> level & 1) != 0; }

    // Its interrupt was taken and has not ended.
    [[nodiscard]] bool in_service(unsigned level) const { return (isr_ >> level & 1) != 0; }

    // A request that came now at that input would raise INT, whatever the others do.
    [[nodiscard]] bool admits(unsigned level) const;
    // An edge is requested there, unmasked and not taken yet: it would be forgotten if the input fell.
    [[nodiscard]] bool holds_edge(unsigned level) const { return (irr_ & ~imr_ & ~level_triggered() & (1U << level)) != 0; }

    // The INT output.
    // Asked at every access to a chip, and nearly always there is nothing.
    [[nodiscard]] bool interrupt() const { return (irr_ & ~imr_) != 0 && highest_request().has_value(); }
    Acknowledge acknowledge();

    // Address line A0 is 0 or 1. A write returns the levels (one bit each) whose service it ended: the one that an EOI
    // names, or all when an initialization clears ISR.
    std::uint8_t write(unsigned a0, std::uint8_t value);
    std::uint8_t read(unsigned a0);

    // Acknowledged by the last read in poll mode, once.
    std::optional<Acknowledge> take_polled();

    void visit_state(bus::StateVisitor& state);

private:
    [[nodiscard]] std::optional<unsigned> highest_request() const;
    [[nodiscard]] bool passes(unsigned level) const;
    [[nodiscard]] std::optional<unsigned> highest_in(std::uint8_t bits) const;
    [[nodiscard]] std::uint8_t level_triggered() const;
    [[nodiscard]] unsigned priority_of(unsigned level) const { return (level - lowest_ - 1) & 7; }
    std::uint8_t start_initialization(std::uint8_t icw1);
    void write_icw(std::uint8_t value);
    std::uint8_t write_ocw2(std::uint8_t value);
    void write_ocw3(std::uint8_t value);

    Role role_;
    std::uint8_t lines_ = 0;
    std::uint8_t irr_ = 0;
    std::uint8_t isr_ = 0;
    std::uint8_t imr_ = 0;
    std::uint8_t elcr_ = 0;
    std::uint8_t icw1_ = 0;
    std::uint8_t icw2_ = 0;
    std::uint8_t icw3_ = 0;
    std::uint8_t icw4_ = 0;
    unsigned next_icw_ = 0;      // 2, 3 or 4 while initialization words are due
    unsigned lowest_ = 7;        // the level of lowest priority
    bool read_isr_ = false;      // OCW3 RIS
    bool poll_ = false;          // OCW3 P, until the next read
    bool special_mask_ = false;  // OCW3 SMM
    bool rotate_on_aeoi_ = false;
    std::optional<Acknowledge> polled_;
};

}  // namespace sla::device
