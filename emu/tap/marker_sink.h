// The sink of the running program: channels of the marker library, seen by whatever agent listens.
#pragma once

#include "emu/tap/sink.h"

#include <sla/marker.h>

#include <vector>

namespace sla::tap {

class MarkerSink final : public Sink {
public:
    MarkerSink();

    Lane open(const std::string& name, const char* format) override;
    [[nodiscard]] bool listens(Lane lane) const override { return sla_on(channels_[lane]) != 0; }
    void plain(Lane lane, sla_code code, std::uint64_t value) override;
    void wide(Lane lane, sla_code code, std::uint64_t value, std::uint64_t detail0, std::uint64_t detail1) override;
    void text(Lane lane, const std::string& text) override;

private:
    std::vector<sla_channel*> channels_;
};

}  // namespace sla::tap
