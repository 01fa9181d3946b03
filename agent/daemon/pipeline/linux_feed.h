// The Linux host's events on their way into the pipeline: lanes become channels of the source "linux", a LaneFeed each.
// Owned by the pipeline, stepped by the draining thread.
#pragma once

#include "agent/daemon/pipeline/announcements.h"
#include "agent/daemon/pipeline/channel_table.h"
#include "agent/daemon/pipeline/lane_feed.h"
#include "agent/daemon/pipeline/notices.h"
#include "agent/drain/event_source.h"
#include "agent/linux/linux_source.h"
#include "agent/linux/perf/perf_source.h"
#include "agent/linux/tracefs/privileged_helper.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

class LinuxFeed final : private linux::LaneSink, public drain::EventSource {
public:
    // Tracing runs from here on. `privileged_helper`: has opened the trace; nullptr: none was asked for. Errors as TraceSession::open
    // and PerfSource::start.
    static Result<std::unique_ptr<LinuxFeed>> start(const linux::LinuxOptions& options,
                                                    linux::PrivilegedHelper* privileged_helper, ChannelTable& channels,
                                                    Notices& notices);

    Step step(std::uint64_t now, std::uint64_t limit) override;
    void stop() override;

private:
    LinuxFeed(ChannelTable& channels, Notices& notices);

    linux::LaneNumber lane(const std::string& name, const std::string& format) override;
    linux::ThreadNumber thread(std::uint32_t tid, const std::string& name) override;
    void release_thread(linux::ThreadNumber thread) override;
    void put(linux::LaneNumber lane, linux::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
             std::uint64_t value) override;
    void add_with(linux::LaneNumber lane, linux::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
                  std::uint64_t value, wire::RowExtra extra) override;
    void add_gap(linux::LaneNumber lane, linux::ThreadNumber thread, std::uint64_t tick, std::uint64_t until_tick,
                 wire::LossCause cause, std::uint64_t count) override;
    void notice(const std::string& text) override;

    void give_waiting();
    void report_unfiltered();

    ChannelTable& channels_;
    Notices& notices_;
    SourceFacts facts_;
    FeedStep feed_step_;
    std::vector<std::unique_ptr<LaneFeed>> lanes_;  // by lane number, from 1
    std::unique_ptr<linux::LinuxSource> trace_;     // either may be missing
    std::unique_ptr<linux::PerfSource> perf_;
    std::uint32_t steps_ = 0;
    bool reported_unfiltered_ = false;
};

}  // namespace sla::daemon
