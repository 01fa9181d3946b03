// What the short ways of events share: how often some began or ended, and what stamps the events that take them.
#pragma once

#include "emu/tap/guest_time.h"

#include <sla/moment.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
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
        const auto stamp = [&]() -> std::uint64_t {
            if constexpr (kByGuest) return time_->take(1 + sizeof...(More));
            return sla_stamp_held(first.channel);
        };
        const std::uint64_t tick = write<kGoesBehind>(stamp, std::index_sequence_for<First, More...>(), first, more...);
        if (tick == 0) [[unlikely]]
            put(first, more...);
        return tick;
    }

private:
    template <auto kGoesBehind, typename Stamp, std::size_t... I, typename... Events>
    [[gnu::always_inline]] std::uint64_t write(Stamp stamp, std::index_sequence<I...>, const Events&... events) {
        const auto all = std::tie(events...);
        std::array<sla_held, sizeof...(I)> held;
        const auto hold = [&]<std::size_t kAt>() {
            if constexpr (kGoesBehind[kAt]) return sla_hold_behind(&held[kAt - 1], &held[kAt]) != 0;
            return sla_hold(&std::get<kAt>(all), &held[kAt]) != 0;
        };
        const auto publish = [&]<std::size_t kAt>(std::uint64_t tick) {
            if constexpr (kAt + 1 < sizeof...(I) && kGoesBehind[(kAt + 1) % sizeof...(I)]) {
                sla_fill(&std::get<kAt>(all), &held[kAt], tick);
            } else {
                sla_publish(&std::get<kAt>(all), &held[kAt], tick);
            }
        };
        std::size_t got = 0;
        if (!((hold.template operator()<I>() && ++got != 0) && ...)) [[unlikely]] {
            ((I < got && !kGoesBehind[I] ? sla_let_go(&held[I]) : void()), ...);
            return 0;
        }
        const std::uint64_t tick = stamp();
        (publish.template operator()<I>(tick + I), ...);
        return tick;
    }
    // Copies: nobody wants the address of what is in registers.
    template <typename... Events>
    [[gnu::noinline, gnu::cold]] void put(Events... events) {
        const std::array<sla_event, sizeof...(events)> all{events...};
        sla_record_moment(all.data(), all.size(), time_ == nullptr ? 0 : time_->take(all.size()));
    }

    GuestTime* time_;
    std::uint64_t changes_ = 0;
};

}  // namespace sla::tap
