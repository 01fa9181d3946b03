// What leaves a limit undecided: damage, losses, or nothing that it is about. Private to the room.
#pragma once

#include "proto/time/clock_map.h"
#include "viewer/analysis/intervals/hidden.h"
#include "viewer/analysis/limits/verdict.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sla::analysis {

// Nothing is about it; the other limits are judged all the same.
Finding about_nothing(const Limit& limit, const std::string& why);
// What a capture that is damaged or was cut off leaves sure: up to when all of it is here, and whether it reaches to its end.
struct Damaged {
    std::uint64_t from = 0;  // 0: nobody knows
    bool is_end_known = false;
};
// Nothing: it is whole, or what is missing lies behind the range.
std::optional<Damaged> damaged_part(const store::Session& session, const Selection& range);
// What is missing may break what all the rest keeps, and mend what the rest breaks.
void doubt_damaged(Finding& finding, const Limit& limit, const Damaged& damaged, const time::ClockMap& clock);
// The worst of many is only that of those that were seen: others hide behind losses.
void doubt_hidden(Finding& finding, const Limit& limit, const Hidden& hidden, const time::ClockMap& clock);

}  // namespace sla::analysis
