#include "emu/bus/event_queue.h"

#include "proto/base/check.h"

namespace sla::bus {

EventQueue::TimerId EventQueue::add_timer(std::function<void(Nanoseconds)> action) {
    timers_.push_back({std::move(action), std::nullopt, false});
    return timers_.size() - 1;
}

void EventQueue::arm(TimerId timer, Nanoseconds due) {
    SLA_CHECK(timer < timers_.size());
    timers_[timer].due = due;
}

void EventQueue::disarm(TimerId timer) {
    SLA_CHECK(timer < timers_.size());
    timers_[timer].due.reset();
}

std::optional<Nanoseconds> EventQueue::next_due() const {
    std::optional<Nanoseconds> next;
    for (const Timer& timer : timers_) {
        if (timer.due && (!next || *timer.due < *next)) next = timer.due;
    }
    return next;
}

void EventQueue::run_due() {
    const Nanoseconds now = clock_.now();
    for (Timer& timer : timers_) timer.ran = false;
    for (;;) {
        Timer* first = nullptr;
        for (Timer& timer : timers_) {
            if (timer.ran || !timer.due || *timer.due > now) continue;
            if (first == nullptr || *timer.due < *first->due) first = &timer;
        }
        if (first == nullptr) return;
        const Nanoseconds due = *first->due;
        first->due.reset();
        first->ran = true;
        first->action(due);
    }
}

}  // namespace sla::bus
