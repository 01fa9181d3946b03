// Search over the whole capture; every hit is kept, and marked on the lanes. Rows in memory are looked at in steps of a
// frame's budget; those that stay in a file, or have gone to disk, beside the frame (background_search.h).
//
//   text ─ search_plan.h ─► what is meant ─┬─ search_walk.h, in turns ──────────┬─► hits, by tick
//                                          └─ background_search.h, on another thread ──┘
//
// Owner: the window's thread; belongs to one session.
#pragma once

#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/search/hits_by_lane.h"
#include "viewer/workspace/search/search_plan.h"
#include "viewer/workspace/search/search_walk.h"
#include "viewer/workspace/source/data_source.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sla::workspace {

class BackgroundSearch;

class Search {
public:
    // Gives what fills another session with the same, as soon as it can be filled (DataSource::another).
    using MakeLoader = std::function<DataSource::Loader()>;
    // Of a session that grows and has older rows on disk: the same of every row up to a tick; nothing: all are in memory; an
    // empty one: ask again (DataSource::make_snapshot).
    using MakeSnapshot = std::function<std::optional<DataSource::Loader>(std::uint64_t until)>;
    explicit Search(const store::Session& session, SearchOver over = SearchOver::kEverything, MakeLoader make_loader = {},
                    MakeSnapshot make_snapshot = {});
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

    // Goes on for so long; also over what came since, when the session grows. True: other hits than before.
    bool step(std::chrono::microseconds budget);
    [[nodiscard]] bool busy() const { return busy_; }
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

    static constexpr std::size_t kMax = 1'000'000;

private:
    using Clock = std::chrono::steady_clock;
    void stop();
    void set_out();
    bool set_out_behind_frames();
    void search_behind_frames(const DataSource::Loader& loader);
    void end_part();
    void forget();
    void step_here(std::chrono::microseconds budget);

    const store::Session& session_;
    const SearchOver over_;
    const MakeLoader make_loader_;
    const MakeSnapshot make_snapshot_;
    std::string text_;
    SearchPlan plan_;
    std::unique_ptr<SearchWalk> walk_;                        // over this session
    std::unique_ptr<BackgroundSearch> background_;            // or over loader one
    std::vector<std::unique_ptr<BackgroundSearch>> leaving_;  // told to stop
    std::vector<Hit> hits_;                                   // by tick
    JobRunner::Job leaving_hits_;                             // too many to be freed in a frame
    HitsByLane by_lane_;                                      // of those looked at so
    bool busy_ = false;

    // Of a session that grows: it is searched in parts, each from a snapshot, until a part takes so little time that what came
    // meanwhile is in memory.
    std::uint64_t from_ = 0;              // all rows before are searched
    std::optional<std::uint64_t> until_;  // of the part that is asked for or searched
    Clock::time_point part_begun_;
    bool is_abreast_ = false;
};

}  // namespace sla::workspace
