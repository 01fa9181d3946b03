// The Linux host's events on their way into the pipeline: lanes become channels of the source "linux", rows go into runs.
//
// A run holds one thread's rows of one lane. Owned by the pipeline, stepped by the draining thread.
#pragma once

#include "agent/daemon/announcements.h"
#include "agent/drain/channel.h"
#include "agent/drain/event_source.h"
#include "agent/source/linux/linux_source.h"
#include "agent/source/linux/opener.h"
#include "agent/source/linux/perf_source.h"

#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

class Pipeline;

class LinuxFeed final : public drain::EventSource, private source::LaneSink {
public:
    // Tracing runs from here on. `opener`: has opened the trace; nullptr: none was asked for. Errors as TraceKeeper::open
    // and PerfSource::start.
    static Result<std::unique_ptr<LinuxFeed>> start(const source::LinuxOptions& options, source::Opener* opener,
                                                    Pipeline& pipeline);

    Step step(std::uint64_t now) override;
    void stop() override;

private:
    explicit LinuxFeed(Pipeline& pipeline);

    source::LaneNumber lane(const std::string& name, const std::string& format) override;
    source::ThreadNumber thread(std::uint32_t tid, const std::string& name) override;
    void add(source::LaneNumber lane, source::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
             std::uint64_t value) override;
    void add_with(source::LaneNumber lane, source::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
                  std::uint64_t value, wire::Extra extra) override;
    void add_gap(source::LaneNumber lane, source::ThreadNumber thread, std::uint64_t tick, std::uint64_t until_tick,
                 wire::LossCause cause, std::uint64_t count) override;
    void notice(const std::string& text) override;

    struct Feed {
        source::ThreadNumber thread = 0;
        std::shared_ptr<drain::Run> run;
        std::uint64_t newest = 0;
    };
    struct FedLane {
        drain::Channel* channel = nullptr;
        std::vector<Feed> feeds;
        std::size_t last = 0;  // index of the feed used last
    };
    Feed& feed_of(FedLane& lane, source::ThreadNumber thread);
    Feed& find_feed(FedLane& lane, source::ThreadNumber thread);
    void book_late(FedLane& lane, source::ThreadNumber thread);
    void append(FedLane& lane, source::ThreadNumber thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value);
    void drop_idle_feeds();

    Pipeline& pipeline_;
    SourceFacts facts_;
    std::vector<FedLane> lanes_;                  // by lane number, from 1
    std::vector<drain::Run*> disordered_;         // runs that got an older event behind a newer one in this step
    std::unique_ptr<source::LinuxSource> trace_;  // either may be missing
    std::unique_ptr<source::PerfSource> perf_;
    std::uint32_t steps_ = 0;
};

}  // namespace sla::daemon
