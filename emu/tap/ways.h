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

    // Events of one instant, in this order, into channels that somebody listens to: one stamp, and some 50 instructions an event. The
    // tick of the first; 0 where the library stamped them itself.
    template <typename... Events>
    [[gnu::always_inline]] std::uint64_t record(const Events&... events) {
        const std::uint64_t tick = write(std::index_sequence_for<Events...>(), events...);
        if (tick == 0) [[unlikely]]
            put(events...);
        return tick;
    }

private:
    template <std::size_t... I, typename First, typename... More>
    [[gnu::always_inline]] std::uint64_t write(std::index_sequence<I...>, const First& first, const More&... more) {
        const auto all = std::tie(first, more...);
        std::array<sla_held, sizeof...(I)> held;
        std::size_t got = 0;
        if (!((sla_hold(&std::get<I>(all), &held[I]) != 0 && ++got != 0) && ...)) [[unlikely]] {
            ((I < got ? sla_let_go(&held[I]) : void()), ...);
            return 0;
        }
        const std::uint64_t tick = time_ == nullptr ? sla_stamp_held(first.channel) : time_->take(sizeof...(I));
        (sla_publish(&std::get<I>(all), &held[I], tick + I), ...);
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
