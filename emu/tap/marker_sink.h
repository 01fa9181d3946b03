// The sink of the running program: channels of the marker library, seen by whatever agent listens. Of a machine by a virtual clock events
// carry the guest's time (guest_time.h).
#pragma once

#include "emu/bus/clock.h"
#include "emu/tap/guest_time.h"
#include "emu/tap/sink.h"
#include "emu/tap/ways.h"

#include <sla/marker.h>

#include <optional>
#include <vector>

namespace sla::tap {

class MarkerSink final : public Sink {
public:
    // `virtual_clock`: the machine's, if it is one; it outlives the sink.
    explicit MarkerSink(const bus::Clock* virtual_clock = nullptr);
    MarkerSink(const MarkerSink&) = delete;
    MarkerSink& operator=(const MarkerSink&) = delete;

    ChannelId open(const std::string& name, const char* format) override;
    [[nodiscard]] bool listens(ChannelId channel) const override { return sla_on(channels_[channel]) != 0; }
    void plain(ChannelId channel, sla_code code, std::uint64_t value) override;
    void wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) override;
    void text(ChannelId channel, const std::string& text) override;

    [[nodiscard]] std::optional<sla_channel*> straight(ChannelId channel) const override { return channels_[channel]; }
    [[nodiscard]] Ways* ways() override { return &ways_; }
    void ways_changed() override { ways_.change(); }

    // The machine's virtual clock was set: rows go on from where they are.
    void clock_was_set() {
        if (time_) time_->clock_was_set();
    }

private:
    std::optional<GuestTime> time_;
    Ways ways_;
    std::vector<sla_channel*> channels_;
};

}  // namespace sla::tap
