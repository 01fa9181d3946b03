// A search over rows that stay in a file: a job with a session of its own, so that no frame waits. It rests while the window
// has not taken what was found.
//
//   job   walk ─► waiting hits, at most kMaxWaiting ─► take(), once a frame, starts the job again   window
//
// Owner: the window's thread.
#pragma once

#include "viewer/workspace/jobs/job_runner.h"
#include "viewer/workspace/search/search_walk.h"
#include "viewer/workspace/source/data_source.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace sla::workspace {

class BackgroundSearch {
public:
    // Its hits go behind `found` others; at most so many are its own.
    BackgroundSearch(DataSource::Loader loader, SearchPlan plan, std::size_t found, std::size_t most);

    // Appends what was found since, on lanes of `session`; the last of `hits` may be counted up. False: that was all.
    bool take(const store::Session& session, std::vector<Hit>& hits);
    [[nodiscard]] double progress() const;
    // Does not wait; is_over() says when the job is done.
    void stop() { job_.cancel(); }
    [[nodiscard]] bool is_over() const { return !job_.is_running(); }

private:
    class Walk;
    void go_on();

    std::shared_ptr<Walk> walk_;
    JobRunner::Job job_;
};

}  // namespace sla::workspace
