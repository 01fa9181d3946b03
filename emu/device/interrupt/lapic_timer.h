// The timer of a local APIC: counts the bus clock down, divided, once or over and over. Owned by the machine's thread.
#pragma once

#include "emu/bus/event_queue.h"
#include "emu/bus/state_visitor.h"

#include <cstdint>
#include <functional>
#include <utility>

namespace sla::device {

class LapicTimer {
public:
    static constexpr bus::Nanoseconds kBusTick = 10;

    // `fires`: the count has come to its end. True: it begins anew.
    LapicTimer(bus::EventQueue& events, std::function<bool()> fires);
    LapicTimer(const LapicTimer&) = delete;
    LapicTimer& operator=(const LapicTimer&) = delete;

    void reset();
    // Both begin the count anew, from 0 none.
    void count_from(std::uint32_t initial);
    void divide_by(std::uint32_t code);  // as its register has it

    [[nodiscard]] bool runs() const { return runs_; }
    [[nodiscard]] std::uint32_t initial_count() const { return initial_count_; }
    [[nodiscard]] std::uint32_t divide() const { return divide_; }
    [[nodiscard]] std::uint32_t current_count() const { return count_at(events_.now()); }

    void visit_state(bus::StateVisitor& state);
    void visit_event(bus::StateVisitor& state) { events_.visit_timer(state, timer_); }

private:
    void start();
    void fire(bus::Nanoseconds due);
    [[nodiscard]] bus::Nanoseconds tick() const;
    [[nodiscard]] bus::Nanoseconds period() const;
    [[nodiscard]] std::uint32_t count_at(bus::Nanoseconds now) const;

    bus::EventQueue& events_;
    bus::EventQueue::TimerId timer_;
    std::function<bool()> fires_;
    std::uint32_t initial_count_ = 0;
    std::uint32_t divide_ = 0;
    bus::Nanoseconds start_ = 0;
    bool runs_ = false;
};

}  // namespace sla::device
