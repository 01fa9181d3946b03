// The PC's two 8259A: the slave's INT drives the master's IR2. IRQ 0-7 are the master's inputs, 8-15 the slave's.
// Owned by the machine's thread.
#pragma once

#include "emu/bus/irq_line.h"
#include "emu/bus/port_device.h"
#include "emu/bus/state_visitor.h"
#include "emu/device/interrupt/pic8259.h"

namespace sla::device {

// What an analyzer sees of the interrupt controllers. The calls come while the guest or a chip acts.
class PicObserver {
public:
    virtual ~PicObserver() = default;
    virtual void irq_line(unsigned irq, bool high) = 0;
    // The CPU took the vector; a polling guest took the IRQ itself.
    virtual void irq_service_begins(unsigned irq, std::uint8_t vector) = 0;
    virtual void irq_service_ends(unsigned irq) = 0;
    virtual void irq_spurious(unsigned irq) = 0;
};

class Pic8259Pair final : public bus::PortDevice, public bus::IrqController {
public:
    static constexpr unsigned kIrqs = 16;
    static constexpr unsigned kCascade = 2;
    static constexpr std::uint16_t kMasterPort = 0x20;
    static constexpr std::uint16_t kSlavePort = 0xA0;
    static constexpr std::uint16_t kElcrPort = 0x4D0;  // IRQ 0-7; 8-15 in the port behind

    void observe(PicObserver* observer) { observer_ = observer; }

    void set_irq(unsigned irq, bool high) override;
    [[nodiscard]] bool interrupt() const { return lingers_ != Lingering::kNone || master_.interrupt(); }
    // A request of that line would raise INT.
    [[nodiscard]] bool admits(unsigned irq) const {
        return irq < 8 ? master_.admits(irq) : slave_.admits(irq - 8) && master_.admits(kCascade);
    }
    [[nodiscard]] bool holds_edge(unsigned irq) const {
        return irq < 8 ? master_.holds_edge(irq) : slave_.holds_edge(irq - 8);
    }
    // Its service has begun and not ended. The second controller's own line has none.
    [[nodiscard]] bool in_service(unsigned irq) const {
        return irq < 8 ? irq != kCascade && master_.in_service(irq) : slave_.in_service(irq - 8);
    }
    // The CPU's INTA cycle: the vector to run.
    std::uint8_t acknowledge();

    // The chips lower INT some 300 ns after its request is gone, so that a CPU which takes a request back by an access and
    // lets interrupts in at once still finds it high; its INTA finds no request, and gets level 7 of the chip that lingers:
    // the spurious interrupts 7 and 15. Whoever knows what is an access says when it begins, that one took INT down, and
    // when the time is over.
    void access_begins();
    void linger();
    [[nodiscard]] bool lingers() const { return lingers_ != Lingering::kNone; }
    void let_go() { lingers_ = Lingering::kNone; }

    [[nodiscard]] std::string_view name() const override { return "pic"; }
    std::uint32_t read_port(std::uint16_t port, bus::Width width) override;
    void write_port(std::uint16_t port, bus::Width width, std::uint32_t value) override;

    void visit_state(bus::StateVisitor& state);

private:
    enum class Lingering { kNone, kMaster, kSlave };

    void update_cascade();
    void write_elcr(bool slave, std::uint8_t value);
    void report(const Pic8259::Acknowledge& answer, unsigned first_irq);

    Pic8259 master_{Pic8259::Role::kMaster};
    Pic8259 slave_{Pic8259::Role::kSlave};
    Lingering lingers_ = Lingering::kNone;
    bool cascade_fell_ = false;  // since the present access began
    bool polled_ = false;        // likewise: a poll command took the request
    PicObserver* observer_ = nullptr;
};

}  // namespace sla::device
