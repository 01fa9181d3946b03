#include "viewer/analysis/intervals/interval_steps.h"

#include "viewer/analysis/intervals/interval_walks.h"
#include "viewer/analysis/intervals/pair_walk.h"

#include <functional>
#include <utility>

namespace sla::analysis {

namespace {

// `Walk` goes on to a row (ChannelWalk) or a span (SpanWalk), of which there were so many when it began.
template <typename Walk>
class Steps final : public IntervalSteps {
public:
    Steps(const store::Lane& lane, const Selection& range, IntervalVisitor visit, std::uint64_t end)
        : range_(range), walk_(lane, range_), visit_(std::move(visit)), end_(end) {}

    bool step(std::uint64_t rows) override {
        const std::uint64_t until = std::min(end_, walk_.at() + rows);
        walk_.go_on(until, std::ref(visit_));
        return walk_.at() == until && until < end_;
    }

private:
    const Selection range_;
    Walk walk_;
    IntervalVisitor visit_;
    const std::uint64_t end_;
};

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

std::unique_ptr<IntervalSteps> channel_steps(const store::Lane& lane, const Selection& range, IntervalVisitor visit) {
    return std::make_unique<Steps<ChannelWalk>>(lane, range, std::move(visit), lane.size());
}

std::unique_ptr<IntervalSteps> span_steps(const store::Lane& lane, const Selection& range, IntervalVisitor visit) {
    return std::make_unique<Steps<SpanWalk>>(lane, range, std::move(visit), lane.spans().size());
}

std::unique_ptr<IntervalSteps> pair_steps(const store::Lane& a, const store::Lane& b, const Selection& range,
                                          IntervalVisitor visit) {
    return std::make_unique<PairSteps>(a, b, range, std::move(visit));
}

}  // namespace sla::analysis
