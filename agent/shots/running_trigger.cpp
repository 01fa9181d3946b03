#include "agent/shots/running_trigger.h"

#include "proto/wire/utf8.h"

#include <algorithm>
#include <utility>

namespace sla::shots {
namespace {

constexpr std::size_t kMaxWhatBytes = 200;

}  // namespace

RunningTrigger::RunningTrigger(std::uint32_t id, Plan plan, double ticks_per_second, std::uint64_t now, const Hooks& hooks)
    : id_(id),
      plan_(std::move(plan)),
      hooks_(hooks),
      ticks_per_second_(ticks_per_second),
      engine_(plan_.tree, ticks_per_second, [this](const trigger::Hit& hit) { return on_hit(hit); }),
      awaited_(plan_.tree),
      now_(now),
      armed_since_(now) {
    arm(now);
}

bool RunningTrigger::add_channel(ChannelId channel, const std::string& name) {
    engine_.add_channel(channel, name);
    return awaited_.came(name);
}

std::uint64_t RunningTrigger::ticks(std::int64_t ps) const {
    return trigger::to_ticks(ps, ticks_per_second_);
}

void RunningTrigger::retime(double ticks_per_second) {
    ticks_per_second_ = ticks_per_second;
    engine_.retime(ticks_per_second);
    if (!stopped_) engine_.look_away_until(trigger::later(armed_since_, ticks(plan_.pre_ps)));
}

void RunningTrigger::arm(std::uint64_t now) {
    stopped_ = false;
    left_ = plan_.actions.stop ? 1 : plan_.shots;
    armed_since_ = std::max(now, open_.empty() ? now : trigger::later(open_.back().end_tick(), 1));
    engine_.restart();
    engine_.look_away_until(trigger::later(armed_since_, ticks(plan_.pre_ps)));
    problem_.clear();
}

void RunningTrigger::stop() {
    stopped_ = true;
    engine_.look_away_until(trigger::kNever);
}

bool RunningTrigger::fire(std::uint64_t now) {
    if (state() != wire::TRIGGER_ARMED) return false;
    engine_.restart();
    engine_.look_away_until(shoot(now, "fired by hand"));
    return true;
}

std::uint64_t RunningTrigger::on_hit(const trigger::Hit& hit) {
    if (stopped_) return trigger::kNever;
    if (hit.certain) return shoot(hit.tick, engine_.level_text(hit.level));
    cannot_tell_++;
    return 0;
}

// Gives the tick before which no further hit counts.
std::uint64_t RunningTrigger::shoot(std::uint64_t tick, const std::string& what) {
    wire::Shot shot;
    shot.set_trigger(id_);
    shot.set_trigger_name(plan_.name);
    shot.set_number(++shots_);
    shot.set_tick(tick);
    shot.set_begin_tick(tick - std::min(tick, ticks(plan_.pre_ps)));
    shot.set_end_tick(trigger::later(tick, ticks(plan_.post_ps)));
    shot.set_what(wire::to_utf8(what, kMaxWhatBytes));
    hooks_.announce(shot);
    if (plan_.actions.stop_guest && hooks_.stop_guests) hooks_.stop_guests(shot);
    if (plan_.actions.fleet && hooks_.notify_fleet) hooks_.notify_fleet(shot);
    if (plan_.actions.notify)
        hooks_.notice("trigger " + plan_.name + ": shot " + std::to_string(shots_) + ", " + shot.what());
    armed_since_ = trigger::later(trigger::later(shot.end_tick(), 1), ticks(plan_.hold_off_ps));
    open_.push_back(std::move(shot));
    if (left_ == 1) {
        stopped_ = true;
        return trigger::kNever;
    }
    if (left_ > 1) left_--;
    return trigger::later(armed_since_, ticks(plan_.pre_ps));
}

void RunningTrigger::feed(std::span<const trigger::Rows> rows, std::uint64_t watermark) {
    engine_.feed(rows, watermark);
    now_ = std::max(now_, watermark);
    complete_until(now_);
    if (!engine_.goes_in_circles() || stopped_) return;
    stop();
    problem_ = "stopped: its levels go in circles, by deadlines that make each other";
    hooks_.notice("trigger " + plan_.name + " " + problem_);
}

void RunningTrigger::finish() {
    complete_until(trigger::kNever);
}

void RunningTrigger::complete_until(std::uint64_t tick) {
    while (!open_.empty() && (open_.front().end_tick() <= tick)) {
        hooks_.act({std::move(open_.front()), plan_.actions});
        open_.pop_front();
    }
}

wire::TriggerState RunningTrigger::state() const {
    if (!open_.empty()) return wire::TRIGGER_POST_FILLING;
    if (stopped_) return wire::TRIGGER_STOPPED;
    if (now_ < armed_since_) return wire::TRIGGER_FIRED;
    return now_ < trigger::later(armed_since_, ticks(plan_.pre_ps)) ? wire::TRIGGER_PRE_FILLING : wire::TRIGGER_ARMED;
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
