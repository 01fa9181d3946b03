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
        if (straight.value_or(nullptr) != nullptr) to_ = *straight;
    }

    [[nodiscard]] bool listens(const Sink& sink) const { return is_straight_ ? sla_on(to_) != 0 : sink.listens(channel_); }
    [[nodiscard]] bool is_straight() const { return is_straight_; }
    // Of a straight one that somebody listens to: the channel that may be written to.
    [[nodiscard]] sla_channel* straight() const { return to_; }
    // Through the sinks.
    [[nodiscard]] ChannelId channel() const { return channel_; }

private:
    ChannelId channel_ = 0;
    bool is_straight_ = false;
    sla_channel* to_ = &nobodys_;  // of a straight one; nobody's: nobody can listen

    static inline sla_channel nobodys_{};  // it is off
};

}  // namespace sla::tap
