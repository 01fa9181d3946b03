#include "agent/daemon/pipeline/linux_feed.h"

#include "proto/wire/capture.pb.h"

#include <algorithm>
#include <utility>

namespace sla::daemon {
namespace {

constexpr std::uint32_t kStepsBetweenSweeps = 256;
constexpr std::uint64_t kHostStart = 1;  // (0, 0) is the agent itself, (0, 1) the machine

}  // namespace

Result<std::unique_ptr<LinuxFeed>> LinuxFeed::start(const linux::LinuxOptions& options,
                                                    linux::PrivilegedHelper* privileged_helper, ChannelTable& channels,
                                                    Notices& notices) {
    std::unique_ptr<LinuxFeed> feed(new LinuxFeed(channels, notices));
    if (privileged_helper != nullptr) {
        auto opened = privileged_helper->take();
        if (!opened) return opened.error();
        auto source = linux::LinuxSource::start(std::move(*opened), *feed);
        if (!source) return source.error();
        feed->trace_ = std::move(*source);
    }
    if (linux::wants_perf(options)) {
        auto perf = linux::PerfSource::start(options.watches, options.samples, options.pids, *feed);
        if (!perf) return perf.error();
        feed->perf_ = std::move(*perf);
    }
    return feed;
}

LinuxFeed::LinuxFeed(ChannelTable& channels, Notices& notices) : channels_(channels), notices_(notices) {
    facts_.id = channels.begin_source(0, kHostStart);
    facts_.kind = wire::SOURCE_HOST;
    facts_.name = "linux";
    channels.announce_source(facts_);
}

drain::EventSource::Step LinuxFeed::step(std::uint64_t now, std::uint64_t limit) {
    std::erase_if(feed_step_.behind, [](LaneFeed* lane) { return !lane->look_whether_behind(); });
    Step step{0, now, false, 0};
    if (trace_) {
        feed_step_.limit = limit;
        const linux::LinuxSource::Step stepped = trace_->step(now);
        step = {stepped.taken, stepped.bound, stepped.pressed, stepped.fullness};
        give_waiting();
    }
    if (perf_) {
        feed_step_.limit = 0;  // it gives rows above its bound
        const linux::PerfSource::Step stepped = perf_->step(now);
        step.taken += stepped.taken;
        step.bound = std::min(step.bound, stepped.bound);
        give_waiting();
    }
    for (LaneFeed* lane : feed_step_.behind) lane->sort_runs();
    report_unfiltered();
    if (++steps_ % kStepsBetweenSweeps == 0) {
        for (const auto& lane : lanes_) lane->drop_idle_runs();
    }
    return step;
}

// Who asked for it should not take what comes for what passed.
void LinuxFeed::report_unfiltered() {
    if (feed_step_.unfiltered.empty() || std::exchange(reported_unfiltered_, true)) return;
    notice(feed_step_.unfiltered +
           ": a filter is set for it, but filters act inside marked programs; the kernel's own go behind --linux, as in "
           "'sched:sched_switch if prev_pid==42'");
}

void LinuxFeed::give_waiting() {
    for (LaneFeed* lane : feed_step_.touched) lane->give();
    feed_step_.touched.clear();
}

void LinuxFeed::stop() {
    if (trace_) trace_->stop();
    if (perf_) perf_->stop();
}

linux::LaneNumber LinuxFeed::lane(const std::string& name, const std::string& format) {
    OpenChannel& out = channels_.channel(facts_.id, {.name = name, .format = format});
    auto known = std::find_if(lanes_.begin(), lanes_.end(), [&](const auto& lane) { return &lane->out() == &out; });
    if (known == lanes_.end()) {
        lanes_.push_back(std::make_unique<LaneFeed>(out, channels_, feed_step_));
        known = lanes_.end() - 1;
        lend(lanes_.back()->waiting());
    }
    return static_cast<linux::LaneNumber>(known - lanes_.begin() + 1);
}

linux::ThreadNumber LinuxFeed::thread(std::uint32_t tid, const std::string& name) {
    return channels_.thread(facts_.id, tid, name).value;
}

void LinuxFeed::release_thread(linux::ThreadNumber thread) {
    channels_.release_thread(facts_.id, {thread});
}

void LinuxFeed::put(linux::LaneNumber number, linux::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
                    std::uint64_t value) {
    lanes_[number - 1]->put(thread, tick, code, value);
}

void LinuxFeed::add_with(linux::LaneNumber number, linux::ThreadNumber thread, std::uint64_t tick, std::uint8_t code,
                         std::uint64_t value, wire::RowExtra extra) {
    lanes_[number - 1]->add_with(thread, tick, code, value, std::move(extra));
}

void LinuxFeed::add_gap(linux::LaneNumber number, linux::ThreadNumber thread, std::uint64_t tick, std::uint64_t until_tick,
                        wire::LossCause cause, std::uint64_t count) {
    lanes_[number - 1]->add_gap(thread, tick, until_tick, cause, count);
}

void LinuxFeed::notice(const std::string& text) {
    notices_.say(text, facts_.id);
}

}  // namespace sla::daemon
