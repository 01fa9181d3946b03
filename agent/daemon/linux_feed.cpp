#include "agent/daemon/linux_feed.h"

#include "agent/daemon/pipeline.h"
#include "proto/wire/capture.pb.h"

#include <algorithm>

namespace sla::daemon {
namespace {

constexpr std::uint32_t kStepsBetweenSweeps = 256;
constexpr std::uint64_t kHostStart = 1;  // (0, 0) is the agent itself, (0, 1) the machine

}  // namespace

Result<std::unique_ptr<LinuxFeed>> LinuxFeed::start(const source::LinuxOptions& options, source::Opener* opener,
                                                    Pipeline& pipeline) {
    std::unique_ptr<LinuxFeed> feed(new LinuxFeed(pipeline));
    if (opener != nullptr) {
        auto opened = opener->take();
        if (!opened) return opened.error();
        auto source = source::LinuxSource::start(std::move(*opened), *feed);
        if (!source) return source.error();
        feed->trace_ = std::move(*source);
    }
    if (source::wants_perf(options)) {
        auto perf = source::PerfSource::start(options.watches, options.samples, options.pids, *feed);
        if (!perf) return perf.error();
        feed->perf_ = std::move(*perf);
    }
    return feed;
}

LinuxFeed::LinuxFeed(Pipeline& pipeline) : pipeline_(pipeline), lanes_(1) {
    facts_.id = pipeline.directory().source(0, kHostStart).id;
    facts_.kind = wire::SOURCE_HOST;
    facts_.name = "linux";
    pipeline.announce(source_frame(facts_));
}

drain::EventSource::Step LinuxFeed::step(std::uint64_t now) {
    Step step{0, now, false};
    if (trace_) {
        const source::LinuxSource::Step stepped = trace_->step(now);
        step = {stepped.taken, stepped.bound, stepped.pressed};
    }
    if (perf_) {
        const source::PerfSource::Step stepped = perf_->step(now);
        step.taken += stepped.taken;
        step.bound = std::min(step.bound, stepped.bound);
    }
    for (drain::Run* run : disordered_) run->sort();
    disordered_.clear();
    if (++steps_ % kStepsBetweenSweeps == 0) drop_idle_feeds();
    return step;
}

void LinuxFeed::stop() {
    if (trace_) trace_->stop();
    if (perf_) perf_->stop();
}

source::LaneNumber LinuxFeed::lane(const std::string& name, const std::string& format) {
    drain::Channel& channel = pipeline_.lane(facts_.id, name, format, false).channel;
    for (std::size_t number = 1; number < lanes_.size(); number++) {
        if (lanes_[number].channel == &channel) return static_cast<source::LaneNumber>(number);
    }
    lanes_.push_back({&channel, {}, 0});
    return static_cast<source::LaneNumber>(lanes_.size() - 1);
}

source::ThreadNumber LinuxFeed::thread(std::uint32_t tid, const std::string& name) {
    return pipeline_.thread(facts_.id, tid, name).value;
}

// The feed used last, nearly always: rows of a lane come from one thread for a while.
inline LinuxFeed::Feed& LinuxFeed::feed_of(FedLane& lane, source::ThreadNumber thread) {
    if (lane.last < lane.feeds.size() && lane.feeds[lane.last].thread == thread) return lane.feeds[lane.last];
    return find_feed(lane, thread);
}

LinuxFeed::Feed& LinuxFeed::find_feed(FedLane& lane, source::ThreadNumber thread) {
    auto found = std::find_if(lane.feeds.begin(), lane.feeds.end(), [&](const Feed& feed) { return feed.thread == thread; });
    if (found == lane.feeds.end()) {
        auto run = std::make_shared<drain::Run>(thread);
        lane.channel->runs.push_back(run);
        lane.feeds.push_back({thread, std::move(run), 0});
        found = lane.feeds.end() - 1;
    }
    lane.last = static_cast<std::size_t>(found - lane.feeds.begin());
    return *found;
}

inline void LinuxFeed::append(FedLane& lane, source::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
                              std::uint64_t value) {
    Feed& feed = feed_of(lane, thread);
    if (tick < feed.newest) {
        disordered_.push_back(feed.run.get());
    } else {
        feed.newest = tick;
    }
    feed.run->add(tick, code, value);
}

// The watermark has passed it: its virtual CPU was away for longer than the source waits.
void LinuxFeed::book_late(FedLane& lane, source::ThreadNumber thread) {
    lane.channel->ledger.book(wire::LossCause::kLate, 1);
    append(lane, thread, lane.channel->closed + 1, SLA_CODE_GAP, 1);
    wire::Extra extra;
    extra.cause = wire::LossCause::kLate;
    feed_of(lane, thread).run->attach(1, std::move(extra));
}

// Cost: about 5 ns (tests/bench/linux_bench).
void LinuxFeed::add(source::LaneNumber number, source::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
                    std::uint64_t value) {
    FedLane& lane = lanes_[number];
    if (tick <= lane.channel->closed) return book_late(lane, thread);
    append(lane, thread, tick, code, value);
    lane.channel->ledger.events++;
}

void LinuxFeed::add_with(source::LaneNumber number, source::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
                         std::uint64_t value, wire::Extra extra) {
    FedLane& lane = lanes_[number];
    if (tick <= lane.channel->closed) return book_late(lane, thread);
    append(lane, thread, tick, code, value);
    feed_of(lane, thread).run->attach(1, std::move(extra));
    lane.channel->ledger.events++;
}

void LinuxFeed::add_gap(source::LaneNumber number, source::ThreadNumber thread, std::uint64_t tick, std::uint64_t until_tick,
                        wire::LossCause cause, std::uint64_t count) {
    FedLane& lane = lanes_[number];
    lane.channel->ledger.book(cause, count);
    const std::uint64_t at = std::max(tick, lane.channel->closed + 1);  // a gap is never late
    append(lane, thread, at, SLA_CODE_GAP, count);
    wire::Extra extra;
    extra.cause = cause;
    extra.until_tick = std::max(until_tick, at);
    feed_of(lane, thread).run->attach(1, std::move(extra));
}

void LinuxFeed::notice(const std::string& text) {
    pipeline_.notice(text, facts_.id);
}

// Threads come and go; a run without rows is only weight. The channel drops it once we do.
void LinuxFeed::drop_idle_feeds() {
    for (FedLane& lane : lanes_) {
        std::erase_if(lane.feeds, [](const Feed& feed) { return feed.run->empty(); });
        lane.last = 0;
    }
}

}  // namespace sla::daemon
