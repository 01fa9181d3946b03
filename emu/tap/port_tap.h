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
// One thread, the machine's. tests/bench/emu_bench has the cost.
#pragma once

#include "emu/bus/port_table.h"
#include "emu/tap/tap.h"
#include "emu/tap/vmm_tap.h"
#include "emu/tap/way.h"
#include "emu/tap/ways.h"

#include <array>
#include <cstddef>

namespace sla::tap {

class PortTap {
    struct Plan {
        bool made = false;
        bool is_straight = false;  // all its events
        std::uint64_t of_ways = 0;
        Way port;
        Way exit;
    };

public:
    PortTap(Tap& tap, VmmTap& vmm_tap) : tap_(tap), vmm_tap_(vmm_tap), sink_(tap.sink()), ways_(sink_.ways()) {}

    // Who listens to an access, from its begin to its end.
    class Access {
    public:
        // The tap is to be called, and wants to know where the instruction stands.
        [[nodiscard]] bool is_watched() const { return accesses_ || exits_; }

    private:
        friend class PortTap;
        Access(const Plan& plan, bool is_of_latch, const Sink& sink)
            : plan_(plan), is_of_latch_(is_of_latch), accesses_(plan.port.listens(sink)), exits_(plan.exit.listens(sink)) {}

        const Plan& plan_;
        bool is_of_latch_;
        bool accesses_;
        bool exits_;
    };

    // It ends before the next one to the same device begins.
    [[nodiscard]] Access access(std::uint16_t port, bus::Width width, bus::Access kind, const bus::PortTable& ports) {
        const unsigned device = ports.device_of(port);
        Plan& plan = plans_[device];
        if (!plan.made || (ways_ != nullptr && plan.of_ways != ways_->changes())) make(plan, device, ports);
        return {plan, ports.is_latch(port, width, kind), sink_};
    }

    // Of an access that is watched: before the chip's work, and behind it. What begins gives the tick of that instant; 0: it has none that
    // is known.
    std::uint64_t begin_out(const Access& access, const PortEvent& event, const bus::CodeAddress& at);
    void end_out(const Access& access);
    std::uint64_t begin_in(const Access& access, const bus::CodeAddress& at);
    void end_in(const Access& access, const PortEvent& event, const bus::CodeAddress& at);

private:
    enum class Event { kTick, kBegin, kEnd };
    template <Event kEvent>
    static sla_event made(const Plan& plan, std::uint64_t value, std::uint64_t detail, std::uint64_t place);
    // Of one instant, in this order; value and detail are the tick's.
    template <bool kByGuest, Event... kEvents>
    std::uint64_t record(const Plan& plan, std::uint64_t value, std::uint64_t detail, std::uint64_t place);
    template <Event... kEvents>
    std::uint64_t show(const Plan& plan, std::uint64_t value, std::uint64_t detail, std::uint64_t place);
    template <bool kIsOut>
    std::uint64_t show_with_tick(const Access& access, const PortEvent& event, const bus::CodeAddress& at);
    void make(Plan& plan, unsigned device, const bus::PortTable& ports);

    Tap& tap_;
    VmmTap& vmm_tap_;
    Sink& sink_;
    Ways* ways_;
    std::array<Plan, bus::PortTable::kMaxDevices> plans_;
};

}  // namespace sla::tap
