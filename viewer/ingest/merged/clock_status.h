// What an agent's status says of the clock, and nothing of its ledger: it holds for every part of a capture, and errors of times
// between threads are made of it.
#pragma once

#include "proto/wire/capture.pb.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sla::ingest {

// Nothing: the frame is no status, or does not say.
std::optional<wire::Frame> clock_status(const wire::Frame& frame);

// That of one of the captures which are one whole.
struct StatusOfPart {
    const wire::Frame* status = nullptr;
    std::uint64_t tick = 0;  // of it, in the whole's ticks
    double scale = 1;        // so many of the whole's ticks are one of its own
};
// There is one bound for the cores of all hosts, the widest, in the whole's ticks: none of their times is better than it says. Nothing:
// none says.
std::optional<wire::Frame> widest_skew(const std::vector<StatusOfPart>& parts);

}  // namespace sla::ingest
