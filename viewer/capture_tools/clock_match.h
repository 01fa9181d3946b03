// How the ticks of one capture become ticks of another.
#pragma once

#include "proto/base/result.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <string>

namespace sla::capture_tools {

// Either both captures were stamped by the same counter (same host, same boot): ticks stay. Or their wall clocks are all
// they share: ticks go through CLOCK_REALTIME, with an error that is stated.
class ClockMatch {
public:
    // From `other` to `reference`. An error when neither way is open.
    static Result<ClockMatch> find(const store::Session& reference, const store::Session& other);

    [[nodiscard]] bool same_clock() const { return same_; }
    // ±, ns: what the captures themselves know. How well two wall clocks agree they do not know.
    [[nodiscard]] std::int64_t error_ns() const { return error_ns_; }
    // Never goes back where its argument does not.
    [[nodiscard]] std::uint64_t to_reference(std::uint64_t tick) const;

private:
    bool same_ = true;
    std::int64_t error_ns_ = 0;
    std::int64_t shift_ps_ = 0;
    time::ClockMap from_;
    time::ClockMap to_;
};

}  // namespace sla::capture_tools
