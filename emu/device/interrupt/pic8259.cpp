#include "emu/device/interrupt/pic8259.h"

namespace sla::device {

namespace {

constexpr std::uint8_t kIcw1 = 0x10;  // marks a first initialization word
constexpr std::uint8_t kIcw1NeedsIcw4 = 0x01;
constexpr std::uint8_t kIcw1Single = 0x02;
constexpr std::uint8_t kIcw1Level = 0x08;  // LTIM: level-triggered inputs
constexpr std::uint8_t kIcw4AutoEoi = 0x02;
constexpr std::uint8_t kIcw4FullyNested = 0x10;  // SFNM
constexpr std::uint8_t kOcw3 = 0x08;

constexpr std::uint8_t bit(unsigned level) {
    return static_cast<std::uint8_t>(1U << level);
}

}  // namespace

void Pic8259::set_input(unsigned level, bool high) {
    const std::uint8_t mask = bit(level);
    const bool was_high = (lines_ & mask) != 0;
    if (high) {
        lines_ |= mask;
        if (!was_high || (level_triggered() & mask) != 0) irr_ |= mask;
    } else {
        lines_ &= static_cast<std::uint8_t>(~mask);
        irr_ &= static_cast<std::uint8_t>(~mask);
    }
}

void Pic8259::set_elcr(std::uint8_t elcr) {
    elcr_ = elcr;
    irr_ |= static_cast<std::uint8_t>(lines_ & elcr_);
}

std::uint8_t Pic8259::level_triggered() const {
    return (icw1_ & kIcw1Level) != 0 ? 0xFF : elcr_;
}

std::optional<unsigned> Pic8259::highest_in(std::uint8_t bits) const {
    for (unsigned step = 1; step <= 8; ++step) {
        const unsigned level = (lowest_ + step) & 7;
        if ((bits & bit(level)) != 0) return level;
    }
    return std::nullopt;
}

std::optional<unsigned> Pic8259::highest_request() const {
    if (next_icw_ != 0) return std::nullopt;
    const auto open = static_cast<std::uint8_t>(irr_ & ~imr_);
    if (open == 0) return std::nullopt;
    const auto wanted = highest_in(open);
    return wanted && passes(*wanted) ? wanted : std::nullopt;
}

// What is in service lets it through.
bool Pic8259::passes(unsigned level) const {
    if (special_mask_) return (isr_ & bit(level)) == 0;
    const auto served = highest_in(isr_);
    if (!served || priority_of(level) < priority_of(*served)) return true;
    // Special fully nested mode: a slave in service may ask again, since another of its inputs may be more urgent.
    const bool nested_slave = (icw4_ & kIcw4FullyNested) != 0 && role_ == Role::kMaster && (icw3_ & bit(level)) != 0;
    return nested_slave && level == *served;
}

bool Pic8259::admits(unsigned level) const {
    return next_icw_ == 0 && (imr_ & bit(level)) == 0 && passes(level);
}

Pic8259::Acknowledge Pic8259::acknowledge() {
    Acknowledge answer;
    if (const auto level = highest_request()) {
        answer.level = static_cast<std::uint8_t>(*level);
        answer.spurious = false;
        if ((level_triggered() & bit(*level)) == 0) irr_ &= static_cast<std::uint8_t>(~bit(*level));
        if ((icw4_ & kIcw4AutoEoi) != 0) {
            answer.ended = true;
            if (rotate_on_aeoi_) lowest_ = *level;
        } else {
            isr_ |= bit(*level);
        }
    }
    answer.vector = static_cast<std::uint8_t>((icw2_ & 0xF8) | answer.level);
    return answer;
}

std::uint8_t Pic8259::write(unsigned a0, std::uint8_t value) {
    if (a0 == 0 && (value & kIcw1) != 0) return start_initialization(value);
    if (a0 == 0 && (value & kOcw3) == 0) return write_ocw2(value);
    if (a0 == 0) {
        write_ocw3(value);
    } else if (next_icw_ != 0) {
        write_icw(value);
    } else {
        imr_ = value;
    }
    return 0;
}

std::uint8_t Pic8259::start_initialization(std::uint8_t icw1) {
    const std::uint8_t ended = isr_;
    icw1_ = icw1;
    icw4_ = 0;
    irr_ = static_cast<std::uint8_t>(lines_ & level_triggered());
    isr_ = 0;
    imr_ = 0;
    lowest_ = 7;
    read_isr_ = poll_ = special_mask_ = rotate_on_aeoi_ = false;
    next_icw_ = 2;
    return ended;
}

void Pic8259::write_icw(std::uint8_t value) {
    const bool single = (icw1_ & kIcw1Single) != 0;
    const bool needs_icw4 = (icw1_ & kIcw1NeedsIcw4) != 0;
    if (next_icw_ == 2) {
        icw2_ = value;
        next_icw_ = !single ? 3 : needs_icw4 ? 4 : 0;
    } else if (next_icw_ == 3) {
        icw3_ = value;
        next_icw_ = needs_icw4 ? 4 : 0;
    } else {
        icw4_ = value;
        next_icw_ = 0;
    }
}

// OCW2: R SL EOI 0 0 L2 L1 L0
std::uint8_t Pic8259::write_ocw2(std::uint8_t value) {
    const bool rotate = (value & 0x80) != 0;
    const bool specific = (value & 0x40) != 0;
    const bool eoi = (value & 0x20) != 0;
    const unsigned named = value & 7;
    if (!eoi) {
        if (specific && rotate) lowest_ = named;
        if (!specific) rotate_on_aeoi_ = rotate;
        return 0;
    }
    const auto level = specific ? std::optional<unsigned>(named) : highest_in(isr_);
    if (!level) return 0;
    const auto ended = static_cast<std::uint8_t>(isr_ & bit(*level));
    isr_ &= static_cast<std::uint8_t>(~bit(*level));
    if (rotate) lowest_ = *level;
    return ended;
}

// OCW3: 0 ESMM SMM 0 1 P RR RIS
void Pic8259::write_ocw3(std::uint8_t value) {
    if ((value & 0x40) != 0) special_mask_ = (value & 0x20) != 0;
    if ((value & 0x04) != 0) poll_ = true;
    if ((value & 0x02) != 0) read_isr_ = (value & 0x01) != 0;
}

std::uint8_t Pic8259::read(unsigned a0) {
    if (poll_) {
        poll_ = false;
        if (!interrupt()) return 0;
        polled_ = acknowledge();
        return static_cast<std::uint8_t>(0x80 | polled_->level);
    }
    if (a0 == 1) return imr_;
    return read_isr_ ? isr_ : irr_;
}

std::optional<Pic8259::Acknowledge> Pic8259::take_polled() {
    auto polled = polled_;
    polled_.reset();
    return polled;
}

void Pic8259::visit_state(bus::StateVisitor& state) {
    state.field("inputs", lines_);
    state.field("irr", irr_);
    state.field("isr", isr_);
    state.field("imr", imr_);
    state.field("elcr", elcr_);
    state.field("icw1", icw1_);
    state.field("icw2", icw2_);
    state.field("icw3", icw3_);
    state.field("icw4", icw4_);
    state.field("next_icw", next_icw_, 4);
    state.field("lowest_priority", lowest_, 7);
    state.field("ris", read_isr_);
    state.field("poll", poll_);
    state.field("smm", special_mask_);
    state.field("rotate_on_aeoi", rotate_on_aeoi_);
    bool polled = polled_.has_value();
    state.field("polled", polled);
    if (state.loads()) polled_ = polled ? std::optional(Acknowledge{}) : std::nullopt;
    if (!polled_) return;
    state.field("polled.vector", polled_->vector);
    state.field("polled.level", polled_->level, 7);
    state.field("polled.spurious", polled_->spurious);
    state.field("polled.ended", polled_->ended);
}

}  // namespace sla::device
