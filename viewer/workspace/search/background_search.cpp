#include "viewer/workspace/search/background_search.h"

#include "viewer/ingest/caches.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

namespace sla::workspace {

namespace {

// Between two looks at a session that grows: what is made anew as a whole each time rests longer, and so does a session of
// very many lanes, each of which costs something.
constexpr std::chrono::milliseconds kRest{100};
constexpr std::chrono::milliseconds kOrderedRest{1000};
constexpr std::chrono::microseconds kRestPerLane{50};
constexpr std::size_t kLanesAFrame = 512;  // of a view: a third of a millisecond

}  // namespace

class BackgroundSearch::Walk {
public:
    Walk(SearchPlan plan, std::size_t most) : plan_(std::move(plan)), most_(most) {}

    // On the window's thread. The job is not running when it is to look at a later view.
    void look_at(store::SessionView view) { view_ = std::move(view); }
    bool take(const store::Session& session, std::vector<Hit>& hits);
    [[nodiscard]] double progress() const { return progress_; }
    // There is space for more hits, and there may be more; all are found and taken.
    [[nodiscard]] bool may_go_on();
    [[nodiscard]] bool is_done();

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
    [[nodiscard]] static Hit hit_of(const store::Session& session, Found& found);

    static constexpr std::size_t kMaxTaken = 2'000;  // at once: a quarter of a millisecond of the window's
    static constexpr std::size_t kMaxWaiting = 4 * kMaxTaken;
    static constexpr std::size_t kMany = 50'000;

    const SearchPlan plan_;
    const std::size_t most_;
    std::optional<store::SessionView> view_;  // to be opened by the next job
    store::Session session_;                  // the jobs', as the next three
    std::unique_ptr<SearchWalk> walk_;
    std::vector<Hit> hits_;
    std::size_t first_ = 0;  // number of the first of hits_
    std::atomic<double> progress_ = 0;
    std::mutex mutex_;
    std::vector<Found> waiting_;     // guarded by mutex_, as are the next three
    std::size_t waiting_first_ = 0;  // number of the first of them
    std::size_t taken_ = 0;          // so many of them are taken, but not all
    bool ended_ = false;             // all of the view is looked at
    std::vector<Hit> anew_;          // the window's: hits in an order of their own, until they are all there
};

Hit BackgroundSearch::Walk::hit_of(const store::Session& session, Found& found) {
    Hit hit = std::move(found.hit);
    if (hit.lane != nullptr) hit.lane = session.lane(found.channel);
    if (hit.details && hit.details->before.any) {
        HitDetails details = *hit.details;
        details.before.any->lane = session.lane(found.before_channel);
        hit.details = std::make_shared<const HitDetails>(std::move(details));
    }
    return hit;
}

bool BackgroundSearch::Walk::take(const store::Session& session, std::vector<Hit>& hits) {
    const std::lock_guard lock(mutex_);
    const std::size_t end = std::min(waiting_.size(), taken_ + kMaxTaken);
    if (end == taken_) return false;
    const std::size_t before = hits.size();
    const std::uint64_t repeats = hits.empty() ? 0 : hits.back().repeats;
    std::vector<Hit>& to = plan_.order ? anew_ : hits;
    to.resize(waiting_first_ + taken_);
    // A vector of very many that grows in a frame copies them all: space for all that may come costs nothing until they do.
    if (to.size() > kMany && to.capacity() < most_) to.reserve(most_);
    for (; taken_ < end; ++taken_) to.push_back(hit_of(session, waiting_[taken_]));
    if (taken_ == waiting_.size()) {
        waiting_.clear();
        taken_ = 0;
        if (plan_.order) {
            hits = std::exchange(anew_, {});
            return true;
        }
    }
    return hits.size() != before || (before > 0 && hits.back().repeats != repeats);
}

bool BackgroundSearch::Walk::may_go_on() {
    const std::lock_guard lock(mutex_);
    return !ended_ && waiting_.size() - taken_ < kMaxWaiting;
}

bool BackgroundSearch::Walk::is_done() {
    const std::lock_guard lock(mutex_);
    return ended_ && waiting_.empty();
}

void BackgroundSearch::Walk::go_on(const JobRunner::Control& control) {
    if (view_) {
        view_->open(session_, ingest::kWalkCache);
        view_.reset();
        const std::lock_guard lock(mutex_);
        ended_ = false;
    }
    if (walk_ == nullptr) walk_ = make_search_walk(session_, plan_);
    for (bool more = true; more;) {
        if (control.is_cancelled()) return;
        more = walk_->step(hits_);
        progress_ = walk_->progress();
        if (first_ + hits_.size() >= most_) {
            hits_.resize(most_ - first_);
            more = false;
        }
        publish();
        if (more && !may_go_on()) return;
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
}

void BackgroundSearch::Walk::publish() {
    if (hits_.empty()) return;
    const std::lock_guard lock(mutex_);
    if (plan_.order) {  // all of them each time
        waiting_.clear();
        taken_ = 0;
    }
    if (waiting_.empty()) waiting_first_ = first_;
    waiting_.resize(first_ - waiting_first_);
    for (const Hit& hit : hits_) {
        const store::Lane* before = hit.details && hit.details->before.any ? hit.details->before.any->lane : nullptr;
        waiting_.push_back({hit, hit.lane != nullptr ? hit.lane->channel().id : ChannelId{},
                            before != nullptr ? before->channel().id : ChannelId{}});
    }
    if (plan_.order) return hits_.clear();
    first_ += hits_.size() - 1;
    hits_.erase(hits_.begin(), hits_.end() - 1);
}

BackgroundSearch::BackgroundSearch(const store::Session& session, const SearchPlan& plan, std::size_t most)
    : session_(session),
      walk_(std::make_shared<Walk>(plan, most)),
      rest_(std::max<Clock::duration>(plan.order ? kOrderedRest : kRest, kRestPerLane * session.lanes().size())) {
    set_out();
}

void BackgroundSearch::set_out() {
    is_at_end_ = false;
    revision_ = session_.revision();
    gathering_.emplace(session_);
    gather();
}

// Goes on when the view is whole.
void BackgroundSearch::gather() {
    if (!gathering_->step(kLanesAFrame)) return;
    if (!is_little(session_)) not_before_ = Clock::now() + rest_;
    walk_->look_at(gathering_->take());
    gathering_.reset();
    start_job();
}

void BackgroundSearch::start_job() {
    const auto go_on = [walk = walk_](const JobRunner::Control& control) { walk->go_on(control); };
    job_ =
        is_little(session_) ? JobRunner::shared().finish("searching", go_on) : JobRunner::shared().start("searching", go_on);
}

bool BackgroundSearch::take(std::vector<Hit>& hits) {
    if (gathering_) {
        gather();
    } else if (!job_.is_running() && !job_.ran_out_of_memory()) {
        if (walk_->may_go_on()) {
            start_job();
        } else if (is_at_end_ && revision_ != session_.revision() && Clock::now() >= not_before_) {
            set_out();
        }
    }
    const bool is_over = !job_.is_running();
    const bool has_changed = walk_->take(session_, hits);
    is_at_end_ = !gathering_ && is_over && (walk_->is_done() || job_.ran_out_of_memory());
    is_busy_ = is_busy_ && !is_at_end_;
    return has_changed;
}

double BackgroundSearch::progress() const {
    return walk_->progress();
}

}  // namespace sla::workspace
