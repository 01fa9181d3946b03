#include "viewer/workspace/search/search.h"

#include <algorithm>
#include <utility>

namespace sla::workspace {

Search::Search(const store::Session& session, SearchOver over) : session_(session), over_(over) {}

Search::~Search() = default;

void Search::set(const std::string& text, Listing listing) {
    stop();
    text_ = text;
    listing_ = listing;
    planned_lanes_ = session_.lanes().size();
    forget();
    const std::size_t begin = text.find_first_not_of(' ');
    const bool is_blank = begin == std::string::npos;
    plan_ = is_blank
                ? SearchPlan{}
                : plan_search(session_, std::string_view(text).substr(begin, text.find_last_not_of(' ') - begin + 1), over_);
    if (is_blank && listing.everything) plan_.mode = SearchMode::kEverything;
    plan_.collapse = listing.collapse;
    plan_.order = listing.order;
    if (mode() == SearchMode::kNothing || mode() == SearchMode::kWrong) return;
    hits_.reserve(kMax);  // growing would copy all of them in one frame; what is not used is not touched
    background_ = std::make_unique<BackgroundSearch>(session_, plan_, kMax);
}

void Search::forget() {
    constexpr std::size_t kLetGoAtOnce = 20'000;  // a tenth of a millisecond
    if (hits_.size() > kLetGoAtOnce) {
        leaving_hits_ = JobRunner::shared().start("letting go of old hits",
                                                  [hits = std::exchange(hits_, {})](JobRunner::Control& /*control*/) {});
    }
    hits_.clear();
    by_lane_.clear();
}

void Search::stop() {
    if (background_ == nullptr) return;
    background_->stop();
    leaving_.push_back(std::move(background_));
}

// What a search looked at goes beside the frames: of tens of thousands of lanes that takes tens of milliseconds.
void Search::let_go() {
    if (leaving_.empty() || leaving_searches_.is_running()) return;
    const auto over = std::partition(leaving_.begin(), leaving_.end(), [](const auto& one) { return !one->is_over(); });
    if (over == leaving_.end()) return;
    std::vector<std::shared_ptr<BackgroundSearch>> gone(over, leaving_.end());
    leaving_.erase(over, leaving_.end());
    leaving_searches_ = JobRunner::shared().start("letting go of an old search",
                                                  [gone = std::move(gone)](JobRunner::Control& /*control*/) mutable {});
}

bool Search::step() {
    let_go();
    if (mode() == SearchMode::kWrong && planned_lanes_ != session_.lanes().size()) {
        set(std::string(text_), listing_);
        return mode() != SearchMode::kWrong;
    }
    if (background_ == nullptr) return false;
    const bool has_changed = background_->take(hits_);
    if (full()) stop();
    return has_changed;
}

double Search::progress() const {
    return background_ == nullptr ? 0 : background_->progress();
}

std::optional<std::size_t> Search::next(std::uint64_t tick) const {
    const auto at = std::lower_bound(hits_.begin(), hits_.end(), tick,
                                     [](const Hit& hit, std::uint64_t wanted) { return hit.tick < wanted; });
    if (at == hits_.end()) return std::nullopt;
    return static_cast<std::size_t>(at - hits_.begin());
}

std::optional<std::size_t> Search::previous(std::uint64_t tick) const {
    const auto after = std::lower_bound(hits_.begin(), hits_.end(), tick,
                                        [](const Hit& hit, std::uint64_t wanted) { return hit.tick < wanted; });
    if (after == hits_.begin()) return std::nullopt;
    return static_cast<std::size_t>(after - hits_.begin()) - 1;
}

std::optional<std::size_t> Search::position_of(const store::Lane* lane, std::uint64_t index, std::uint64_t tick) const {
    for (std::size_t at = next(tick).value_or(hits_.size()); at < hits_.size() && hits_[at].tick == tick; ++at) {
        if (hits_[at].lane == lane && hits_[at].index == index) return at;
    }
    return std::nullopt;
}

}  // namespace sla::workspace
