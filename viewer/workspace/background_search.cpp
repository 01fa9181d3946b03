#include "viewer/workspace/background_search.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sla::workspace {

BackgroundSearch::BackgroundSearch(DataSource::Loader loader, SearchPlan plan, std::size_t most) : most_(most) {
    running_ =
        std::async(std::launch::async, [this, loader = std::move(loader), plan = std::move(plan)] { run(loader, plan); });
}

void BackgroundSearch::stop() {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    taken_.notify_one();
}

bool BackgroundSearch::is_over() const {
    return running_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

bool BackgroundSearch::take(const store::Session& session, std::vector<Hit>& hits) {
    const std::lock_guard lock(mutex_);
    if (!waiting_.empty()) hits.resize(waiting_first_);
    for (Found& found : waiting_) {
        if (found.hit.lane != nullptr) found.hit.lane = session.lane(found.channel);
        if (found.hit.before && found.hit.before->any) {
            RowsBefore before = *found.hit.before;
            before.any->lane = session.lane(found.before_channel);
            found.hit.before = std::make_shared<const RowsBefore>(before);
        }
        hits.push_back(std::move(found.hit));
    }
    waiting_.clear();
    taken_.notify_one();
    return !ended_;
}

// On the other thread, as all below.
void BackgroundSearch::run(const DataSource::Loader& loader, const SearchPlan& plan) {
    store::Session session;
    loader(session);
    const std::unique_ptr<SearchWalk> walk = make_search_walk(session, plan);
    std::vector<Hit> hits;
    std::size_t first = 0;
    bool more = true;
    while (more) {
        more = walk->step(hits);
        progress_ = walk->progress();
        if (first + hits.size() >= most_) {
            hits.resize(most_ - first);
            more = false;
        }
        if (!publish(first, hits)) return;
        if (hits.size() < 2) continue;
        first += hits.size() - 1;
        hits.erase(hits.begin(), hits.end() - 1);
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
}

bool BackgroundSearch::publish(std::size_t first, const std::vector<Hit>& hits) {
    std::unique_lock lock(mutex_);
    taken_.wait(lock, [this] { return stop_ || waiting_.size() < kMaxWaiting; });
    if (stop_) return false;
    if (waiting_.empty()) waiting_first_ = first;
    waiting_.resize(first - waiting_first_);
    for (const Hit& hit : hits) {
        const store::Lane* before = hit.before && hit.before->any ? hit.before->any->lane : nullptr;
        waiting_.push_back({hit, hit.lane != nullptr ? hit.lane->channel().id : ChannelId{},
                            before != nullptr ? before->channel().id : ChannelId{}});
    }
    return true;
}

}  // namespace sla::workspace
