#include "viewer/workspace/jobs/lane_statistics.h"

#include <algorithm>

namespace sla::workspace {

namespace {

constexpr int kFramesBetweenPasses = 30;  // half a second
constexpr std::size_t kMaxPages = 4;      // of a lane's rows that are fetched for it at once

// What is drawn of the widths is nobody's business here.
StatisticsOptions without_bins(StatisticsOptions options) {
    options.even_bars = options.plain_counts = false;
    return options;
}

}  // namespace

bool LaneStatistics::is_other(const Question& question) const {
    const bool same_lanes = std::equal(rows_.begin(), rows_.end(), question.lanes->begin(), question.lanes->end(),
                                       [](const Row& row, const store::Lane* lane) { return row.lane == lane; });
    const bool is_elsewhere = question.range.last < range_.first || question.range.first > range_.last;
    return !same_lanes || is_elsewhere || without_bins(question.options) != options_;
}

void LaneStatistics::begin(const Question& question) {
    if (is_other(question)) {
        rows_.clear();
        for (const store::Lane* lane : *question.lanes) rows_.push_back({lane, std::nullopt, {}});
    }
    range_ = question.range;
    options_ = without_bins(question.options);
    session_revision_ = question.session->revision();
    next_ = 0;
    rest_ = kFramesBetweenPasses;
    walk_.reset();
    ++revision_;
}

void LaneStatistics::step(const Question& question, std::chrono::microseconds budget) {
    const bool has_moved = question.range != range_;
    const bool has_grown = question.session->revision() != session_revision_ && --rest_ <= 0;
    if (is_other(question) || (!is_counting() && (has_moved || has_grown))) begin(question);
    const auto until = std::chrono::steady_clock::now() + budget;
    while (is_counting()) {
        const auto left = std::chrono::duration_cast<std::chrono::microseconds>(until - std::chrono::steady_clock::now());
        if (!count_next(question, std::max(left, std::chrono::microseconds(0))) || left.count() <= 0) return;
    }
}

bool LaneStatistics::count_next(const Question& question, std::chrono::microseconds budget) {
    Row& row = rows_[next_];
    const Counted* found = nullptr;
    if (walk_ == nullptr && row.lane->is_here(range_.first, range_.last, kMaxPages))
        walk_ = std::make_unique<StatisticsWalk>(*question.session, *row.lane, range_, options_);
    found = walk_ != nullptr ? walk_->step(budget) : count_far(question, *row.lane);
    if (found == nullptr) return false;
    row.counted = *found;
    row.range = range_;
    walk_.reset();
    ++next_;
    ++revision_;
    return true;
}

const Counted* LaneStatistics::count_far(const Question& question, const store::Lane& lane) {
    return background_.ask(question.make_loader, {lane.channel().id, range_, options_});
}

}  // namespace sla::workspace
