// VcdReadLane: one lane's events, put together again from the changes of its variables.
//
// In our own dumps one event may be two changes at one time, in this order: a tick then its value; a value then the begin or
// end of the span that carries it. So a tick waits until the next change says whether it has a value.
#pragma once

#include "viewer/formats/capture_sink.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::formats {

// The roles of VcdRole, in its order; and a variable that somebody else made.
enum class VcdMeaning : std::uint8_t { kTick, kNumber, kSpan, kLevel, kText, kLost, kAny };

struct VcdPart {
    VcdMeaning meaning = VcdMeaning::kAny;
    std::uint8_t code = 0;  // of kNumber
    std::uint32_t size = 1;
    bool is_signed = false;
    bool is_event = false;
};

struct VcdChange {
    std::uint64_t tick = 0;
    std::uint64_t value = 0;
    std::string text;
    char form = '1';  // '1' a bit, 'b' bits, 'r' a real, 's' a string
};

class VcdReadLane {
public:
    VcdReadLane(CaptureSink& sink, std::uint32_t channel) : sink_(&sink), channel_(channel) {}

    Result<void> take(const VcdPart& part, const VcdChange& change);
    // How many spans are open, said after a loss.
    void set_open(std::uint64_t open) { open_ = open; }
    // A tick that still waits is one without a value.
    Result<void> flush();

private:
    Result<void> put(std::uint64_t tick, std::uint8_t code, std::uint64_t value = 0);
    Result<void> take_number(std::uint8_t code, const VcdChange& change);
    Result<void> take_span(const VcdChange& change);
    Result<void> take_any(const VcdPart& part, const VcdChange& change);

    CaptureSink* sink_;
    std::uint32_t channel_;
    std::uint64_t open_ = 0;
    std::optional<std::uint64_t> waiting_tick_;
    std::optional<std::uint64_t> waiting_value_;  // of a begin or end
};

}  // namespace sla::formats
