// What becomes of one kind of kernel event: a Handler an event id, made by the makers below, all writing into one LaneAccount.
#pragma once

#include "agent/linux/events/lane_sink.h"
#include "agent/linux/events/task_table.h"
#include "agent/linux/symbols/uprobes.h"
#include "agent/linux/tracefs/event_format.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sla::linux {

// One kernel event in time, place and task.
struct Occurrence {
    std::uint64_t tick = 0;
    int cpu = 0;
    Task* task = nullptr;  // of that tid, where it has been looked up already
    std::int32_t tid = 0;  // apart from cpu: side by side the compiler packs the two in a vector first, which takes longer
    const RecordBytes& record;  // not a copy: 16 bytes read just behind two writes of 8 would wait for them
};

// Spans that are open somewhere, innermost last. No more than kMaxOpen are remembered, the newest: nothing nests deeper (the
// kernel traces no deeper return either), so that older ones have an end that is not traced, or was never reached.
inline constexpr std::size_t kMaxOpen = 64;
void open_span(std::vector<LaneNumber>& open, LaneNumber lane);
void close_span(std::vector<LaneNumber>& open, LaneNumber lane);

// What the handlers share. Spans of a CPU (interrupts) are remembered here, so that a loss can cut them.
struct LaneAccount {
    explicit LaneAccount(LaneSink& to, TaskTable::Lookup lookup = {}) : sink(to), tasks(to, std::move(lookup)) {}

    Task& task_of(const Occurrence& at) { return at.task != nullptr ? *at.task : tasks.task(at.tid); }
    void begin_on_cpu(LaneNumber lane, const Occurrence& at, std::uint64_t value);
    void end_on_cpu(LaneNumber lane, const Occurrence& at, std::uint64_t value);
    // "linux.cpu.N"
    LaneNumber cpu_lane(int cpu);
    // Events of this CPU were lost: what was going on there, or in any task, may have ended unseen.
    void cut(int cpu, std::uint64_t tick, std::uint64_t until_tick);

    LaneSink& sink;
    TaskTable tasks;
    // Lanes by interrupt number: irq_handler_exit has the number only, the entry before it had the name.
    std::unordered_map<std::uint64_t, LaneNumber> irq_lanes;
    std::string last_vm;  // the virtual machine seen last

private:
    std::vector<LaneNumber>& open_on(int cpu);
    std::vector<std::vector<LaneNumber>> open_;  // by CPU: innermost last
    std::vector<LaneNumber> cpu_lanes_;
};

// A lane that is made when its first event comes: what never happens leaves no lane.
class LazyLane {
public:
    explicit LazyLane(std::string name) : name_(std::move(name)) {}
    LaneNumber in(LaneSink& sink) {
        if (number_ == 0) number_ = sink.lane(name_, "");
        return number_;
    }

private:
    std::string name_;
    LaneNumber number_ = 0;
};

// How nearly all events of a kind become a row each: the edge of a span in the lane of their number. The translator does
// this itself: a call, and each pointer more on the way to the row, would show.
struct UsualEdge {
    struct Lane {
        WaitingRows* rows = nullptr;  // none: not usual, the handler takes it
        LaneNumber number = 0;
    };
    // Offsets in the record, of words of 64 bits.
    std::size_t number_at = 0;
    std::size_t value_at = 0;
    std::size_t needs = SIZE_MAX;     // bytes of a record that has both
    std::span<const Lane> by_number;  // beyond: not usual either
    LaneNumber opens = 0;             // all bits: a begin, the task is inside from here on; none: an end
    std::uint8_t code = 0;
};

class Handler {
public:
    virtual ~Handler() = default;
    virtual void take(const Occurrence& at) = 0;
    // Of events that belong to a task; as left here, none of them is usual.
    [[nodiscard]] virtual UsualEdge usual() const { return {}; }
};
using HandlerPtr = std::unique_ptr<Handler>;

// Each gives a handler when the event is one of its own, else nothing.
HandlerPtr make_interrupt_handler(const EventFormat& format, LaneAccount& account);
HandlerPtr make_sched_handler(const EventFormat& format, LaneAccount& account);
HandlerPtr make_syscall_handler(const EventFormat& format, LaneAccount& account);
HandlerPtr make_kvm_handler(const EventFormat& format, LaneAccount& account);
// For a hook in a program's function.
HandlerPtr make_function_handler(const EventFormat& format, LaneAccount& account, const std::string& lane, ProbeEdge edge);
// For everything: page faults, timers as spans, and text with one value for the rest.
HandlerPtr make_plain_handler(const EventFormat& format, LaneAccount& account);

// The field that says most as a number; nullptr: there is none.
const Field* main_field(const EventFormat& format);

}  // namespace sla::linux
