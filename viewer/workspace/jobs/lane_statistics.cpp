#include "viewer/workspace/jobs/lane_statistics.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace sla::workspace {

namespace {

constexpr int kFramesBetweenPasses = 30;  // half a second

// What is drawn of the widths is nobody's business here.
StatisticsOptions without_bins(StatisticsOptions options) {
    options.even_bars = options.plain_counts = false;
    return options;
}

}  // namespace

struct LaneStatistics::Pass {
    std::vector<ChannelId> channels;          // of the rows
    std::vector<timeline::TickRange> ranges;  // of each
    StatisticsOptions options;
    std::mutex mutex;
    std::vector<std::optional<Counted>> counted;  // guarded by mutex: of the lanes behind those that were taken

    void count(const store::SessionView& view, const JobRunner::Control& control) {
        store::Session session;
        view.open(session, ingest::kWalkCache);
        for (std::size_t i = 0; i < channels.size(); ++i) {
            std::optional<Counted> one = count_widths(session, {channels[i], ranges[i], options}, control);
            if (control.is_cancelled()) return;
            const std::lock_guard lock(mutex);
            counted.push_back(std::move(one));
        }
    }
};

bool LaneStatistics::is_other(const Question& question) const {
    const bool same_lanes = std::equal(rows_.begin(), rows_.end(), question.lanes->begin(), question.lanes->end(),
                                       [](const Row& row, const store::Lane* lane) { return row.lane == lane; });
    return !same_lanes || !timeline::have_common(question.range, range_) || without_bins(question.options) != options_;
}

void LaneStatistics::begin(const Question& question) {
    if (is_other(question)) {
        rows_.clear();
        for (const store::Lane* lane : *question.lanes) rows_.push_back({lane, std::nullopt, {}});
    }
    range_ = question.range;
    offsets_ = question.offsets;
    options_ = without_bins(question.options);
    next_ = 0;
    rest_ = kFramesBetweenPasses;
    ++revision_;
    pass_ = std::make_shared<Pass>();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        pass_->channels.push_back(rows_[i].lane->channel().id);
        pass_->ranges.push_back(timeline::earlier(range_, i < offsets_.size() ? offsets_[i] : 0));
    }
    pass_->options = options_;
    job_.cancel();
    is_started_ = false;
}

void LaneStatistics::start(const Question& question) {
    const store::Session& session = *question.session;
    is_started_ = true;
    session_revision_ = session.revision();
    const auto count = [pass = pass_, view = session.view(*question.beside)](JobRunner::Control& control) {
        pass->count(view, control);
    };
    constexpr const char* kWhat = "counting widths";
    if (!is_little(session)) {
        job_ = JobRunner::shared().start(kWhat, count);  // what it counts is taken in the next frame
        return;
    }
    job_ = JobRunner::shared().finish(kWhat, count);
    take();
}

void LaneStatistics::step(const Question& question) {
    const bool was_counting = is_counting();  // what ends now is seen for a frame
    if (was_counting && is_started_) take();
    const bool has_moved = question.range != range_ || question.offsets != offsets_;
    const bool has_grown = question.session->revision() != session_revision_ && --rest_ <= 0;
    if (is_other(question) || (!was_counting && (has_moved || has_grown))) begin(question);
    if (is_counting() && !is_started_ && !job_.is_running()) start(question);
}

void LaneStatistics::take() {
    const bool is_over = !job_.is_running();
    const std::shared_ptr<Pass> pass = is_over ? std::exchange(pass_, nullptr) : pass_;
    const std::lock_guard lock(pass->mutex);
    for (std::optional<Counted>& one : pass->counted) {
        rows_[next_].counted = std::move(one);
        rows_[next_].range = pass->ranges[next_];
        ++next_;
        ++revision_;
    }
    pass->counted.clear();
}

}  // namespace sla::workspace
