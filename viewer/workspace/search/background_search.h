// A search beside the frames: a job over a view of the session (store/session_view.h), and over later ones as it grows. It
// rests while the window has not taken what was found.
//
//   job   walk ─► waiting hits, at most kMaxWaiting ─► take(), once a frame, starts the job again   window
//
// Owner: the window's thread.
#pragma once

#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/search/search_walk.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace sla::workspace {

class BackgroundSearch {
public:
    // Finds so many hits at most. The session outlives it.
    BackgroundSearch(const store::Session& session, const SearchPlan& plan, std::size_t most);

    // Once a frame: appends what was found since; the last of `hits` may be counted up, and those in an order of their own are
    // put there anew. Looks at what has come since, now and then. True: other hits than before.
    bool take(std::vector<Hit>& hits);
    // It has not looked at all that was there when it began.
    [[nodiscard]] bool is_busy() const { return is_busy_; }
    // Of what is there now nothing is left to be looked at.
    [[nodiscard]] bool is_abreast() const { return is_at_end_ && revision_ == session_.revision(); }
    [[nodiscard]] double progress() const;
    // Does not wait; is_over() says when the job is done.
    void stop() { job_.cancel(); }
    [[nodiscard]] bool is_over() const { return !job_.is_running(); }

private:
    class Walk;
    using Clock = std::chrono::steady_clock;
    void set_out();
    void gather();
    void start_job();

    const store::Session& session_;
    std::optional<store::SessionView::Gathering> gathering_;  // of the view that it looks at next
    std::shared_ptr<Walk> walk_;
    JobRunner::Job job_;
    const Clock::duration rest_;
    bool is_busy_ = true;
    bool is_at_end_ = false;      // of the view it looks at
    std::uint64_t revision_ = 0;  // of that
    Clock::time_point not_before_;
};

}  // namespace sla::workspace
