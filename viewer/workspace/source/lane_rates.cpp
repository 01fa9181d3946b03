#include "viewer/workspace/source/lane_rates.h"

#include "viewer/analysis/lane_rate.h"
#include "viewer/analysis/selection.h"
#include "viewer/timeline/readable.h"

#include <algorithm>

namespace sla::workspace {

namespace {

constexpr double kRenewSeconds = 0.25;
constexpr std::size_t kAddedAFrame = 1024;  // a third of a millisecond

}  // namespace

LaneRates::Window LaneRates::window_of(const store::Session& session) {
    const double hertz = session.clock().ticks_per_second();
    const std::uint64_t end = std::max(session.last_tick(), session.ended() ? 0 : session.watermark());
    const std::uint64_t length = end - std::min(end, session.first_tick());
    const std::uint64_t window = session.ended() ? length : std::min(length, static_cast<std::uint64_t>(hertz));
    return {end - std::min(end, std::max<std::uint64_t>(window, 1)), end, hertz};
}

double LaneRates::rate_of(const store::Lane& lane, const Window& window) {
    std::uint64_t from = window.from;
    std::uint64_t first = 0;
    const store::PageTable* const pages = lane.pages();
    if (pages == nullptr || from > pages->last_tick()) {
        first = lane.lower_bound(from);
    } else {
        const std::size_t at = pages->page_at(from);
        const store::Page page = pages->pages()[at];
        const bool is_in_memory = at + lane.pages_in_memory() >= pages->pages().size();
        const bool is_within = page.first_tick < from;
        first = is_within && is_in_memory ? lane.lower_bound(from) : page.first;
        if (is_within && !is_in_memory) from = page.first_tick;  // a frame waits for no file
    }
    const auto ticks = static_cast<double>(std::max<std::uint64_t>(window.until - std::min(window.until, from), 1));
    return static_cast<double>(lane.events_in(first, lane.size())) * window.per_second / ticks;
}

void LaneRates::refresh(const store::Session& session, double seconds) {
    session_ = &session;
    age_ += seconds;
    if (revision_ != session.revision() && age_ >= kRenewSeconds) {
        revision_ = session.revision();
        age_ = 0;
        window_ = window_of(session);
        rates_.clear();
        if (!is_adding_) {
            is_adding_ = true;
            adding_ = window_;
            next_lane_ = 0;
            sum_ = 0;
        }
    }
    if (is_adding_) add_up(session);
}

void LaneRates::add_up(const store::Session& session) {
    const auto& lanes = session.lanes();
    const std::size_t end = std::min(lanes.size(), next_lane_ + kAddedAFrame);
    for (; next_lane_ < end; ++next_lane_) sum_ += rate_of(*lanes[next_lane_], adding_);
    if (next_lane_ < lanes.size()) return;
    total_ = sum_;
    is_adding_ = false;
}

const LaneRates::Rate& LaneRates::of(const store::Lane& lane) const {
    static const Rate kNone{"0", ""};
    if (session_ == nullptr || session_->lane(lane.channel().id) != &lane) return kNone;
    const auto [at, is_new] = rates_.try_emplace(&lane);
    if (is_new) {
        const double rate = session_->ended() ? analysis::rate_of(lane, analysis::from_begin(*session_, {}),
                                                                  analysis::own_events(*session_, lane), window_.per_second)
                                                    .value_or(0)
                                              : rate_of(lane, window_);
        at->second = {timeline::readable_count(rate), rate > 0 ? timeline::readable_rate(rate) : std::string()};
    }
    return at->second;
}

}  // namespace sla::workspace
