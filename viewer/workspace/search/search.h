// Search over the whole capture; every hit is kept, and marked on the lanes. All of it happens beside the frames.
//
//   text ─ search_plan.h ─► what is meant ─ background_search.h, on another thread: search_walk.h over a view ─► hits, by tick
//
// Owner: the window's thread; belongs to one session, which may grow.
#pragma once

#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/search/background_search.h"
#include "viewer/workspace/search/hits_by_lane.h"
#include "viewer/workspace/search/search_plan.h"
#include "viewer/workspace/search/search_walk.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

class Search {
public:
    explicit Search(const store::Session& session, SearchOver over = SearchOver::kEverything);
    ~Search();
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    struct Listing {
        bool everything = false;  // without a text every event is a hit, not none
        bool collapse = false;    // as SearchPlan has it
        std::optional<ColumnOrder> order = std::nullopt;
    };
    // Begins anew.
    void set(const std::string& text) { set(text, Listing{}); }
    void set(const std::string& text, Listing listing);
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] SearchMode mode() const { return plan_.mode; }
    // kWrong: what is wrong with what was typed.
    [[nodiscard]] const std::string& problem() const { return plan_.problem; }

    // Once a frame: takes what was found, also in what came since, when the session grows. What was wrong for want of a
    // channel is looked at anew when channels have come. True: other hits than before.
    bool step();
    // It has not looked at all that was there when it began.
    [[nodiscard]] bool busy() const { return background_ != nullptr && background_->is_busy(); }
    // Nothing of what is there now is left to be looked at.
    [[nodiscard]] bool is_abreast() const { return background_ == nullptr || background_->is_abreast(); }
    // While busy, how much it has looked at: 0 to 1.
    [[nodiscard]] double progress() const;
    [[nodiscard]] bool full() const { return hits_.size() >= kMax; }
    [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }
    // The same lane by lane.
    [[nodiscard]] const HitsByLane& by_lane() {
        by_lane_.follow(hits_);
        return by_lane_;
    }
    // The hit at or after / before a tick, as a position in hits().
    [[nodiscard]] std::optional<std::size_t> next(std::uint64_t tick) const;
    [[nodiscard]] std::optional<std::size_t> previous(std::uint64_t tick) const;
    // The hit that is that event of the lane, or without a lane that place in time.
    [[nodiscard]] std::optional<std::size_t> position_of(const store::Lane* lane, std::uint64_t index,
                                                         std::uint64_t tick) const;

    static constexpr std::size_t kMax = 1'000'000;

private:
    void stop();
    void forget();
    void let_go();

    const store::Session& session_;
    const SearchOver over_;
    std::string text_;
    Listing listing_;
    SearchPlan plan_;
    std::size_t planned_lanes_ = 0;                           // that there were then
    std::unique_ptr<BackgroundSearch> background_;            // null: nothing is looked for
    std::vector<std::shared_ptr<BackgroundSearch>> leaving_;  // asked to stop
    JobRunner::Job leaving_searches_;                         // those that have
    std::vector<Hit> hits_;                                   // by tick
    JobRunner::Job leaving_hits_;                             // too many to be freed in a frame
    HitsByLane by_lane_;                                      // of those looked at so
};

}  // namespace sla::workspace
