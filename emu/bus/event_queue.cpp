#include "emu/bus/event_queue.h"

#include "proto/base/check.h"

namespace sla::bus {

EventQueue::TimerId EventQueue::add_timer(std::function<void(Nanoseconds)> action, IrqLines lines) {
    timers_.push_back({std::move(action), lines, std::nullopt, false});
    return timers_.size() - 1;
}

void EventQueue::arm(TimerId timer, Nanoseconds due) {
    SLA_CHECK(timer < timers_.size());
    timers_[timer].due = due;
    if (observer_ != nullptr) observer_->timer_set(due);
    find_next();
}

void EventQueue::disarm(TimerId timer) {
    SLA_CHECK(timer < timers_.size());
    timers_[timer].due.reset();
    find_next();
}

IrqLines EventQueue::armed_lines() const {
    IrqLines lines = 0;
    for (const Timer& timer : timers_) {
        if (timer.due) lines |= timer.lines;
    }
    return lines;
}

void EventQueue::find_next() {
    next_.reset();
    for (const Timer& timer : timers_) {
        if (timer.due && (!next_ || *timer.due < *next_)) next_ = timer.due;
    }
}

void EventQueue::run_due() {
    if (!next_) return;
    const Nanoseconds now = clock_.now();
    if (*next_ > now) return;
    for (Timer& timer : timers_) timer.ran = false;
    for (;;) {
        Timer* first = nullptr;
        for (Timer& timer : timers_) {
            if (timer.ran || !timer.due || *timer.due > now) continue;
            if (first == nullptr || *timer.due < *first->due) first = &timer;
        }
        if (first == nullptr) break;
        const Nanoseconds due = *first->due;
        first->due.reset();
        first->ran = true;
        if (observer_ != nullptr) observer_->timer_fires(due);
        first->action(due);
    }
    find_next();
}

void EventQueue::visit_timer(StateVisitor& state, TimerId timer) {
    SLA_CHECK(timer < timers_.size());
    state.field("timer", timers_[timer].due);
    if (state.loads()) find_next();
}

}  // namespace sla::bus
