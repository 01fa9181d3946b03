#include "agent/shots/running_trigger.h"

#include "proto/wire/one_line.h"
#include "proto/wire/utf8.h"

#include <algorithm>
#include <utility>

namespace sla::shots {
namespace {

constexpr std::size_t kMaxWhatBytes = 200;

trigger::TimeSource time_of(const wire::Shot& shot) {
    return trigger::TimeSource{shot.time_source()};
}

}  // namespace

RunningTrigger::RunningTrigger(std::uint32_t id, Plan plan, double ticks_per_second, const trigger::KnownTimes& times,
                               const Hooks& hooks)
    : id_(id),
      plan_(std::move(plan)),
      hooks_(hooks),
      ticks_per_second_(ticks_per_second),
      engine_(plan_.tree, ticks_per_second, [this](const trigger::Hit& hit) { return on_hit(hit); }),
      awaited_(plan_.tree),
      times_(times) {}

bool RunningTrigger::add_channel(ChannelId channel, const std::string& name, trigger::TimeSource time) {
    engine_.add_channel(channel, name, time);
    return awaited_.came(name);
}

std::uint64_t RunningTrigger::ticks(std::int64_t ps) const {
    return trigger::to_ticks(ps, ticks_per_second_);
}

void RunningTrigger::retime(double ticks_per_second) {
    ticks_per_second_ = ticks_per_second;
    engine_.retime(ticks_per_second);
    // A source's own time may stand still for long, or be gone: other times would be looked away from again and again.
    if (!stopped_ && (armed_by_ == trigger::kMachineTime || armed_by_ == engine_.time())) look_away();
}

// Until its pre time is there.
void RunningTrigger::look_away() {
    engine_.look_away(trigger::later(armed_since_, ticks(plan_.pre_ps)), armed_by_, times_.of(armed_by_));
}

void RunningTrigger::arm() {
    engine_.learn(times_);
    stopped_ = false;
    left_ = plan_.actions.stop ? 1 : plan_.shots;
    armed_by_ = engine_.time();
    armed_since_ = times_.of(armed_by_);
    for (const wire::Shot& shot : open_) {
        if (time_of(shot) == armed_by_) armed_since_ = std::max(armed_since_, trigger::later(shot.end_tick(), 1));
    }
    engine_.restart();
    look_away();
    problem_.clear();
}

void RunningTrigger::stop() {
    stopped_ = true;
    engine_.look_away(trigger::kNever, trigger::kMachineTime, 0);
}

bool RunningTrigger::fire() {
    if (state() != wire::TRIGGER_ARMED) return false;
    engine_.learn(times_);
    engine_.restart();
    const trigger::TimeSource time = engine_.time();
    const std::uint64_t now = times_.of(time);
    engine_.look_away(shoot(now, time, "fired by hand"), time, now);
    return true;
}

std::uint64_t RunningTrigger::on_hit(const trigger::Hit& hit) {
    if (stopped_) return trigger::kNever;
    if (hit.certain) return shoot(hit.tick, hit.time, engine_.level_text(hit.level));
    cannot_tell_++;
    return 0;
}

// Gives the tick, of that time, before which no further hit counts.
std::uint64_t RunningTrigger::shoot(std::uint64_t tick, trigger::TimeSource time, const std::string& what) {
    wire::Shot shot;
    shot.set_trigger(id_);
    shot.set_trigger_name(plan_.name);
    shot.set_number(++shots_);
    shot.set_tick(tick);
    shot.set_begin_tick(tick - std::min(tick, ticks(plan_.pre_ps)));
    shot.set_end_tick(trigger::later(tick, ticks(plan_.post_ps)));
    shot.set_what(wire::one_line(what, kMaxWhatBytes));
    shot.set_time_source(time.value);
    hooks_.announce(shot);
    if (plan_.actions.stop_guest && hooks_.stop_guests) hooks_.stop_guests(shot);
    if (plan_.actions.fleet && hooks_.notify_fleet) notify_fleet(shot);
    if (plan_.actions.notify)
        hooks_.notice("trigger " + plan_.name + ": shot " + std::to_string(shots_) + ", " + shot.what());
    armed_by_ = time;
    armed_since_ = trigger::later(trigger::later(shot.end_tick(), 1), ticks(plan_.hold_off_ps));
    open_.push_back(std::move(shot));
    if (left_ == 1) {
        stopped_ = true;
        return trigger::kNever;
    }
    if (left_ > 1) left_--;
    return trigger::later(armed_since_, ticks(plan_.pre_ps));
}

// Other machines know nothing of a time that a source makes up: to them it is the moment at which we saw it.
void RunningTrigger::notify_fleet(const wire::Shot& shot) const {
    if (time_of(shot) == trigger::kMachineTime) return hooks_.notify_fleet(shot);
    wire::Shot seen = shot;
    const std::uint64_t now = times_.by_machine();
    seen.set_tick(now);
    seen.set_begin_tick(now - std::min(now, ticks(plan_.pre_ps)));
    seen.set_end_tick(trigger::later(now, ticks(plan_.post_ps)));
    seen.clear_time_source();
    hooks_.notify_fleet(seen);
}

void RunningTrigger::feed(std::span<const trigger::Rows> rows) {
    engine_.feed(rows, times_);
    for (auto shot = open_.begin(); shot != open_.end();) {
        const trigger::TimeSource time = time_of(*shot);
        if (shot->end_tick() > times_.of(time) && !times_.is_over(time)) {
            ++shot;
            continue;
        }
        order(*shot, shot->end_tick());
        shot = open_.erase(shot);
    }
    if (!engine_.goes_in_circles() || stopped_) return;
    stop();
    problem_ = "stopped: its levels go in circles, by deadlines that make each other";
    hooks_.notice("trigger " + plan_.name + " " + problem_);
}

void RunningTrigger::finish() {
    for (wire::Shot& shot : open_) {
        const std::uint64_t announced_end = shot.end_tick();
        shot.set_end_tick(std::clamp<std::uint64_t>(times_.of(time_of(shot)), shot.tick(), announced_end));
        order(shot, announced_end);
    }
    open_.clear();
}

void RunningTrigger::order(wire::Shot& shot, std::uint64_t announced_end) {
    const std::uint64_t all_at = time_of(shot) == trigger::kMachineTime ? shot.end_tick() : times_.by_machine();
    hooks_.act({std::move(shot), plan_.actions, all_at, announced_end});
}

wire::TriggerState RunningTrigger::state() const {
    if (!open_.empty()) return wire::TRIGGER_POST_FILLING;
    if (stopped_) return wire::TRIGGER_STOPPED;
    if (times_.is_over(armed_by_)) return wire::TRIGGER_ARMED;
    const std::uint64_t now = times_.of(armed_by_);
    if (now < armed_since_) return wire::TRIGGER_FIRED;
    return now < trigger::later(armed_since_, ticks(plan_.pre_ps)) ? wire::TRIGGER_PRE_FILLING : wire::TRIGGER_ARMED;
}

wire::TriggerStatus RunningTrigger::status() const {
    wire::TriggerStatus status;
    status.set_id(id_);
    status.set_name(plan_.name);
    status.set_expression(wire::to_utf8(plan_.text));
    status.set_state(state());
    status.set_shots(shots_);
    status.set_cannot_tell(cannot_tell_);
    status.set_stage(static_cast<std::uint32_t>(engine_.level()));
    status.set_problem(wire::to_utf8(problem_.empty() ? awaited_.text() : problem_));
    return status;
}

}  // namespace sla::shots
