#include "viewer/workspace/search/search.h"

#include "viewer/workspace/search/background_search.h"

#include <algorithm>
#include <utility>

namespace sla::workspace {

namespace {

constexpr std::chrono::seconds kShortPart{1};     // what comes meanwhile is in memory still
constexpr std::chrono::seconds kMostWriting{10};  // a disk that takes longer takes nothing more

}  // namespace

Search::Search(const store::Session& session, SearchOver over, MakeLoader make_loader, MakeSnapshot make_snapshot)
    : session_(session), over_(over), make_loader_(std::move(make_loader)), make_snapshot_(std::move(make_snapshot)) {}

Search::~Search() = default;

void Search::set(const std::string& text, Listing listing) {
    stop();
    text_ = text;
    forget();
    const std::size_t begin = text.find_first_not_of(' ');
    const bool is_blank = begin == std::string::npos;
    plan_ = is_blank
                ? SearchPlan{}
                : plan_search(session_, std::string_view(text).substr(begin, text.find_last_not_of(' ') - begin + 1), over_);
    if (is_blank && listing.everything) plan_.mode = SearchMode::kEverything;
    from_ = 0;
    is_abreast_ = false;
    plan_.collapse = listing.collapse;
    plan_.order = listing.order;
    busy_ = mode() != SearchMode::kNothing && mode() != SearchMode::kWrong;
    if (busy_) hits_.reserve(kMax);  // growing would copy all of them in one frame; what is not used is not touched
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
    walk_.reset();
    until_.reset();
    if (!background_) return;
    background_->stop();
    leaving_.push_back(std::move(background_));
}

// A file that was still being opened has become one whose rows can be had beside the frame: from its beginning then.
void Search::set_out() {
    const DataSource::Loader loader = make_loader_ ? make_loader_() : DataSource::Loader();
    if (loader) {
        walk_.reset();
        forget();
        background_ = std::make_unique<BackgroundSearch>(loader, plan_, 0, kMax);
    } else if (!walk_ && !set_out_behind_frames()) {
        plan_.from = from_;
        walk_ = make_search_walk(session_, plan_);
    }
}

// False: nothing is on disk that would hold a frame up, or it is not to be had.
bool Search::set_out_behind_frames() {
    if (!make_snapshot_ || is_abreast_ || !plan_.can_be_parted()) return false;
    if (!until_) {
        until_ = std::min(session_.final_tick(), session_.last_tick());
        part_begun_ = Clock::now();
    }
    const std::optional<DataSource::Loader> loader = make_snapshot_(*until_);
    is_abreast_ = !loader || *until_ < from_ || (!*loader && Clock::now() - part_begun_ > kMostWriting);
    if (is_abreast_) {
        until_.reset();
    } else if (*loader) {
        search_behind_frames(*loader);
    }
    return !is_abreast_;
}

void Search::search_behind_frames(const DataSource::Loader& loader) {
    SearchPlan part = plan_;
    part.from = from_;
    part.until = *until_;
    background_ = std::make_unique<BackgroundSearch>(loader, std::move(part), hits_.size(), kMax - hits_.size());
}

void Search::end_part() {
    from_ = *until_ + 1;
    is_abreast_ = Clock::now() - part_begun_ < kShortPart;
    stop();
}

bool Search::step(std::chrono::microseconds budget) {
    std::erase_if(leaving_, [](const auto& far) { return far->is_over(); });
    if (mode() == SearchMode::kNothing || mode() == SearchMode::kWrong) return false;
    if (full()) {
        stop();
        busy_ = false;
        return false;
    }
    if (!background_) set_out();
    const std::size_t before = hits_.size();
    const std::uint64_t repeats = hits_.empty() ? 0 : hits_.back().repeats;
    const std::uint64_t given = walk_ ? walk_->given() : 0;
    if (walk_) {
        step_here(budget);
    } else if (background_ && busy_) {
        const bool is_part = until_.has_value();
        const bool more = background_->take(session_, hits_);
        if (!more && is_part) end_part();
        busy_ = more || is_part;
    }
    return hits_.size() != before || (walk_ && walk_->given() != given) || (before > 0 && hits_.back().repeats != repeats);
}

void Search::step_here(std::chrono::microseconds budget) {
    const auto until = std::chrono::steady_clock::now() + budget;
    do {
        busy_ = walk_->step(hits_);
    } while (busy_ && !full() && std::chrono::steady_clock::now() < until);
    if (full()) hits_.resize(kMax);
}

double Search::progress() const {
    if (background_) return background_->progress();
    return walk_ ? walk_->progress() : 0;
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

}  // namespace sla::workspace
