#include "emu/device/interrupt/ioapic.h"

#include "proto/base/check.h"

namespace sla::device {

namespace {

constexpr std::uint32_t kSelectOffset = 0x00;
constexpr std::uint32_t kWindowOffset = 0x10;

enum IoApicRegister : unsigned { kIoApicId = 0, kIoApicVersion = 1, kIoApicArbitration = 2, kIoApicFirstRedirection = 0x10 };

constexpr std::uint32_t kIoApicVersionValue = 0x00170011;  // 24 entries
constexpr std::uint64_t kIoApicLogical = 1U << 11;
constexpr std::uint64_t kRemoteIrr = 1U << 14;
constexpr std::uint64_t kLevel = 1U << 15;
constexpr std::uint64_t kIoApicMasked = 1U << 16;
constexpr std::uint64_t kReadOnly = kRemoteIrr | 1U << 12;

}  // namespace

Ioapic::Ioapic(Lapic& lapic) : lapic_(lapic) {
    reset();
    lapic_.on_end([this](std::uint8_t vector) { ended(vector); });
}

void Ioapic::reset() {
    redirection_.fill(kIoApicMasked);
    select_ = 0;
    id_ = 0;
}

void Ioapic::set_irq(unsigned isa_irq, bool high) {
    const unsigned input = isa_irq == 0 ? 2 : isa_irq;
    SLA_CHECK(input < kInputs);
    const bool rose = high && !high_[input];
    high_[input] = high;
    if (rose) offer(input);
}

bool Ioapic::admits(unsigned isa_irq, bool interrupts_on) const {
    const std::uint64_t entry = redirection_[isa_irq == 0 ? 2 : isa_irq];
    if ((entry & kIoApicMasked) != 0 || ((entry & kLevel) != 0 && (entry & kRemoteIrr) != 0)) return false;
    if (!lapic_.is_addressed(static_cast<std::uint8_t>(entry >> 56), (entry & kIoApicLogical) != 0)) return false;
    const auto mode = static_cast<Lapic::Delivery>(entry >> 8 & 7);
    if (mode == Lapic::Delivery::kNmi) return true;
    const bool is_vector = mode == Lapic::Delivery::kFixed || mode == Lapic::Delivery::kLowest;
    return is_vector && interrupts_on && lapic_.admits(static_cast<std::uint8_t>(entry));
}

void Ioapic::offer(unsigned input) {
    std::uint64_t& entry = redirection_[input];
    const bool level = (entry & kLevel) != 0;
    if ((entry & kIoApicMasked) != 0 || (level && (entry & kRemoteIrr) != 0)) return;
    if (!lapic_.is_addressed(static_cast<std::uint8_t>(entry >> 56), (entry & kIoApicLogical) != 0)) return;
    if (level) entry |= kRemoteIrr;
    lapic_.deliver(static_cast<Lapic::Delivery>(entry >> 8 & 7), static_cast<std::uint8_t>(entry), level);
}

void Ioapic::ended(std::uint8_t vector) {
    for (unsigned input = 0; input < kInputs; ++input) {
        std::uint64_t& entry = redirection_[input];
        if ((entry & kRemoteIrr) == 0 || static_cast<std::uint8_t>(entry) != vector) continue;
        entry &= ~kRemoteIrr;
        if (high_[input]) offer(input);
    }
}

std::uint32_t Ioapic::read_mmio(std::uint32_t address, bus::Width) {
    const std::uint32_t offset = address & 0xFFF;
    if (offset == kSelectOffset) return select_;
    return offset == kWindowOffset ? read_register() : 0;
}

void Ioapic::write_mmio(std::uint32_t address, bus::Width, std::uint32_t value) {
    const std::uint32_t offset = address & 0xFFF;
    if (offset == kSelectOffset) select_ = static_cast<std::uint8_t>(value);
    if (offset == kWindowOffset) write_register(value);
}

std::uint32_t Ioapic::read_register() const {
    if (select_ == kIoApicId || select_ == kIoApicArbitration) return id_;
    if (select_ == kIoApicVersion) return kIoApicVersionValue;
    const unsigned input = (select_ - kIoApicFirstRedirection) / 2U;
    if (select_ < kIoApicFirstRedirection || input >= kInputs) return 0;
    return static_cast<std::uint32_t>(redirection_[input] >> (select_ % 2 * 32));
}

void Ioapic::write_register(std::uint32_t value) {
    if (select_ == kIoApicId) id_ = value & 0x0F000000;
    const unsigned input = (select_ - kIoApicFirstRedirection) / 2U;
    if (select_ < kIoApicFirstRedirection || input >= kInputs) return;
    std::uint64_t& entry = redirection_[input];
    if (select_ % 2 != 0) {
        entry = (entry & 0xFFFFFFFF) | std::uint64_t{value & 0xFF000000} << 32;
        return;
    }
    const bool level = (value & kLevel) != 0;
    const std::uint64_t kept = entry & (level ? 0xFFFFFFFF00000000 | kReadOnly : 0xFFFFFFFF00000000);
    entry = kept | (value & 0x1FFFF & ~kReadOnly);
    if (level && high_[input]) offer(input);
}

void Ioapic::visit_state(bus::StateVisitor& state) {
    state.section("ioapic");
    state.field("id", id_);
    state.field("select", select_);
    state.field("redirection", redirection_);
    state.field("input", high_);
}

}  // namespace sla::device
