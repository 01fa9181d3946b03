// The agent's one way of data: rings → runs → channels in order → batches → retention. A function that somebody steps: the
// draining thread in production, a test by hand.
//
//   arrivals ─► ProgramDrain ─► Run ─► merge up to the watermark ─► open batch ─► encode ─► Retention
//               one a program   one a ring                          one a channel
//
// The watermark is the least bound of all programs: no event at or below it is still to come. Open batches are closed when
// full or kFlushTicks old; then the watermark is told and readers are woken.
// add_program, mark, notice, control, skew and ticks_of may be called from any thread; all else belongs to the stepping
// thread.
#pragma once

#include "agent/daemon/cap_watch.h"
#include "agent/daemon/clock_watch.h"
#include "agent/daemon/notice_limit.h"
#include "agent/daemon/ring_pages.h"
#include "agent/daemon/switchboard.h"
#include "agent/drain/channel.h"
#include "agent/drain/event_source.h"
#include "agent/retain/retention.h"
#include "agent/service/metrics.h"
#include "agent/shots/trigger_watch.h"
#include "agent/source/directory.h"
#include "agent/source/program.h"
#include "agent/stream/session.h"
#include "proto/wire/capture.pb.h"
#include "proto/wire/control.pb.h"
#include "proto/wire/event.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sla::daemon {

class ProgramEntry;

// One channel on its way out.
struct Lane {
    drain::Channel channel;
    SourceId source;
    std::string name;
    wire::EventBatch open;
    std::size_t watched = 0;  // rows of `open` that triggers have been shown
    std::uint64_t next_index = 0;
    ChannelSettings settings;
};

class Pipeline {
public:
    explicit Pipeline(retain::Retention& retention);
    ~Pipeline();

    void add_program(std::shared_ptr<source::Program> program);
    // The one source beside programs, before the stepping begins.
    void set_source(std::unique_ptr<drain::EventSource> source) { source_ = std::move(source); }
    void mark(const wire::Mark& mark);
    void notice(const std::string& text, SourceId source = {});
    // Obeyed, and answered, by the next step.
    void control(stream::ControlRequest request);
    // The cores were compared.
    void skew(const time::CoreSkew& skew) { clock_.on_skew(skew); }
    // The same at once, for whoever steps: what went wrong, or empty.
    [[nodiscard]] std::string obey(const stream::ControlRequest& control);
    // The rules of a configuration, in the place of those that it had before: what is wrong with one, or empty.
    [[nodiscard]] std::string configure(const std::vector<wire::SetChannels>& rules) {
        return switchboard_.configure(rules);
    }
    // What is wanted of a channel with this name, now.
    [[nodiscard]] ring::ChannelControl settings_of(const std::string& channel) const {
        return switchboard_.control_of(channel);
    }
    // By the newest known tick rate; nothing above what 64 bits hold.
    [[nodiscard]] std::uint64_t ticks_of(std::int64_t ns) const;
    // How many readers there are: a figure for the status.
    void count_readers_with(std::function<std::size_t()> count) { count_readers_ = std::move(count); }

    // Told by the stepping thread with every status.
    void report_metrics_with(std::function<void(service::Metrics)> report) { report_metrics_ = std::move(report); }

    struct Step {
        std::size_t taken = 0;              // slots of programs
        std::size_t taken_from_source = 0;  // events
        bool more = false;                  // there is more to read: step again at once
        double fullness = 0;                // of the fullest ring, or of the source's buffer, 0..1
    };
    Step step();
    // Everything that is written by now, whatever half-done markers there are, then the end.
    void finish(const std::string& reason);

    [[nodiscard]] std::uint64_t lost() const;
    [[nodiscard]] std::uint64_t recorded() const;
    [[nodiscard]] std::size_t program_count() const { return programs_.size(); }

    // Before the first step, or by the stepping thread. What is wrong with it; empty: it is set.
    std::string set_trigger(const wire::SetTrigger& request, bool local);
    void warn_of_short_memory(std::int64_t window_ns);
    // Whoever carries out what shots order.
    void act_on_shots_with(std::function<void(shots::ShotOrder)> act) { act_on_shot_ = std::move(act); }
    [[nodiscard]] shots::TriggerWatch& triggers() { return triggers_; }

    // For ProgramEntry.
    Lane& lane(SourceId source, const std::string& name, const std::string& format, bool overwrite);
    ThreadId thread(SourceId source, std::uint32_t tid, const std::string& name);
    // For sources: room for `count` more rows at the end of lane.open, whose ticks are above all before them and at or below
    // the limit that the source was given.
    void make_room(Lane& lane, std::size_t count);
    source::Directory& directory() { return directory_; }
    void announce(std::string frame) { retention_.announce(std::move(frame)); }

private:
    void take_arrivals(std::uint64_t now);
    void admit(std::shared_ptr<source::Program> program, std::uint64_t now);
    void take_marks();
    void take_controls();
    [[nodiscard]] shots::Hooks trigger_hooks();
    void meet_lanes();
    void show_to_triggers(Lane& lane);
    void merge_lane(Lane& lane, std::uint64_t watermark);
    void close_batch(Lane& lane);
    void flush(std::uint64_t now, bool everything);
    void tell_health(std::uint64_t now);
    void release_ring_pages(std::uint64_t now);
    void report_left_out_notices(std::uint64_t now, bool at_end);

    retain::Retention& retention_;
    source::Directory directory_;
    ClockWatch clock_;
    Switchboard switchboard_;
    std::uint64_t met_version_ = 0;  // of the switchboard, that lanes go by
    CapWatch caps_;
    std::vector<std::unique_ptr<ProgramEntry>> programs_;
    std::vector<std::unique_ptr<Lane>> lanes_;            // by channel id
    std::vector<std::shared_ptr<drain::Run>> mark_runs_;  // by channel id
    std::unique_ptr<drain::EventSource> source_;          // may be missing
    std::atomic<double> ticks_per_second_{0};             // the clock's, for other threads
    std::uint64_t watermark_ = 0;
    std::uint64_t last_flush_ = 0;
    std::uint64_t last_status_ = 0;
    bool appended_ = false;
    wire::Frame frame_;  // for batches on their way, so that its columns keep their room
    std::function<std::size_t()> count_readers_;
    std::function<void(service::Metrics)> report_metrics_;
    std::function<void(shots::ShotOrder)> act_on_shot_;
    shots::TriggerWatch triggers_;
    std::size_t shots_told_ = 0;
    RingPages ring_pages_;

    std::mutex inbox_mutex_;
    std::vector<std::shared_ptr<source::Program>> arrivals_;  // under inbox_mutex_, as the next three
    std::vector<wire::Mark> marks_;
    std::vector<stream::ControlRequest> controls_;
    NoticeLimit notices_;
};

}  // namespace sla::daemon
