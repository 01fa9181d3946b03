#include "emu/device/interrupt/lapic.h"

#include <array>

namespace sla::device {

namespace {

enum LapicRegister : unsigned {
    kId = 0x02,
    kVersion = 0x03,
    kTpr = 0x08,
    kPpr = 0x0A,
    kEoi = 0x0B,
    kLdr = 0x0D,
    kDfr = 0x0E,
    kSvr = 0x0F,
    kIsr = 0x10,
    kTmr = 0x18,
    kIrr = 0x20,
    kIcrLow = 0x30,
    kIcrHigh = 0x31,
    kFirstLvt = 0x32,
    kInitialCount = 0x38,
    kCurrentCount = 0x39,
    kDivide = 0x3E,
};

constexpr unsigned kEndOfLvt = kFirstLvt + 6;
constexpr std::uint32_t kVersionValue = 0x00050014;  // six LVT entries
constexpr std::uint32_t kEnabled = 0x100;            // SVR
constexpr std::uint32_t kMasked = 0x10000;           // LVT
constexpr std::uint32_t kPeriodic = 0x20000;
constexpr std::uint32_t kExtIntMode = 0x700;
constexpr std::uint32_t kLvtBits = 0x1F7FF;
constexpr std::uint32_t kLogical = 0x800;  // ICR
constexpr unsigned kFirstVector = 16;      // below: illegal

constexpr unsigned priority_class(unsigned vector) {
    return vector >> 4;
}

}  // namespace

Lapic::Lapic(bus::EventQueue& events)
    : timer_(events, [this] {
          if ((lvt_[kTimer] & kMasked) == 0) deliver(Delivery::kFixed, static_cast<std::uint8_t>(lvt_[kTimer]), false);
          return (lvt_[kTimer] & kPeriodic) != 0;
      }) {
    reset();
}

void Lapic::reset() {
    while (const auto served = highest(isr_)) {
        isr_.reset(*served);
        if (observer_ != nullptr) observer_->apic_service_ends(*served);
    }
    irr_.reset(), tmr_.reset();
    lvt_.fill(kMasked);
    lvt_[kLint0] = kExtIntMode;
    tpr_ = ldr_ = icr_low_ = icr_high_ = 0;
    dfr_ = 0xFFFFFFFF;
    svr_ = 0xFF;
    nmi_ = false;
    on_ = true;
    timer_.reset();
}

void Lapic::switch_on(bool on) {
    if (on == on_) return;
    reset();
    on_ = on;
}

bool Lapic::software_enabled() const {
    return on_ && (svr_ & kEnabled) != 0;
}

bool Lapic::lets_pic_through() const {
    if (!software_enabled()) return true;
    return (lvt_[kLint0] & (kMasked | kExtIntMode)) == kExtIntMode;
}

std::optional<std::uint8_t> Lapic::highest(const Vectors& vectors) {
    if (vectors.none()) return std::nullopt;
    for (unsigned vector = 256; vector-- > 0;) {
        if (vectors[vector]) return static_cast<std::uint8_t>(vector);
    }
    return std::nullopt;
}

std::uint8_t Lapic::processor_priority() const {
    const unsigned served = highest(isr_).value_or(0);
    const auto task = static_cast<std::uint8_t>(tpr_);
    return priority_class(task) >= priority_class(served) ? task : static_cast<std::uint8_t>(served & 0xF0);
}

bool Lapic::interrupt() const {
    const auto wanted = highest(irr_);
    return wanted && software_enabled() && priority_class(*wanted) > priority_class(processor_priority());
}

bool Lapic::admits(std::uint8_t vector) const {
    return software_enabled() && vector >= kFirstVector && priority_class(vector) > priority_class(processor_priority());
}

bool Lapic::admits_timer() const {
    return timer_.runs() && (lvt_[kTimer] & kMasked) == 0 && admits(static_cast<std::uint8_t>(lvt_[kTimer]));
}

std::uint8_t Lapic::acknowledge() {
    if (!interrupt()) return static_cast<std::uint8_t>(svr_);  // spurious
    const std::uint8_t vector = *highest(irr_);
    irr_.reset(vector);
    isr_.set(vector);
    if (observer_ != nullptr) observer_->apic_service_begins(vector);
    return vector;
}

void Lapic::deliver(Delivery mode, std::uint8_t vector, bool level_triggered) {
    if (mode == Delivery::kNmi) nmi_ = true;
    if ((mode != Delivery::kFixed && mode != Delivery::kLowest) || vector < kFirstVector || !software_enabled()) return;
    irr_.set(vector);
    tmr_.set(vector, level_triggered);
}

void Lapic::counter_overflow() {
    const std::uint32_t entry = lvt_[kPerformance];
    if ((entry & kMasked) == 0) deliver(static_cast<Delivery>(entry >> 8 & 7), static_cast<std::uint8_t>(entry), false);
}

bool Lapic::is_addressed(std::uint8_t destination, bool logical) const {
    constexpr std::uint8_t kBroadcast = 0xFF;
    if (destination == kBroadcast) return true;
    if (!logical) return destination == (id_ >> 24);
    const auto own = static_cast<std::uint8_t>(ldr_ >> 24);
    const bool flat = (dfr_ >> 28) == 0xF;
    if (flat) return (own & destination) != 0;
    return (own & 0xF0) == (destination & 0xF0) && (own & destination & 0x0F) != 0;
}

void Lapic::end_of_interrupt() {
    const auto ended = highest(isr_);
    if (!ended) return;
    isr_.reset(*ended);
    if (observer_ != nullptr) observer_->apic_service_ends(*ended);
    if (tmr_[*ended] && on_end_) on_end_(*ended);
}

std::uint32_t Lapic::word(const Vectors& vectors, unsigned index) {
    std::uint32_t bits = 0;
    for (unsigned bit = 0; bit < 32; ++bit) bits |= static_cast<std::uint32_t>(vectors[32 * index + bit]) << bit;
    return bits;
}

std::uint32_t Lapic::read_mmio(std::uint32_t address, bus::Width) {
    return read((address & 0xFFF) >> 4) >> (8 * (address & 3));
}

void Lapic::write_mmio(std::uint32_t address, bus::Width width, std::uint32_t value) {
    if (width == bus::Width::kDword && (address & 0xF) == 0) write((address & 0xFFF) >> 4, value);
}

std::uint32_t Lapic::read(unsigned reg) {
    if (reg >= kIsr && reg < kTmr) return word(isr_, reg - kIsr);
    if (reg >= kTmr && reg < kIrr) return word(tmr_, reg - kTmr);
    if (reg >= kIrr && reg < kIrr + 8) return word(irr_, reg - kIrr);
    if (reg >= kFirstLvt && reg < kEndOfLvt) return lvt_[reg - kFirstLvt];
    switch (reg) {
        case kId: return id_;
        case kVersion: return kVersionValue;
        case kTpr: return tpr_;
        case kPpr: return processor_priority();
        case kLdr: return ldr_;
        case kDfr: return dfr_;
        case kSvr: return svr_;
        case kIcrLow: return icr_low_;
        case kIcrHigh: return icr_high_;
        case kInitialCount: return timer_.initial_count();
        case kCurrentCount: return timer_.current_count();
        case kDivide: return timer_.divide();
        default: return 0;
    }
}

void Lapic::write(unsigned reg, std::uint32_t value) {
    if (reg >= kFirstLvt && reg < kEndOfLvt) {
        lvt_[reg - kFirstLvt] = value & (reg == kFirstLvt ? kLvtBits | kPeriodic : kLvtBits);
        return;
    }
    switch (reg) {
        case kId: id_ = value & 0xFF000000; return;
        case kTpr: tpr_ = value & 0xFF; return;
        case kEoi: return end_of_interrupt();
        case kLdr: ldr_ = value & 0xFF000000; return;
        case kDfr: dfr_ = value | 0x0FFFFFFF; return;
        case kSvr: svr_ = value & 0x3FF; return;
        case kIcrLow: return write_icr(value);
        case kIcrHigh: icr_high_ = value & 0xFF000000; return;
        case kInitialCount: return timer_.count_from(value);
        case kDivide: return timer_.divide_by(value);
        default: return;
    }
}

void Lapic::write_icr(std::uint32_t value) {
    icr_low_ = value & 0xCCFFF;
    enum Shorthand : unsigned { kNone, kSelf, kAll, kAllButSelf };
    const unsigned shorthand = value >> 18 & 3;
    if (shorthand == kAllButSelf) return;
    if (shorthand == kNone && !is_addressed(static_cast<std::uint8_t>(icr_high_ >> 24), (value & kLogical) != 0)) return;
    deliver(static_cast<Delivery>(value >> 8 & 7), static_cast<std::uint8_t>(value), false);
}

void Lapic::visit_state(bus::StateVisitor& state) {
    state.section("lapic");
    state.field("on", on_);
    state.field("id", id_);
    state.field("tpr", tpr_);
    state.field("ldr", ldr_);
    state.field("dfr", dfr_);
    state.field("svr", svr_);
    state.field("irr", irr_);
    state.field("isr", isr_);
    state.field("tmr", tmr_);
    constexpr std::array kNames{"lvt_timer", "lvt_thermal", "lvt_performance", "lvt_lint0", "lvt_lint1", "lvt_error"};
    static_assert(kNames.size() == kLvts);
    for (unsigned i = 0; i < kLvts; ++i) state.field(kNames[i], lvt_[i]);
    state.field("icr_low", icr_low_);
    state.field("icr_high", icr_high_);
    timer_.visit_state(state);
    state.field("nmi", nmi_);
    timer_.visit_event(state);
}

}  // namespace sla::device
