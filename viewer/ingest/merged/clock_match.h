// How the ticks of one capture become ticks of another.
#pragma once

#include "proto/base/result.h"
#include "proto/time/host_axis.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::ingest {

// Either both captures were stamped by the same counter (same host, same boot, and the boot is known): ticks stay. Or they are
// moved by the best that the captures have in common: pings between their agents, else both wall clocks; with an error that is stated.
class ClockMatch {
public:
    // From `other` to `reference`, for stamps from first_tick to last_tick of `other`. An error when no way is open.
    static Result<ClockMatch> find(const store::Session& reference, const store::Session& other, std::uint64_t first_tick,
                                   std::uint64_t last_tick);

    [[nodiscard]] bool same_clock() const { return !axis_; }
    // What to keep of a move; means something where !same_clock().
    [[nodiscard]] const time::HostErrors& errors() const { return errors_; }
    // For people: by what the clocks were matched and how well, and what is wrong with them.
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::string& placed_by() const { return placed_by_; }
    // Never goes back where its argument does not.
    [[nodiscard]] std::uint64_t to_reference(std::uint64_t tick) const { return axis_ ? axis_->to_reference(tick) : tick; }
    [[nodiscard]] std::int64_t error_ps(std::uint64_t tick) const { return axis_ ? axis_->error_ps(tick) : 0; }

private:
    void describe(const store::Session& reference, const store::Session& other);

    std::optional<time::HostAxis> axis_;
    time::HostErrors errors_;
    std::string placed_by_;
    std::string text_;
};

}  // namespace sla::ingest
