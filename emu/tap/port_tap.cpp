#include "emu/tap/port_tap.h"

#include "emu/tap/format.h"

namespace sla::tap {

PortTap::PortTap(Tap& tap, VmmTap& vmm_tap)
    : tap_(tap), vmm_tap_(vmm_tap), sink_(tap.sink()), ways_(sink_.ways() != nullptr ? sink_.ways() : &no_ways_) {}

void PortTap::make(Plan& plan, unsigned device, const bus::PortTable& ports) {
    plan.of_ways = ways_->changes();
    plan.port = Way(sink_, tap_.port_channel(device, ports.device_name(device)));
    plan.exit = Way(sink_, vmm_tap_.exit_channel(ExitKind::kPort));
    plan.is_straight = plan.port.is_straight() && plan.exit.is_straight();
    plan.is_by_guest = plan.is_straight && ways_->is_by_guest();
}

template <PortTap::Event kEvent>
[[gnu::always_inline]] inline sla_event PortTap::made(const Access& access) {
    constexpr sla_width kWidth = SLA_WIDTH_WIDE;
    const Plan& plan = access.to_.plan_;
    if constexpr (kEvent == Event::kTick)
        return {plan.port.straight(), SLA_CODE_TICK_VALUE, access.value_, access.detail_, access.place_, kWidth};
    if constexpr (kEvent == Event::kBegin) return {plan.exit.straight(), SLA_CODE_BEGIN, 0, 0, access.place_, kWidth};
    return {plan.exit.straight(), SLA_CODE_END, 0, 0, 0, kWidth};
}

// Not inline: whoever calls one has no registers to save for the others.
template <PortTap::Event... kEvents>
[[gnu::noinline]] std::uint64_t PortTap::record(const Access& access) {
    // Of two events in the span's channel the second goes behind the first.
    constexpr auto kGoesBehind = [] {
        constexpr std::array<Event, sizeof...(kEvents)> kAll{kEvents...};
        std::array<bool, sizeof...(kEvents)> goes_behind{};
        for (std::size_t i = 1; i < kAll.size(); ++i)
            goes_behind[i] = kAll[i] != Event::kTick && kAll[i - 1] != Event::kTick;
        return goes_behind;
    }();
    const std::uint64_t tick = Ways::record<kGoesBehind>(made<kEvents>(access)...);
    return tick != 0 ? tick : put<kEvents...>(access);
}

template <PortTap::Event... kEvents>
[[gnu::noinline]] void PortTap::record_by_guest(const Access& access) {
    GuestTime& time = ways_->guest_time();
    if (!time.is_ready()) [[unlikely]]
        return static_cast<void>(put<kEvents...>(access));
    record_at<kEvents...>(time.next(sizeof...(kEvents)), access);
}

// One ring after the other; where something is in the way of one, this event and all behind it are put.
template <PortTap::Event kFirst, PortTap::Event... kMore>
[[gnu::always_inline]] inline void PortTap::record_at(std::uint64_t tick, const Access& access) {
    constexpr bool kIsSpan = kFirst == Event::kBegin && sizeof...(kMore) != 0 && ((kMore == Event::kEnd) || ...);
    if constexpr (kIsSpan) {
        if (!Ways::record_at(tick, made<Event::kBegin>(access), made<Event::kEnd>(access))) [[unlikely]]
            return put_at<kFirst, kMore...>(tick, access);
        if constexpr (sizeof...(kMore) > 1) record_at<Event::kTick>(tick + 2, access);
    } else {
        if (!Ways::record_at(tick, made<kFirst>(access))) [[unlikely]]
            return put_at<kFirst, kMore...>(tick, access);
        if constexpr (sizeof...(kMore) != 0) record_at<kMore...>(tick + 1, access);
    }
}

template <PortTap::Event... kEvents>
[[gnu::noinline]] std::uint64_t PortTap::put(const Access& access) {
    ways_->put(std::array{made<kEvents>(access)...});
    return 0;
}

template <PortTap::Event... kEvents>
[[gnu::noinline]] void PortTap::put_at(std::uint64_t tick, const Access& access) {
    ways_->put_at(tick, std::array{made<kEvents>(access)...});
}

template <PortTap::Event... kEvents>
std::uint64_t PortTap::show(const Access& access) {
    const Plan& plan = access.to_.plan_;
    if (plan.is_by_guest) return record_by_guest<kEvents...>(access), 0;
    if (plan.is_straight) [[likely]]
        return record<kEvents...>(access);
    const auto put = [this](const Way& way, const sla_event& event) {
        sink_.wide(way.channel(), event.code, event.value, event.detail0, event.detail1);
    };
    (put(kEvents == Event::kTick ? plan.port : plan.exit, made<kEvents>(access)), ...);
    return 0;
}

template <PortTap::Event... kSpan>
std::uint64_t PortTap::show_out(const Access& access) {
    return access.to_.accesses_ ? show<Event::kTick, kSpan...>(access) : show<kSpan...>(access);
}

template <PortTap::Event... kSpan>
std::uint64_t PortTap::show_in(const Access& access) {
    return access.to_.accesses_ ? show<kSpan..., Event::kTick>(access) : show<kSpan...>(access);
}

void PortTap::wait(const Access& access) {
    waiting_ = &access;
    ways_->guest_time().wait(*this);
}

void PortTap::show_what_waits() {
    using enum Event;
    waiting_->is_out_ ? show_out<kBegin>(*waiting_) : show<kBegin>(*waiting_);
}

std::uint64_t PortTap::begin_out(const Access& access) {
    using enum Event;
    if (!access.to_.exits_) return show<kTick>(access);
    if (access.is_of_latch_) return show_out<kBegin, kEnd>(access);
    if (!access.to_.plan_.is_by_guest) return show_out<kBegin>(access);
    wait(access);
    return 0;
}

void PortTap::end_out(const Access& access) {
    using enum Event;
    if (!access.to_.exits_ || access.is_of_latch_) return;
    access.to_.plan_.is_by_guest && ways_->guest_time().go_on() ? show_out<kBegin, kEnd>(access) : show<kEnd>(access);
}

std::uint64_t PortTap::begin_in(const Access& access) {
    using enum Event;
    if (!access.to_.exits_ || access.is_of_latch_) return 0;
    if (!access.to_.plan_.is_by_guest) return show<kBegin>(access);
    wait(access);
    return 0;
}

void PortTap::end_in(const Access& access) {
    using enum Event;
    if (!access.to_.exits_) {
        show<kTick>(access);
    } else if (access.is_of_latch_ || (access.to_.plan_.is_by_guest && ways_->guest_time().go_on())) {
        show_in<kBegin, kEnd>(access);
    } else {
        show_in<kEnd>(access);
    }
}

}  // namespace sla::tap
