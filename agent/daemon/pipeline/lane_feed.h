// The rows of one channel of the Linux host on their way into it.
//
//            waiting ─┬─► the channel's open batch           nearly always: in order, and nobody else has older ones to come
//            rows     └─► Run ─► merged by the pipeline      a program holds the watermark, or a row came out of order
//
// A run holds one thread's rows. Of a channel that is switched off rows end here; losses are counted all the same. Owned by
// LinuxFeed, on the draining thread.
#pragma once

#include "agent/drain/run.h"
#include "agent/linux/events/lane_sink.h"
#include "proto/wire/event.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

class LaneFeed;
class ChannelTable;
struct OpenChannel;

// What the lanes of a source share in one step.
struct FeedStep {
    std::uint64_t limit = 0;         // what may go straight into batches: nobody else has older rows to come
    std::vector<LaneFeed*> touched;  // rows wait in them
    std::vector<LaneFeed*> behind;   // rows wait in their runs
    std::string unfiltered;          // a channel for which a filter is set: those act inside marked programs
};

class LaneFeed {
public:
    LaneFeed(OpenChannel& out, ChannelTable& channels, FeedStep& step) : out_(out), channels_(channels), step_(step) {}
    LaneFeed(const LaneFeed&) = delete;
    LaneFeed& operator=(const LaneFeed&) = delete;

    [[nodiscard]] const OpenChannel& out() const { return out_; }

    // Where the source adds rows; some 1 ns a row when they go on (tests/bench/linux_bench).
    linux::WaitingRows& waiting() { return waiting_; }
    // A row they did not take: the first one, one that finds no space, or one out of order.
    void put(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value);
    void add_with(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value, wire::RowExtra extra);
    void add_gap(std::uint32_t thread, std::uint64_t tick, std::uint64_t until_tick, wire::LossCause cause,
                 std::uint64_t count);
    // The waiting rows go on.
    void give();

    // Runs in tick order again; then whether any of them holds rows.
    void sort_runs();
    bool look_whether_behind();
    // Threads come and go; a run without rows is only weight. The channel drops it once we do.
    void drop_idle_runs();

private:
    [[nodiscard]] bool is_off();
    [[nodiscard]] bool may_go(std::uint64_t first, std::uint64_t last) const;
    void put_unless_late(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value,
                         wire::RowExtra* extra);
    // One row, straight or into a run.
    void put_one(std::uint32_t thread, std::uint64_t tick, std::uint8_t code, std::uint64_t value, wire::RowExtra* extra);
    drain::Run& run_of(std::uint32_t thread);

    OpenChannel& out_;
    ChannelTable& channels_;
    FeedStep& step_;
    linux::WaitingRows waiting_;
    std::uint64_t newest_ = 0;  // of what went straight into batches
    bool behind_ = false;       // rows wait in runs: later ones wait behind them
    std::vector<std::shared_ptr<drain::Run>> runs_;
    std::size_t last_run_ = 0;  // the one used last, nearly always the next one too
};

}  // namespace sla::daemon
