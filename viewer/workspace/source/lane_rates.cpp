#include "viewer/workspace/source/lane_rates.h"

#include "viewer/timeline/readable.h"

#include <algorithm>

namespace sla::workspace {

namespace {

constexpr double kRenewSeconds = 0.25;

}  // namespace

void LaneRates::refresh(const store::Session& session, double seconds) {
    age_ += seconds;
    if (revision_ == session.revision() || age_ < kRenewSeconds) return;
    revision_ = session.revision();
    age_ = 0;
    const double hertz = session.clock().ticks_per_second();
    const std::uint64_t end = std::max(session.last_tick(), session.ended() ? 0 : session.watermark());
    const std::uint64_t length = end - std::min(end, session.first_tick());
    const auto second = static_cast<std::uint64_t>(hertz);
    const std::uint64_t window =
        session.ended() ? std::max<std::uint64_t>(length, 1) : std::clamp<std::uint64_t>(length, 1, second);
    total_ = 0;
    for (const store::Lane* lane : session.lanes()) {
        const store::Summary recent = lane->summarize(end - std::min(end, window), end + 1);
        const double rate = static_cast<double>(recent.events) * hertz / static_cast<double>(window);
        rates_[lane] = {timeline::readable_count(rate), rate > 0 ? timeline::readable_rate(rate) : std::string()};
        total_ += rate;
    }
}

const LaneRates::Rate& LaneRates::of(const store::Lane& lane) const {
    const auto found = rates_.find(&lane);
    return found == rates_.end() ? none_ : found->second;
}

}  // namespace sla::workspace
