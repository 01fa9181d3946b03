// The agent's one way of data: rings → runs → channels in order → batches → retention. A function that somebody steps: the
// draining thread in production, a test by hand.
//
//   ControlInbox ─► ProgramDrain ─► Run ─► merge up to the watermark ─► open batch ─► encode ─► Retention
//                   one a program   one a ring    └────────── ChannelTable, one a channel ─────────┘
//
// The watermark is the least bound of all programs: no event at or below it is still to come. Open batches are closed when
// full or some milliseconds old; where very many are small later, up to half a second, so that readers can follow them
// (FlushPace). Then the watermark is reported and readers are woken. A step costs what has news: channels without any are not
// walked (tests/bench/churn_bench, sources_bench).
// add_program, turn_away, mark, notice, control, skew and ticks_of may be called from any thread; all else belongs to the stepping
// thread.
#pragma once

#include "agent/daemon/health/clock_watch.h"
#include "agent/daemon/health/health.h"
#include "agent/daemon/pipeline/channel_policy.h"
#include "agent/daemon/pipeline/channel_table.h"
#include "agent/daemon/pipeline/control_inbox.h"
#include "agent/daemon/pipeline/flush_pace.h"
#include "agent/daemon/pipeline/hand_marks.h"
#include "agent/daemon/pipeline/notices.h"
#include "agent/daemon/pipeline/program_entry.h"
#include "agent/daemon/pipeline/turned_away.h"
#include "agent/daemon/shots/guest_stops.h"
#include "agent/drain/event_source.h"
#include "agent/drain/step_share.h"
#include "agent/retain/retention.h"
#include "agent/shots/trigger_watch.h"
#include "agent/source/program.h"
#include "agent/stream/line_limit.h"
#include "agent/stream/session.h"
#include "proto/wire/control.pb.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sla::daemon {

class Pipeline {
public:
    // `host`: how this machine is called for readers; empty: its own name.
    explicit Pipeline(retain::Retention& retention, const std::string& host = "");
    ~Pipeline();

    void add_program(std::shared_ptr<source::Program> program) { inbox_.put(std::move(program)); }
    // A program could not be taken in: what it marks is lost. `why`: for people; empty: they know already.
    void turn_away(std::string why) { inbox_.put_turned_away(std::move(why)); }
    // The one source beside programs, before the stepping begins.
    void set_source(std::unique_ptr<drain::EventSource> source) { source_ = std::move(source); }
    // `taken` is called once it is in the stream, by the thread that steps.
    void mark(wire::Mark mark, std::function<void()> taken = {}) { inbox_.put({std::move(mark), std::move(taken)}); }
    void notice(const std::string& text) { notices_.say(text); }
    // Carried out, and answered, by the next step.
    void control(stream::ControlRequest request) { inbox_.put(std::move(request)); }
    // The cores were compared.
    void skew(const time::CoreSkew& skew) { clock_.on_skew(skew); }
    // The same at once, for whoever steps: what went wrong, or empty.
    [[nodiscard]] std::string apply(const stream::ControlRequest& control);
    // What stands in a trigger's way whatever else is set here, or empty.
    [[nodiscard]] std::string problem_of(const wire::SetTrigger& trigger) const;
    // The rules of a configuration, in the place of those that it had before: what is wrong with one, or empty.
    [[nodiscard]] std::string configure(const std::vector<wire::SetChannels>& rules) {
        return channel_policy_.configure(rules);
    }
    // What is wanted of a channel with this name, now.
    [[nodiscard]] ring::ChannelControl settings_of(const std::string& channel) const {
        return channel_policy_.control_of(channel);
    }
    // By the newest known tick rate; nothing above what 64 bits hold.
    [[nodiscard]] std::uint64_t ticks_of(std::int64_t ns) const;
    // How many readers there are: a figure for the status; without any, many small batches wait longer.
    void count_readers_with(std::function<std::size_t()> count) { health_.count_readers_with(std::move(count)); }

    // Called by the stepping thread with every status.
    void report_metrics_with(std::function<void(service::Metrics)> report) {
        health_.report_metrics_with(std::move(report));
    }

    // Whoever publishes, for the status.
    void ask_publisher_with(std::function<publish::Figures()> ask) { health_.ask_publisher_with(std::move(ask)); }

    struct Step {
        std::size_t taken = 0;              // slots of programs
        std::size_t taken_from_source = 0;  // events
        std::size_t rings = 0;              // of programs, that were looked at
        std::size_t busy_rings = 0;         // in which something was
        std::size_t left_rings = 0;         // of these, in which it was left, for it is little
        bool more = false;                  // there is more to read: step again at once
        bool is_left = false;               // of rings that are ahead something is left for later
        std::uint64_t bound = 0;            // nothing at or below it is still to come
        double fullness = 0;                // of the fullest ring, or of the source's buffer, 0..1
    };
    Step step();
    // Everything that is written by now, whatever half-done markers there are, then the end.
    void finish(const std::string& reason);

    [[nodiscard]] std::uint64_t lost() const { return channels_.total().lost(); }
    // And what programs marked that were turned away: nobody knows how much.
    [[nodiscard]] bool has_lost_more() const { return turned_away_.any(); }
    [[nodiscard]] std::uint64_t recorded() const { return channels_.total().events; }
    // That are drained, or wait to be.
    [[nodiscard]] std::size_t program_count() const { return programs_.size() + arriving_.size(); }
    // So many at most are taken in by a step: of very many short programs at once (the agent was kept from its core) those
    // before are forgotten, when memory is short, before the next ones are looked at.
    static constexpr std::size_t kMaxAdmitted = 32;

    // Before the first step, or by the stepping thread. What is wrong with it; empty: it is set.
    std::string set_trigger(const wire::SetTrigger& request, bool local);
    // Whoever carries out what shots order.
    void act_on_shots_with(std::function<void(shots::ShotOrder)> act) { act_on_shot_ = std::move(act); }
    // Whoever stops emulated PCs: those that are attached.
    void stop_guests_with(std::function<void(const wire::Shot&, const std::vector<EmulatedPc>&)> stop) {
        stop_guests_ = std::move(stop);
    }
    // Whoever notifies the fleet of shots whose action is `fleet`, and of readings of our clock. Neither may wait.
    void notify_fleet_with(std::function<void(const wire::Shot&)> notify) { notify_fleet_ = std::move(notify); }
    void report_clock_with(std::function<void(const time::ClockSnapshot&)> report) {
        health_.report_clock_with(std::move(report));
    }
    [[nodiscard]] shots::TriggerWatch& triggers() { return triggers_; }

    // For sources beside programs.
    [[nodiscard]] ChannelTable& channels() { return channels_; }
    [[nodiscard]] Notices& notices() { return notices_; }

private:
    void take_inbox(std::uint64_t now, Step& step);
    void admit(std::shared_ptr<source::Program> program, std::uint64_t now);
    [[nodiscard]] shots::Hooks trigger_hooks();
    [[nodiscard]] std::vector<EmulatedPc> emulated_pcs() const;
    void warn_of_short_memory(std::int64_t window_ns);
    void log_of_triggers(const std::string& line);
    std::uint64_t drain_program(ProgramEntry& entry, const drain::StepClock& clock, Step& step);
    std::uint64_t drain_programs(const drain::StepClock& clock, Step& step);
    std::uint64_t step_source(std::uint64_t now, std::uint64_t bound, Step& step);
    [[nodiscard]] bool may_leave_little(std::uint64_t now) const;
    void merge_and_flush(std::uint64_t now, const Step& step);
    void flush(std::uint64_t now, const FlushPace::Batches& batches, bool is_for_all);

    retain::Retention& retention_;
    ClockWatch clock_;
    Notices notices_;
    ChannelPolicy channel_policy_;
    std::uint64_t applied_version_ = 0;  // of the channel_policy, that channels go by
    std::function<void(shots::ShotOrder)> act_on_shot_;
    std::function<void(const wire::Shot&, const std::vector<EmulatedPc>&)> stop_guests_;
    std::function<void(const wire::Shot&)> notify_fleet_;  // empty: we are of no fleet
    stream::LineLimit trigger_lines_{20};                  // whoever is on this machine may set triggers
    shots::TriggerWatch triggers_;
    ChannelTable channels_;
    HandMarks hand_marks_;
    TurnedAway turned_away_;
    ControlInbox inbox_;
    std::deque<std::shared_ptr<source::Program>> arriving_;  // not admitted yet
    std::vector<std::unique_ptr<ProgramEntry>> programs_;
    std::unique_ptr<drain::EventSource> source_;  // may be missing
    std::uint64_t watermark_ = 0;
    drain::StepShare share_;
    FlushPace flush_pace_;
    std::size_t waiting_ = 0;  // rows beyond the watermark of the last merge
    bool is_finishing_ = false;
    Health health_;
};

}  // namespace sla::daemon
