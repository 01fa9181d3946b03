// OwnTimes: whether sources that make up their time (`sla_own_clock`, `sla-emu --clock virtual`) have got to where what is
// followed ends. The machine's clock says nothing of that.
#pragma once

#include "viewer/store/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sla::cli {

class OwnTimes {
public:
    // `channels`: globs of what is looked at; none: all.
    explicit OwnTimes(std::vector<std::string> channels) : channels_(std::move(channels)) {}

    // Asked at each step: no row before that tick is still to come of any of them that runs, or has ended. Nothing at or below
    // `final_tick` is still to come of the machine's clock; kNever: nothing at all is.
    bool have_reached(const store::Session& session, std::uint64_t tick, std::uint64_t final_tick);
    // The name of one that has not; empty: there is none.
    [[nodiscard]] const std::string& waits_for() const { return waits_for_; }

private:
    // Channels of one moment may come on both sides of a watermark, and the word that a source has ended some before its rows.
    static constexpr int kWatermarks = 3;

    // Of those that run.
    [[nodiscard]] bool are_there(const store::Session& session, std::uint64_t tick);

    std::vector<std::string> channels_;
    std::string waits_for_;
    bool has_any_ = false;
    int watermarks_ = 0;  // since all of them were there
    std::uint64_t final_tick_ = 0;
};

}  // namespace sla::cli
