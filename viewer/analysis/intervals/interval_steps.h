// Intervals looked at in steps, for who must not wait until all are: a window. Each step holds nothing of the lanes, which
// may grow in between; what came since is not looked at.
#pragma once

#include "viewer/analysis/intervals/intervals.h"

#include <cstdint>
#include <memory>

namespace sla::analysis {

class IntervalSteps {
public:
    virtual ~IntervalSteps() = default;
    // Goes over so many rows more, or a few less. False: there are none left.
    virtual bool step(std::uint64_t rows) = 0;
};

// As each_pair_interval looks at them.
std::unique_ptr<IntervalSteps> pair_steps(const store::Lane& a, const store::Lane& b, const Selection& range,
                                          IntervalVisitor visit);

}  // namespace sla::analysis
