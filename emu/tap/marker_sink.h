// The sink of the running program: channels of the marker library, seen by whatever agent listens.
//
// Of a machine by the virtual clock events carry the guest's time, from the moment at which somebody first listened: two rows
// are as far apart as the guest's time says, to some parts of a million, whatever that took here. Events of one instant are
// a tick apart, so that they keep their order.
#pragma once

#include "emu/bus/clock.h"
#include "emu/tap/sink.h"

#include <sla/marker.h>

#include <vector>

namespace sla::tap {

class MarkerSink final : public Sink {
public:
    // `virtual_clock`: the machine's, if it is one; it outlives the sink.
    explicit MarkerSink(const bus::Clock* virtual_clock = nullptr);

    ChannelId open(const std::string& name, const char* format) override;
    [[nodiscard]] bool listens(ChannelId channel) const override { return sla_on(channels_[channel]) != 0; }
    void plain(ChannelId channel, sla_code code, std::uint64_t value) override;
    void wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) override;
    void text(ChannelId channel, const std::string& text) override;

    // By a virtual clock each event is stamped here.
    [[nodiscard]] std::optional<sla_channel*> straight(ChannelId channel) const override {
        return virtual_clock_ == nullptr ? std::optional(channels_[channel]) : std::nullopt;
    }
    [[nodiscard]] const std::uint64_t* ways() const override { return &ways_; }
    void ways_changed() override { ++ways_; }

    // The machine's virtual clock was set: rows go on from where they are.
    void clock_was_set();

private:
    void stamp(const sla_channel* channel);
    void begin_own_clock();

    const bus::Clock* virtual_clock_;
    bool begun_ = false;  // somebody listened, so it is known how long a tick is
    std::uint64_t start_tick_ = 0;
    std::uint64_t last_tick_ = 0;
    double ticks_per_nanosecond_ = 1;
    std::vector<sla_channel*> channels_;
    std::uint64_t ways_ = 0;
};

}  // namespace sla::tap
