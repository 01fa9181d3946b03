#include "emu/device/interrupt/pic8259_pair.h"

#include "proto/base/check.h"

namespace sla::device {

namespace {

constexpr unsigned kSlaveFirstIrq = 8;
// Timer, keyboard and cascade; clock and coprocessor: these inputs are edge-triggered for good.
constexpr std::uint8_t kMasterElcr = 0xF8;
constexpr std::uint8_t kSlaveElcr = 0xDE;

}  // namespace

void Pic8259Pair::set_irq(unsigned irq, bool high) {
    SLA_CHECK(irq < kIrqs && irq != kCascade);
    Pic8259& chip = irq < kSlaveFirstIrq ? master_ : slave_;
    const unsigned level = irq % kSlaveFirstIrq;
    const bool changed = chip.input(level) != high;
    chip.set_input(level, high);
    update_cascade();
    if (changed && observer_ != nullptr) observer_->irq_line(irq, high);
}

void Pic8259Pair::update_cascade() {
    const bool high = slave_.interrupt();
    cascade_fell_ |= master_.input(kCascade) && !high;
    master_.set_input(kCascade, high);
}

void Pic8259Pair::access_begins() {
    let_go();
    cascade_fell_ = polled_ = false;
}

void Pic8259Pair::linger() {
    if (!polled_) lingers_ = cascade_fell_ ? Lingering::kSlave : Lingering::kMaster;
}

std::uint8_t Pic8259Pair::acknowledge() {
    if (lingers_ == Lingering::kSlave) master_.set_input(kCascade, true);
    let_go();
    const Pic8259::Acknowledge first = master_.acknowledge();
    if (first.spurious || first.level != kCascade) {
        update_cascade();
        report(first, 0);
        return first.vector;
    }
    const Pic8259::Acknowledge second = slave_.acknowledge();
    update_cascade();
    report(second, kSlaveFirstIrq);
    return second.vector;
}

void Pic8259Pair::report(const Pic8259::Acknowledge& answer, unsigned first_irq) {
    if (observer_ == nullptr) return;
    const unsigned irq = first_irq + answer.level;
    if (answer.spurious) return observer_->irq_spurious(irq);
    observer_->irq_service_begins(irq, answer.vector);
    if (answer.ended) observer_->irq_service_ends(irq);
}

void Pic8259Pair::write_elcr(bool slave, std::uint8_t value) {
    if (slave) {
        slave_.set_elcr(value & kSlaveElcr);
    } else {
        master_.set_elcr(value & kMasterElcr);
    }
    update_cascade();
}

std::uint32_t Pic8259Pair::read_port(std::uint16_t port, bus::Width) {
    if (port >= kElcrPort) return port == kElcrPort ? master_.elcr() : slave_.elcr();
    const bool slave = port >= kSlavePort;
    Pic8259& chip = slave ? slave_ : master_;
    const std::uint8_t value = chip.read(port & 1);
    if (const auto polled = chip.take_polled()) {
        polled_ = true;
        if (slave || polled->level != kCascade) report(*polled, slave ? kSlaveFirstIrq : 0);
    }
    update_cascade();
    return value;
}

void Pic8259Pair::write_port(std::uint16_t port, bus::Width, std::uint32_t value) {
    if (port >= kElcrPort) return write_elcr(port != kElcrPort, static_cast<std::uint8_t>(value));
    const bool slave = port >= kSlavePort;
    Pic8259& chip = slave ? slave_ : master_;
    const std::uint8_t ended = chip.write(port & 1, static_cast<std::uint8_t>(value));
    update_cascade();
    for (unsigned level = 0; ended != 0 && level < kSlaveFirstIrq; ++level) {
        if ((ended >> level & 1) == 0 || (!slave && level == kCascade)) continue;
        if (observer_ != nullptr) observer_->irq_service_ends(level + (slave ? kSlaveFirstIrq : 0));
    }
}

void Pic8259Pair::visit_state(bus::StateVisitor& state) {
    state.section("pic");
    state.part("master", [&] { master_.visit_state(state); });
    state.part("slave", [&] { slave_.visit_state(state); });
    state.field("lingers", lingers_, static_cast<unsigned>(Lingering::kSlave));
    state.field("cascade_fell", cascade_fell_);
    state.field("polled", polled_);
}

}  // namespace sla::device
