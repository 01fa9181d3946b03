// How much of a range is sure: where a capture is damaged or was cut off, what is missing may be anything; and losses of before may
// last into it.
#pragma once

#include "viewer/analysis/selection.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sla::analysis {

// Nothing is known to be missing, or what is lies behind the range for sure.
bool is_undamaged(const store::Session& session, const Selection& range);
// What a capture that is damaged or was cut off leaves sure: up to when all of it is here, and whether it reaches to its end.
struct Damaged {
    std::uint64_t from = 0;  // 0: nobody knows
    bool is_end_known = false;
};
// Nothing: it is whole, or what is missing lies behind the range.
std::optional<Damaged> damaged_part(const store::Session& session, const Selection& range);

// Those that a lane has before that tick and that last behind it: what they lost may have come there, where no row says so.
std::vector<store::Gap> losses_into(const store::Lane& lane, std::uint64_t tick);

}  // namespace sla::analysis
