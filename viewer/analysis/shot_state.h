// Whether all of a shot's window is here, as far as this session knows.
#pragma once

#include "viewer/store/session.h"

#include <cstddef>
#include <string>

namespace sla::analysis {

struct ShotState {
    std::size_t lossy = 0;     // channels that lost events within the window
    std::size_t not_kept = 0;  // channels of whose events the agent had given some up
    bool is_filling = false;   // its end is still to come

    [[nodiscard]] bool is_whole() const { return lossy == 0 && not_kept == 0 && !is_filling; }
    // "whole", "filling", "3 channels lost events, of 2 some are not kept".
    [[nodiscard]] std::string text() const;
};

ShotState state_of(const store::Session& session, const store::Shot& shot);

}  // namespace sla::analysis
