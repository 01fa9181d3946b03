// The way of a channel's events from here: straight into the marker library where nobody in between looks at them, else through the
// sinks. As it is when it is asked for: Sink::ways() says when to ask again.
#pragma once

#include "emu/tap/sink.h"

namespace sla::tap {

class Way {
public:
    Way() = default;
    Way(const Sink& sink, ChannelId channel) : channel_(channel) {
        const auto straight = sink.straight(channel);
        is_straight_ = straight.has_value();
        to_ = straight.value_or(nullptr);
    }

    [[nodiscard]] bool listens(const Sink& sink) const {
        return is_straight_ ? to_ != nullptr && sla_on(to_) != 0 : sink.listens(channel_);
    }
    // The channel that may be written to, null: there is none, or the sinks want to see the event.
    [[nodiscard]] sla_channel* straight() const { return to_; }

    void wide(Sink& sink, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) const {
        if (to_ != nullptr) return sla_record_wide(to_, code, value, detail0, detail1);
        sink.wide(channel_, code, value, detail0, detail1);
    }
    // With a tick that sla_now gave.
    void wide_at(std::uint64_t tick, sla_code code, std::uint64_t value, std::uint64_t detail0,
                 std::uint64_t detail1) const {
        sla_record_at(to_, code, tick, value, detail0, detail1);
    }

private:
    ChannelId channel_ = 0;
    bool is_straight_ = false;
    sla_channel* to_ = nullptr;
};

}  // namespace sla::tap
