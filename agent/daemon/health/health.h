// How the agent is, for readers: clock snapshots and what changed about the clock, memory that is too small, the status.
// Beside that, what is due from time to time: old events expire, unused memory is given back. Owned by the stepping thread.
#pragma once

#include "agent/daemon/health/clock_watch.h"
#include "agent/daemon/health/ring_pages.h"
#include "agent/daemon/health/unused_memory.h"
#include "agent/daemon/pipeline/channel_policy.h"
#include "agent/daemon/pipeline/channel_table.h"
#include "agent/daemon/pipeline/notices.h"
#include "agent/daemon/pipeline/program_entry.h"
#include "agent/publish/figures.h"
#include "agent/retain/retention.h"
#include "agent/service/metrics.h"
#include "agent/shots/trigger_watch.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace sla::daemon {

class Health {
public:
    struct Parts {
        retain::Retention& retention;
        ClockWatch& clock;
        ChannelPolicy& channel_policy;
        ChannelTable& channels;
        shots::TriggerWatch& triggers;
        Notices& notices;
    };
    using Programs = std::vector<std::unique_ptr<ProgramEntry>>;

    // A first clock snapshot is announced.
    Health(const Parts& parts, std::uint64_t now);

    void count_readers_with(std::function<std::size_t()> count) { count_readers_ = std::move(count); }
    // Nobody knows better: there are.
    [[nodiscard]] bool are_any_readers() const { return !count_readers_ || count_readers_() > 0; }
    // Called with every status.
    void report_metrics_with(std::function<void(service::Metrics)> report) { report_metrics_ = std::move(report); }
    // Receives every snapshot, the first one at once.
    void report_clock_with(std::function<void(const time::ClockSnapshot&)> report);
    // Whoever publishes, for the status.
    void ask_publisher_with(std::function<publish::Figures()> ask) { ask_publisher_ = std::move(ask); }
    // So many bytes of rings were read since the last call: within a step, since thousands of rings may be new to it.
    void watch_ring_pages(std::uint64_t now, const Programs& programs, std::uint64_t looked_at);
    // What is due at this moment.
    void report(std::uint64_t now, const Programs& programs);
    // How often a status is due that tells of so many channels.
    static double status_seconds(std::size_t channels);
    // The last word: a clock snapshot and a status, whatever was due.
    void finish(std::uint64_t now, const Programs& programs);

private:
    void announce(const time::ClockSnapshot& snapshot);
    void look(std::uint64_t now, const Programs& programs);
    void report_status(std::uint64_t now, const Programs& programs);
    void count_memory(double seconds, const Programs& programs);

    Parts parts_;
    std::uint64_t last_look_;
    std::uint64_t last_status_;
    std::function<std::size_t()> count_readers_;
    std::function<void(service::Metrics)> report_metrics_;
    std::function<void(const time::ClockSnapshot&)> report_clock_;
    time::ClockSnapshot newest_;
    std::function<publish::Figures()> ask_publisher_;  // empty: nothing is published
    RingPages ring_pages_;
    bool are_pages_scarce_ = false;
    UnusedMemory unused_;
    std::uint64_t total_bytes_;  // that the retention may hold, as of the last look
};

}  // namespace sla::daemon
