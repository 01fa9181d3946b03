// Where the tap puts events: the marker library in the program, a list in tests.
//
// A channel is opened once and named by its number from then on. One thread, the machine's.
#pragma once

#include "emu/tap/ways.h"

#include <sla/marker.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sla::tap {

using ChannelId = std::uint32_t;

class Sink {
public:
    virtual ~Sink() = default;

    // `format` names the formatter of value and details, "" for none (proto/wire/formatter.h).
    virtual ChannelId open(const std::string& name, const char* format) = 0;
    // False: nobody listens, an event may as well not be made. A few instructions.
    [[nodiscard]] virtual bool listens(ChannelId channel) const = 0;

    virtual void plain(ChannelId channel, sla_code code, std::uint64_t value) = 0;
    virtual void wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0,
                      std::uint64_t detail1) = 0;
    virtual void text(ChannelId channel, const std::string& text) = 0;

    // The short way of a channel's events, for whoever has many: straight into this channel of the marker library; null: nowhere, nobody
    // can listen. Nothing: they come by here, somebody looks at them. It holds until ways() has one more change.
    [[nodiscard]] virtual std::optional<sla_channel*> straight(ChannelId) const { return std::nullopt; }
    // What short ways share, and what records the events that take them; null: there are none. Constant.
    [[nodiscard]] virtual Ways* ways() { return nullptr; }
    // Some begin or end, somewhere on the way to the marker library.
    virtual void ways_changed() {}
};

}  // namespace sla::tap
