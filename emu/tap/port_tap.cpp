#include "emu/tap/port_tap.h"

#include "emu/tap/format.h"

namespace sla::tap {

void PortTap::make(Plan& plan, unsigned device, const bus::PortTable& ports) {
    plan.made = true;
    plan.of_ways = ways_ == nullptr ? 0 : ways_->changes();
    plan.port = Way(sink_, tap_.port_channel(device, ports.device_name(device)));
    plan.exit = Way(sink_, vmm_tap_.exit_channel(ExitKind::kPort));
    plan.is_straight = plan.port.is_straight() && plan.exit.is_straight();
}

template <PortTap::Event kEvent>
[[gnu::always_inline]] inline sla_event PortTap::made(const Plan& plan, std::uint64_t value, std::uint64_t detail,
                                                      std::uint64_t place) {
    constexpr sla_width kWidth = SLA_WIDTH_WIDE;
    if constexpr (kEvent == Event::kTick) return {plan.port.straight(), SLA_CODE_TICK_VALUE, value, detail, place, kWidth};
    if constexpr (kEvent == Event::kBegin) return {plan.exit.straight(), SLA_CODE_BEGIN, 0, 0, place, kWidth};
    return {plan.exit.straight(), SLA_CODE_END, 0, 0, 0, kWidth};
}

// Not inline: whoever calls one has no registers to save for the others.
template <bool kByGuest, PortTap::Event... kEvents>
[[gnu::noinline]] std::uint64_t PortTap::record(const Plan& plan, std::uint64_t value, std::uint64_t detail,
                                                std::uint64_t place) {
    // Of two events in the span's channel the second goes behind the first.
    constexpr auto kGoesBehind = [] {
        constexpr std::array<Event, sizeof...(kEvents)> kAll{kEvents...};
        std::array<bool, sizeof...(kEvents)> goes_behind{};
        for (std::size_t i = 1; i < kAll.size(); ++i)
            goes_behind[i] = kAll[i] != Event::kTick && kAll[i - 1] != Event::kTick;
        return goes_behind;
    }();
    return ways_->record<kByGuest, kGoesBehind>(made<kEvents>(plan, value, detail, place)...);
}

template <PortTap::Event... kEvents>
std::uint64_t PortTap::show(const Plan& plan, std::uint64_t value, std::uint64_t detail, std::uint64_t place) {
    if (plan.is_straight) [[likely]] {
        return ways_->is_by_guest() ? record<true, kEvents...>(plan, value, detail, place)
                                    : record<false, kEvents...>(plan, value, detail, place);
    }
    const auto put = [this](const Way& way, const sla_event& event) {
        sink_.wide(way.channel(), event.code, event.value, event.detail0, event.detail1);
    };
    (put(kEvents == Event::kTick ? plan.port : plan.exit, made<kEvents>(plan, value, detail, place)), ...);
    return 0;
}

// Where the tick stands: at the begin of an OUT, at the end of an IN. What the span has there, and all of it where no stamp lies between
// its ends.
template <bool kIsOut>
std::uint64_t PortTap::show_with_tick(const Access& access, const PortEvent& event, const bus::CodeAddress& at) {
    using enum Event;
    constexpr Event kHalf = kIsOut ? kBegin : kEnd;
    const auto show_as = [&]<Event... kSpan>() {
        const std::uint64_t place = pack(at);
        if (!access.accesses_) return show<kSpan...>(access.plan_, 0, 0, place);
        if constexpr (kIsOut) {
            return show<kTick, kSpan...>(access.plan_, event.value, pack(event), place);
        } else {
            return show<kSpan..., kTick>(access.plan_, event.value, pack(event), place);
        }
    };
    if (!access.exits_) return show<kTick>(access.plan_, event.value, pack(event), pack(at));
    return access.is_of_latch_ ? show_as.template operator()<kBegin, kEnd>() : show_as.template operator()<kHalf>();
}

std::uint64_t PortTap::begin_out(const Access& access, const PortEvent& event, const bus::CodeAddress& at) {
    return show_with_tick<true>(access, event, at);
}

void PortTap::end_out(const Access& access) {
    if (access.exits_ && !access.is_of_latch_) show<Event::kEnd>(access.plan_, 0, 0, 0);
}

std::uint64_t PortTap::begin_in(const Access& access, const bus::CodeAddress& at) {
    return access.exits_ && !access.is_of_latch_ ? show<Event::kBegin>(access.plan_, 0, 0, pack(at)) : 0;
}

void PortTap::end_in(const Access& access, const PortEvent& event, const bus::CodeAddress& at) {
    show_with_tick<false>(access, event, at);
}

}  // namespace sla::tap
