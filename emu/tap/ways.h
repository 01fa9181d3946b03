// What the short ways of events share: how often some began or ended, and what stamps the events that take them.
#pragma once

#include "emu/tap/guest_time.h"

#include <sla/moment.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sla::tap {

class Ways {
public:
    // Null: by the machine's time. It outlives this.
    explicit Ways(GuestTime* time) : time_(time) {}

    [[nodiscard]] std::uint64_t changes() const { return changes_; }
    void change() { ++changes_; }

    // Who stamps by the guest's time has registers to save for it, the other has not: each is a function of its own.
    [[nodiscard]] bool is_by_guest() const { return time_ != nullptr; }
    // Events of one instant, in this order, into channels that somebody listens to: one stamp, and some 50 instructions an event.
    // kGoesBehind: whether one is for the channel and the ring of the one before it. The tick of the first; 0 where the library
    // stamped them itself.
    template <bool kByGuest, auto kGoesBehind, typename First, typename... More>
    [[gnu::always_inline]] std::uint64_t record(const First& first, const More&... more) {
        // The guest's comes before anything is held: a call to its clock in between would push that out of registers.
        const std::uint64_t of_guest = kByGuest ? time_->take(1 + sizeof...(More)) : 0;
        const auto stamp = [of_guest, to = first.channel] { return kByGuest ? of_guest : sla_stamp_held(to); };
        const std::uint64_t tick = write<kGoesBehind>(stamp, std::index_sequence_for<First, More...>(), first, more...);
        if (tick == 0) [[unlikely]]
            put(of_guest, first, more...);
        return tick;
    }

private:
    template <std::size_t kCount>
    using Held = std::array<sla_held, kCount>;

    template <auto kGoesBehind, std::size_t kAt, std::size_t kCount>
    [[gnu::always_inline]] static bool hold(const sla_event& event, Held<kCount>& held) {
        if constexpr (kGoesBehind[kAt]) return sla_hold_behind(&held[kAt - 1], &held[kAt]) != 0;
        return sla_hold(&event, &held[kAt]) != 0;
    }
    template <auto kGoesBehind, std::size_t kAt, std::size_t kCount>
    [[gnu::always_inline]] static void publish(const sla_event& event, const Held<kCount>& held, std::uint64_t tick) {
        if constexpr (kAt + 1 < kCount && kGoesBehind[(kAt + 1) % kCount]) {
            sla_fill(&event, &held[kAt], tick);
        } else {
            sla_publish(&event, &held[kAt], tick);
        }
    }
    // Functions, not lambdas: of what a lambda captures the compiler keeps events in memory, and asks at run time how wide each is.
    template <auto kGoesBehind, typename Stamp, std::size_t... I, typename... Events>
    [[gnu::always_inline]] static std::uint64_t write(const Stamp& stamp, std::index_sequence<I...>,
                                                      const Events&... events) {
        Held<sizeof...(I)> held;
        std::size_t got = 0;
        if (!((hold<kGoesBehind, I>(events, held) && ++got != 0) && ...)) [[unlikely]] {
            ((I < got && !kGoesBehind[I] ? sla_let_go(&held[I]) : void()), ...);
            return 0;
        }
        const std::uint64_t tick = stamp();
        (publish<kGoesBehind, I>(events, held, tick + I), ...);
        return tick;
    }
    // Copies: nobody wants the address of what is in registers. Of tick 0 they are stamped here.
    template <typename... Events>
    [[gnu::noinline, gnu::cold]] static void put(std::uint64_t tick, Events... events) {
        const std::array<sla_event, sizeof...(events)> all{events...};
        sla_record_moment(all.data(), all.size(), tick);
    }

    GuestTime* time_;
    std::uint64_t changes_ = 0;
};

}  // namespace sla::tap
