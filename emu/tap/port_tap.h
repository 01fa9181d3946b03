// What an access to a port shows: a tick of port.DEVICE, and the span vmm.exit.port while the chip works. A storm of them is some 20
// million a second, and what became of a channel the same for all: so each device has a plan, made when it is first accessed and
// whenever the ways of events change. Events of one instant share a stamp and are a tick apart, so that they keep their order.
//
//   OUT   tick, begin ── chip ── end          IN   begin ── chip ── end, tick
//
// A latch (bus::PortDevice::is_latch) has no work to do: all three are of one instant, since a stamp takes longer than such a register.
//
//   OUT   tick, begin, end ── chip            IN   chip ── begin, end, tick
//
// The guest's time stands still while any chip works. So all three are written at once behind it, unless the chip shows something
// itself, an interrupt line or a timer: then what stands before it above is written before that (GuestTime::Waiting).
//
// One thread, the machine's. tests/bench/emu_bench has the cost.
#pragma once

#include "emu/bus/port_table.h"
#include "emu/tap/format.h"
#include "emu/tap/tap.h"
#include "emu/tap/vmm_tap.h"
#include "emu/tap/way.h"
#include "emu/tap/ways.h"

#include <array>
#include <cstddef>

namespace sla::tap {

class PortTap final : private GuestTime::Waiting {
    struct Plan {
        std::uint64_t of_ways = kNotMade;
        bool is_straight = false;  // all its events
        bool is_by_guest = false;  // and by the guest's time
        Way port;
        Way exit;
    };
    static constexpr std::uint64_t kNotMade = ~std::uint64_t{0};

public:
    PortTap(Tap& tap, VmmTap& vmm_tap);
    virtual ~PortTap() = default;
    PortTap(const PortTap&) = delete;
    PortTap& operator=(const PortTap&) = delete;

    // Who listens to an access.
    class Listeners {
    public:
        // None: the tap is not to be called.
        [[nodiscard]] bool any() const { return accesses_ || exits_; }

    private:
        friend class PortTap;
        Listeners(const Plan& plan, bool accesses, bool exits) : plan_(plan), accesses_(accesses), exits_(exits) {}

        const Plan& plan_;
        bool accesses_;
        bool exits_;
    };
    [[nodiscard]] Listeners listeners(std::uint16_t port, const bus::PortTable& ports) {
        const unsigned device = ports.device_of(port);
        Plan* plan = &plans_[device];
        if (plan->of_ways != ways_->changes()) [[unlikely]]
            make(*plan, device, ports);
        if (!plan->is_straight) return {*plan, plan->port.listens(sink_), plan->exit.listens(sink_)};
        return {*plan, sla_on(plan->port.straight()) != 0, sla_on(plan->exit.straight()) != 0};
    }

    // One that somebody listens to, by the instruction there. It ends before the next one begins.
    class Access {
    public:
        Access(const Listeners& listeners, const PortEvent& event, const bus::CodeAddress& at, const bus::PortTable& ports)
            : to_(listeners),
              is_out_(event.out),
              is_of_latch_(ports.is_latch(event.port, event.width, event.out ? bus::Access::kOut : bus::Access::kIn)),
              value_(event.value),
              detail_(pack(event)),
              place_(pack(at)) {}
        Access(const Access&) = delete;
        Access& operator=(const Access&) = delete;

        // What an IN read, before its end.
        void read(std::uint32_t value) { value_ = value; }

    private:
        friend class PortTap;
        const Listeners to_;
        const bool is_out_;
        const bool is_of_latch_;
        std::uint64_t value_;
        const std::uint64_t detail_;
        const std::uint64_t place_;
    };

    // Before the chip's work, and behind it. What begins gives the tick of that instant; 0: it has none that is known.
    std::uint64_t begin_out(const Access& access);
    void end_out(const Access& access);
    std::uint64_t begin_in(const Access& access);
    void end_in(const Access& access);

private:
    enum class Event { kTick, kBegin, kEnd };
    template <Event kEvent>
    static sla_event made(const Access& access);
    // Of one instant, in this order. By the machine's time, and by the guest's.
    template <Event... kEvents>
    std::uint64_t record(const Access& access);
    template <Event... kEvents>
    void record_by_guest(const Access& access);
    template <Event kFirst, Event... kMore>
    void record_at(std::uint64_t tick, const Access& access);
    template <Event... kEvents>
    std::uint64_t put(const Access& access);
    template <Event... kEvents>
    void put_at(std::uint64_t tick, const Access& access);
    template <Event... kEvents>
    std::uint64_t show(const Access& access);
    // That part of the span, and the tick in front of it or behind, where somebody listens to accesses.
    template <Event... kSpan>
    std::uint64_t show_out(const Access& access);
    template <Event... kSpan>
    std::uint64_t show_in(const Access& access);
    void wait(const Access& access);
    void show_what_waits() override;
    void make(Plan& plan, unsigned device, const bus::PortTable& ports);

    Tap& tap_;
    VmmTap& vmm_tap_;
    Sink& sink_;
    Ways no_ways_{nullptr};  // of sinks that have none
    Ways* ways_;
    const Access* waiting_ = nullptr;
    std::array<Plan, bus::PortTable::kMaxDevices> plans_;
};

}  // namespace sla::tap
