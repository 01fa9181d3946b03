// The Linux host's events on their way into the pipeline: lanes become channels of the source "linux", a LaneFeed each.
// Owned by the pipeline, stepped by the draining thread.
#pragma once

#include "agent/daemon/announcements.h"
#include "agent/daemon/lane_feed.h"
#include "agent/drain/event_source.h"
#include "agent/source/linux/linux_source.h"
#include "agent/source/linux/opener.h"
#include "agent/source/linux/perf_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

class Pipeline;

class LinuxFeed final : private source::LaneSink, public drain::EventSource {
public:
    // Tracing runs from here on. `opener`: has opened the trace; nullptr: none was asked for. Errors as TraceKeeper::open
    // and PerfSource::start.
    static Result<std::unique_ptr<LinuxFeed>> start(const source::LinuxOptions& options, source::Opener* opener,
                                                    Pipeline& pipeline);

    Step step(std::uint64_t now, std::uint64_t limit) override;
    void stop() override;

private:
    explicit LinuxFeed(Pipeline& pipeline);

    source::LaneNumber lane(const std::string& name, const std::string& format) override;
    source::ThreadNumber thread(std::uint32_t tid, const std::string& name) override;
    void put(source::LaneNumber lane, source::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
             std::uint64_t value) override;
    void add_with(source::LaneNumber lane, source::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
                  std::uint64_t value, wire::Extra extra) override;
    void add_gap(source::LaneNumber lane, source::ThreadNumber thread, std::uint64_t tick, std::uint64_t until_tick,
                 wire::LossCause cause, std::uint64_t count) override;
    void notice(const std::string& text) override;

    void give_waiting();

    Pipeline& pipeline_;
    SourceFacts facts_;
    FeedStep feed_step_;
    std::vector<std::unique_ptr<LaneFeed>> lanes_;  // by lane number, from 1
    std::unique_ptr<source::LinuxSource> trace_;    // either may be missing
    std::unique_ptr<source::PerfSource> perf_;
    std::uint32_t steps_ = 0;
};

}  // namespace sla::daemon
