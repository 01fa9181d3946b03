// Judge: a number that is known to lie between two others, held against a bound.
#pragma once

#include "viewer/analysis/limits/limit.h"
#include "viewer/analysis/limits/verdict.h"
#include "viewer/analysis/selection.h"
#include "viewer/store/session.h"

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace sla::analysis {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// What a number is known to lie between.
struct Bar {
    double low = 0;
    double high = 0;
};

Verdict judge(Bar bar, Compare compare, double bound);
// How far on the wrong side of the bound: the greatest is the worst.
double badness(double value, Compare compare, double bound);

// The verdict over one number, with what is to be said of it.
Finding judged(Finding finding, Bar bar, const Limit& limit);

// Nothing is known to be missing, or what is lies behind the range for sure.
bool is_undamaged(const store::Session& session, const Selection& range);

// From where to where the capture reaches, within the range.
struct KnownExtent {
    std::uint64_t from = 0;
    std::uint64_t until = 0;
};
KnownExtent known_extent(const store::Session& session, const Selection& range);

// The same of each lane. What a source stamps by a time that it makes up (`sla-emu --clock virtual`) is known from that source's
// first event to its newest: no other clock says how far its time went. Looks at all lanes once.
class KnownExtents {
public:
    KnownExtents(const store::Session& session, const Selection& range);
    [[nodiscard]] KnownExtent of(const store::Lane& lane) const;
    // From the first of them to the last.
    [[nodiscard]] KnownExtent of(const std::vector<const store::Lane*>& lanes) const;
    // Until when a span that has no end was open for sure: a program that is gone was in it until its newest event.
    [[nodiscard]] std::uint64_t open_until(const store::Lane& lane) const;

private:
    KnownExtent by_machine_;                  // of what the machine's clock stamps
    std::map<SourceId, KnownExtent> own_;     // of sources that make up their time
    std::map<SourceId, std::uint64_t> gone_;  // programs that are, and their newest events
};

}  // namespace sla::analysis
