// One trigger of the agent as it runs: its engine, its shots, and where it stands (README.md draws the states).
// Owned by the draining thread.
#pragma once

#include "agent/shots/plan.h"
#include "proto/common/trigger/awaited_channels.h"
#include "proto/common/trigger/engine.h"
#include "proto/wire/capture.pb.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>

namespace sla::shots {

// A shot whose window is complete, and what it is to make happen.
struct ShotOrder {
    wire::Shot shot;  // its window ends earlier than was announced where its trigger went before
    Actions actions;
    // By the machine's clock: all of the window is there once everything up to this is.
    std::uint64_t all_at = 0;
    std::uint64_t announced_end = 0;  // of the window, at the hit

    [[nodiscard]] bool is_cut_short() const { return shot.end_tick() < announced_end; }
};

struct Hooks {
    std::function<void(const wire::Shot&)> announce;           // at the hit
    std::function<void(const std::string&)> notice;            // for people
    std::function<void(ShotOrder)> act;                        // at the end of the window
    std::function<void(const wire::Shot&)> stop_guests = {};   // at the hit, where that was asked for
    std::function<void(const wire::Shot&)> notify_fleet = {};  // the same
    std::function<void(const std::string&)> log = {};          // for the log alone
};

class RunningTrigger {
public:
    // Stopped, until arm(). The times, which others bring forward, and the hooks must outlive this.
    RunningTrigger(std::uint32_t id, Plan plan, double ticks_per_second, const trigger::KnownTimes& times,
                   const Hooks& hooks);
    RunningTrigger(const RunningTrigger&) = delete;
    RunningTrigger& operator=(const RunningTrigger&) = delete;

    [[nodiscard]] const std::string& name() const { return plan_.name; }
    trigger::Engine& engine() { return engine_; }
    // A channel is there. True: awaited().text() is worth saying again.
    bool add_channel(ChannelId channel, const std::string& name, trigger::TimeSource time);
    // Of its channels those that nobody has yet: a problem, until they come.
    [[nodiscard]] const trigger::AwaitedChannels& awaited() const { return awaited_; }

    // Everything up to the times as they are now; then shots whose window is over are ordered.
    void feed(std::span<const trigger::Rows> rows);
    // The agent ends, or the trigger goes: windows end where time is.
    void finish();
    void retime(double ticks_per_second);

    void arm();
    void stop();
    // As if its condition had happened now; false when it is not armed.
    bool fire();
    void set_problem(std::string problem) { problem_ = std::move(problem); }

    [[nodiscard]] wire::TriggerState state() const;
    [[nodiscard]] wire::TriggerStatus status() const;
    // What sets it again.
    [[nodiscard]] const wire::SetTrigger& asked() const { return plan_.asked; }

private:
    std::uint64_t on_hit(const trigger::Hit& hit);
    std::uint64_t shoot(std::uint64_t tick, trigger::TimeSource time, const std::string& what);
    void notify_fleet(const wire::Shot& shot) const;
    void order(wire::Shot& shot, std::uint64_t announced_end);
    void look_away();
    [[nodiscard]] std::uint64_t ticks(std::int64_t ps) const;

    const std::uint32_t id_;
    const Plan plan_;
    const Hooks& hooks_;
    double ticks_per_second_;
    trigger::Engine engine_;
    trigger::AwaitedChannels awaited_;
    std::deque<wire::Shot> open_;  // their windows are not over
    std::uint64_t shots_ = 0;      // ever
    std::uint64_t left_ = 0;       // until it stops; 0: no end
    std::uint64_t cannot_tell_ = 0;
    const trigger::KnownTimes& times_;
    trigger::TimeSource armed_by_;   // that the next is of
    std::uint64_t armed_since_ = 0;  // its pre time counts from here
    bool stopped_ = true;            // no hit counts; the last window may still be filling
    std::string problem_;
};

}  // namespace sla::shots
