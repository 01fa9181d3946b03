// Changes: a capture's figures held against the same figures of another one, a golden capture of old. Both error bars count:
// where they leave it open, or what is missing of a damaged capture does, it cannot be decided.
#pragma once

#include "viewer/analysis/limits/limit.h"
#include "viewer/analysis/limits/verdict.h"

#include <string>
#include <vector>

namespace sla::analysis {

// One change, for one channel or pair.
struct Changed {
    std::string limit;
    std::string channel;  // or "A->B"; "" for all together
    Verdict verdict = Verdict::kCannotTell;
    Finding before;  // of the other capture
    Finding after;
    std::string why;  // for people, when the verdict is not pass
};

// A capture and the range of it that is meant.
struct Side {
    const store::Session& session;
    const Selection& range;
};

// For each change every channel or pair that either capture has; where neither has one, one that says so. Percentiles that their bins
// are not good enough are read exactly; with kEveryRow all are.
std::vector<Changed> check_changes(const std::vector<Change>& changes, const Side& before, const Side& after,
                                   const CheckProgress& progress = {}, Reading reading = Reading::kAsNeeded);

}  // namespace sla::analysis
