#include "viewer/workspace/search/background_search.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace sla::workspace {

class BackgroundSearch::Walk {
public:
    Walk(DataSource::Loader loader, SearchPlan plan, std::size_t found, std::size_t most)
        : loader_(std::move(loader)), plan_(std::move(plan)), found_(found), most_(most) {}

    // On the window's thread.
    bool take(const store::Session& session, std::vector<Hit>& hits);
    [[nodiscard]] double progress() const { return progress_; }
    [[nodiscard]] bool may_go_on();

    // On a job's thread, one at a time: until it has found so much that it is to be taken first, or all.
    void go_on(const JobRunner::Control& control);

private:
    struct Found {
        Hit hit;
        ChannelId channel;         // of an event
        ChannelId before_channel;  // of the row before an ordered one
    };
    // The last of hits_ may be counted up yet, and is published again then.
    void publish();

    static constexpr std::size_t kMaxTaken = 2'000;  // at once: a quarter of a millisecond of the window's
    static constexpr std::size_t kMaxWaiting = 4 * kMaxTaken;

    const DataSource::Loader loader_;
    const SearchPlan plan_;
    const std::size_t found_;  // before it began
    const std::size_t most_;
    store::Session session_;  // the jobs', as the next three
    std::unique_ptr<SearchWalk> walk_;
    std::vector<Hit> hits_;
    std::size_t first_ = 0;  // number of the first of hits_
    std::atomic<double> progress_ = 0;
    std::mutex mutex_;
    std::vector<Found> waiting_;     // guarded by mutex_, as are the next three
    std::size_t waiting_first_ = 0;  // number of the first of them
    std::size_t taken_ = 0;          // so many of them are taken, but not all
    bool ended_ = false;
};

bool BackgroundSearch::Walk::take(const store::Session& session, std::vector<Hit>& hits) {
    const std::lock_guard lock(mutex_);
    const std::size_t end = std::min(waiting_.size(), taken_ + kMaxTaken);
    if (end > taken_) hits.resize(found_ + waiting_first_ + taken_);
    ChannelId channel;
    const store::Lane* lane = nullptr;  // of channel
    for (; taken_ < end; ++taken_) {
        Found& found = waiting_[taken_];
        if (found.hit.lane != nullptr) {
            if (lane == nullptr || found.channel != channel) lane = session.lane(found.channel);
            channel = found.channel;
            found.hit.lane = lane;
        }
        if (found.hit.before && found.hit.before->any) {
            RowsBefore before = *found.hit.before;
            before.any->lane = session.lane(found.before_channel);
            found.hit.before = std::make_shared<const RowsBefore>(before);
        }
        hits.push_back(std::move(found.hit));
    }
    if (taken_ < waiting_.size()) return true;
    waiting_.clear();
    taken_ = 0;
    return !ended_;
}

bool BackgroundSearch::Walk::may_go_on() {
    const std::lock_guard lock(mutex_);
    return !ended_ && waiting_.size() - taken_ < kMaxWaiting;
}

void BackgroundSearch::Walk::go_on(const JobRunner::Control& control) {
    if (walk_ == nullptr) {
        loader_(session_);
        walk_ = make_search_walk(session_, plan_);
    }
    for (bool more = true; more;) {
        if (control.is_cancelled()) return;
        more = walk_->step(hits_);
        progress_ = walk_->progress();
        if (first_ + hits_.size() >= most_) {
            hits_.resize(most_ - first_);
            more = false;
        }
        publish();
        if (hits_.size() > 1) {
            first_ += hits_.size() - 1;
            hits_.erase(hits_.begin(), hits_.end() - 1);
        }
        if (more && !may_go_on()) return;
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
}

void BackgroundSearch::Walk::publish() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) waiting_first_ = first_;
    waiting_.resize(first_ - waiting_first_);
    for (const Hit& hit : hits_) {
        const store::Lane* before = hit.before && hit.before->any ? hit.before->any->lane : nullptr;
        waiting_.push_back({hit, hit.lane != nullptr ? hit.lane->channel().id : ChannelId{},
                            before != nullptr ? before->channel().id : ChannelId{}});
    }
}

BackgroundSearch::BackgroundSearch(DataSource::Loader loader, SearchPlan plan, std::size_t found, std::size_t most)
    : walk_(std::make_shared<Walk>(std::move(loader), std::move(plan), found, most)) {
    go_on();
}

void BackgroundSearch::go_on() {
    job_ =
        JobRunner::shared().start("searching", [walk = walk_](const JobRunner::Control& control) { walk->go_on(control); });
}

bool BackgroundSearch::take(const store::Session& session, std::vector<Hit>& hits) {
    const bool more = walk_->take(session, hits) && !job_.ran_out_of_memory();
    if (more && walk_->may_go_on() && !job_.is_running()) go_on();
    return more;
}

double BackgroundSearch::progress() const {
    return walk_->progress();
}

}  // namespace sla::workspace
