#include "viewer/analysis/intervals/interval_steps.h"

#include "viewer/analysis/intervals/pair_walk.h"

#include <functional>
#include <utility>

namespace sla::analysis {

namespace {

class PairSteps final : public IntervalSteps {
public:
    PairSteps(const store::Lane& a, const store::Lane& b, const Selection& range, IntervalVisitor visit)
        : walk_(a, b, range), visit_(std::move(visit)) {}

    bool step(std::uint64_t rows) override { return walk_.go_on(rows, std::ref(visit_)); }

private:
    PairWalk walk_;
    IntervalVisitor visit_;
};

}  // namespace

std::unique_ptr<IntervalSteps> pair_steps(const store::Lane& a, const store::Lane& b, const Selection& range,
                                          IntervalVisitor visit) {
    return std::make_unique<PairSteps>(a, b, range, std::move(visit));
}

}  // namespace sla::analysis
