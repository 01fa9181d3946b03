// The sink of the running program: channels of the marker library, seen by whatever agent listens.
#pragma once

#include "emu/tap/sink.h"

#include <sla/marker.h>

#include <vector>

namespace sla::tap {

class MarkerSink final : public Sink {
public:
    MarkerSink();

    ChannelId open(const std::string& name, const char* format) override;
    [[nodiscard]] bool listens(ChannelId channel) const override { return sla_on(channels_[channel]) != 0; }
    void plain(ChannelId channel, sla_code code, std::uint64_t value) override;
    void wide(ChannelId channel, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) override;
    void text(ChannelId channel, const std::string& text) override;

private:
    std::vector<sla_channel*> channels_;
};

}  // namespace sla::tap
