// Where the events of the Linux host go: lanes and threads by name, then rows, in time order. Lane and thread numbers are
// the sink's; 0 is none.
#pragma once

#include "proto/wire/event.h"

#include <cstdint>
#include <string>

namespace sla::source {

using LaneNumber = std::uint32_t;
using ThreadNumber = std::uint32_t;

class LaneSink {
public:
    virtual ~LaneSink() = default;

    // `format` names a formatter of proto/wire/formatter.h, or is empty. The same name gives the same lane.
    virtual LaneNumber lane(const std::string& name, const std::string& format) = 0;
    virtual ThreadNumber thread(std::uint32_t tid, const std::string& name) = 0;

    virtual void add(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value) = 0;
    // With text or details.
    virtual void add_with(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                          wire::Extra extra) = 0;
    // A gap row: `count` events lost in [tick, until_tick]. 0 of them: some may have been lost here, they are counted
    // elsewhere; spans that were open are cut.
    virtual void add_gap(LaneNumber lane, ThreadNumber thread, std::uint64_t tick, std::uint64_t until_tick,
                         wire::LossCause cause, std::uint64_t count) = 0;
    virtual void notice(const std::string& text) = 0;
};

}  // namespace sla::source
