// A search over rows that stay in a file: on a thread of its own in a session of its own, so that no frame waits.
//
//   thread   walk ─► waiting hits, at most kMaxWaiting ─► take(), once a frame   window
//
// Owner: the window's thread.
#pragma once

#include "viewer/workspace/data_source.h"
#include "viewer/workspace/search_walk.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <future>
#include <mutex>
#include <vector>

namespace sla::workspace {

class BackgroundSearch {
public:
    // At most so many hits.
    BackgroundSearch(DataSource::Loader loader, SearchPlan plan, std::size_t most);
    ~BackgroundSearch() { stop(); }
    BackgroundSearch(const BackgroundSearch&) = delete;
    BackgroundSearch& operator=(const BackgroundSearch&) = delete;

    // Appends what was found since, on lanes of `session`; the last of `hits` may be counted up. False: that was all.
    bool take(const store::Session& session, std::vector<Hit>& hits);
    [[nodiscard]] double progress() const { return progress_; }
    // Does not wait; is_over() says when the thread is done.
    void stop();
    [[nodiscard]] bool is_over() const;

private:
    void run(const DataSource::Loader& loader, const SearchPlan& plan);
    // Hits from the `first`-th on, of which the first may have been published before. False: it is to stop.
    bool publish(std::size_t first, const std::vector<Hit>& hits);

    static constexpr std::size_t kMaxWaiting = 1 << 13;  // a millisecond of the window's

    struct Found {
        Hit hit;
        ChannelId channel;         // of an event
        ChannelId before_channel;  // of the row before an ordered one
    };
    const std::size_t most_;
    std::mutex mutex_;
    std::condition_variable taken_;
    std::vector<Found> waiting_;     // guarded by mutex_, as are the next three
    std::size_t waiting_first_ = 0;  // number of the first of them
    bool stop_ = false;
    bool ended_ = false;
    std::atomic<double> progress_ = 0;
    std::future<void> running_;  // last: its end is waited for before all else goes
};

}  // namespace sla::workspace
