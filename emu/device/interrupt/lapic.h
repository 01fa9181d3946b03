// The local APIC of one CPU (Intel 64 and IA-32 Manual, volume 3, chapter "APIC"), 4 KB at FEE00000h.
//
// From power-on LINT0 takes the PIC's interrupts through (virtual wire), so that a guest which never touches the APIC does
// not notice it. Its timer counts a 100 MHz bus clock. Inter-processor interrupts reach this CPU or nobody; INIT and
// start-up have no effect, there is no other CPU. Registers stand 16 bytes apart and are read and written as dwords.
//
// Owned by the machine's thread.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/mmio_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/interrupt/lapic_timer.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

namespace sla::device {

// Gets the vectors that the CPU serves.
class LapicObserver {
public:
    virtual ~LapicObserver() = default;
    virtual void apic_service_begins(std::uint8_t vector) = 0;
    virtual void apic_service_ends(std::uint8_t vector) = 0;
};

class Lapic final : public bus::MmioDevice {
public:
    static constexpr std::uint32_t kBase = 0xFEE00000;
    static constexpr std::uint32_t kBytes = 4096;

    enum class Delivery : std::uint8_t { kFixed = 0, kLowest = 1, kSmi = 2, kNmi = 4, kInit = 5, kStartUp = 6, kExtInt = 7 };

    explicit Lapic(bus::EventQueue& events);

    // With the CPU; the identity stays.
    void reset();
    // Off, by MSR 1Bh: the processor has none, and the PIC's INTR is its INTR. On again, it is as after a reset.
    void switch_on(bool on);

    // What happens when the CPU ends a level-triggered interrupt: the I/O APIC wants to know.
    void on_end(std::function<void(std::uint8_t vector)> action) { on_end_ = std::move(action); }

    // Does the PIC's INTR reach the CPU?
    [[nodiscard]] bool lets_pic_through() const;
    // A vector of its own is urgent enough for the CPU.
    [[nodiscard]] bool interrupt() const;
    std::uint8_t acknowledge();
    // An NMI waits; taken, it is gone.
    [[nodiscard]] bool nmi() const { return nmi_; }
    bool take_nmi() { return std::exchange(nmi_, false); }
    void observe(LapicObserver* observer) { observer_ = observer; }

    // Its service has begun and not ended.
    [[nodiscard]] bool in_service(std::uint8_t vector) const { return isr_[vector]; }
    // An interrupt of that vector would reach the CPU now; its timer's would.
    [[nodiscard]] bool admits(std::uint8_t vector) const;
    [[nodiscard]] bool admits_timer() const;

    // A performance counter went over its end.
    void counter_overflow();
    void deliver(Delivery mode, std::uint8_t vector, bool level_triggered);
    // Is an interrupt message for that destination meant for this CPU?
    [[nodiscard]] bool is_addressed(std::uint8_t destination, bool logical) const;

    [[nodiscard]] std::string_view mmio_name() const override { return "lapic"; }
    std::uint32_t read_mmio(std::uint32_t address, bus::Width width) override;
    void write_mmio(std::uint32_t address, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    using Vectors = std::bitset<256>;
    enum Lvt : unsigned { kTimer, kThermal, kPerformance, kLint0, kLint1, kError, kLvts };

    [[nodiscard]] std::uint32_t read(unsigned reg);
    void write(unsigned reg, std::uint32_t value);
    void write_icr(std::uint32_t value);
    void end_of_interrupt();
    [[nodiscard]] bool software_enabled() const;
    [[nodiscard]] std::uint8_t processor_priority() const;
    [[nodiscard]] static std::optional<std::uint8_t> highest(const Vectors& vectors);
    [[nodiscard]] static std::uint32_t word(const Vectors& vectors, unsigned index);

    LapicTimer timer_;
    std::function<void(std::uint8_t)> on_end_;
    LapicObserver* observer_ = nullptr;
    Vectors irr_, isr_, tmr_;
    std::array<std::uint32_t, kLvts> lvt_{};
    std::uint32_t id_ = 0;
    std::uint32_t tpr_ = 0;
    std::uint32_t ldr_ = 0;
    std::uint32_t dfr_ = 0xFFFFFFFF;
    std::uint32_t svr_ = 0xFF;
    std::uint32_t icr_low_ = 0;
    std::uint32_t icr_high_ = 0;
    bool nmi_ = false;
    bool on_ = true;
};

}  // namespace sla::device
