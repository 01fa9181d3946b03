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

    // By the guest's time, else by the machine's.
    [[nodiscard]] bool is_by_guest() const { return time_ != nullptr; }
    [[nodiscard]] GuestTime& guest_time() { return *time_; }

    // Events of one instant, in this order, into channels that somebody listens to: one stamp, by the machine's time, and some 50
    // instructions an event. kGoesBehind: whether one is for the channel and the ring of the one before it. The tick of the first; 0:
    // something is in the way, and put() is for them.
    template <auto kGoesBehind, typename First, typename... More>
    [[gnu::always_inline]] static std::uint64_t record(const First& first, const More&... more) {
        return write<kGoesBehind>(first.channel, std::index_sequence_for<First, More...>(), first, more...);
    }
    // The same with ticks that are known, those of a standing time: an event, or two for the same channel and ring, a tick apart. So no
    // other has to be held meanwhile, and whoever calls nothing else has no registers to save.
    [[gnu::always_inline]] static bool record_at(std::uint64_t tick, const sla_event& event) {
        sla_held held;
        if (sla_hold(&event, &held) == 0) [[unlikely]]
            return false;
        sla_publish(&event, &held, tick);
        return true;
    }
    [[gnu::always_inline]] static bool record_at(std::uint64_t tick, const sla_event& event, const sla_event& behind) {
        Held<2> held;
        if (sla_hold(&event, &held[0]) == 0) [[unlikely]]
            return false;
        if (sla_hold_behind(&held[0], &held[1]) == 0) [[unlikely]] {
            sla_let_go(&held[0]);
            return false;
        }
        sla_fill(&event, &held[0], tick);
        sla_publish(&behind, &held[1], tick + 1);
        return true;
    }
    // Those that were not recorded so.
    template <std::size_t kCount>
    void put(const std::array<sla_event, kCount>& events) {
        put_at(is_by_guest() ? time_->take(kCount) : 0, events);
    }
    template <std::size_t kCount>
    void put_at(std::uint64_t tick, const std::array<sla_event, kCount>& events) {
        if (is_by_guest()) time_->tell_library();
        sla_record_moment(events.data(), kCount, tick);
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
    template <auto kGoesBehind, std::size_t... I, typename... Events>
    [[gnu::always_inline]] static std::uint64_t write(const sla_channel* stamped, std::index_sequence<I...>,
                                                      const Events&... events) {
        if (!sla_stamps_inline(stamped)) [[unlikely]]
            return 0;  // no call on the way: then there are no registers to save for it
        Held<sizeof...(I)> held;
        std::size_t got = 0;
        if (!((hold<kGoesBehind, I>(events, held) && ++got != 0) && ...)) [[unlikely]] {
            ((I < got && !kGoesBehind[I] ? sla_let_go(&held[I]) : void()), ...);
            return 0;
        }
        const std::uint64_t tick = __builtin_ia32_rdtsc();
        (publish<kGoesBehind, I>(events, held, tick + I), ...);
        return tick;
    }

    GuestTime* time_;
    std::uint64_t changes_ = 0;
};

}  // namespace sla::tap
