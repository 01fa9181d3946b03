// What leaves a limit undecided: damage, losses, or nothing that it is about. Private to the room.
#pragma once

#include "proto/time/clock_map.h"
#include "viewer/analysis/damage.h"
#include "viewer/analysis/intervals/hidden.h"
#include "viewer/analysis/limits/judge.h"
#include "viewer/analysis/limits/verdict.h"

#include <string>

namespace sla::analysis {

// Nothing is about it; the other limits are judged all the same.
Finding about_nothing(const Limit& limit, const std::string& why);
// What the figure would lie between if nothing were missing: more events make counts and rates higher, the longest longer and
// the shortest shorter; of the others nobody knows.
Bar bar_of_whole(const Finding& finding, const Limit& limit, const Damaged& damaged, const time::ClockMap& clock);
// What is missing may break what all the rest keeps, and mend what the rest breaks.
void doubt_damaged(Finding& finding, const Limit& limit, const Damaged& damaged, const time::ClockMap& clock);
// The worst of many is only that of those that were seen: others hide behind losses.
void doubt_hidden(Finding& finding, const Limit& limit, const Hidden& hidden, const time::ClockMap& clock);

}  // namespace sla::analysis
