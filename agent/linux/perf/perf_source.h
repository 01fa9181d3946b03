// Watched data and samples: what perf_event_open gives, as lanes beside the kernel's trace.
//
//   a ring of each CPU ─► PerfRing ─► in time order ─► linux.watch.SYMBOL, linux.sample.EVENT ─► LaneSink
//
// A watchpoint's row says where the access was (text) and, for the last access of a look, what stood there when we looked
// (value): the processor gives no data, and of accesses between two looks only the last one's is still there. Stamps
// are CLOCK_MONOTONIC_RAW turned into ticks; how good they are is said once, as a notice. Set up by start(), then
// stepped by one owner thread. Needs no tracefs: an ordinary user has it for processes of his own.
#pragma once

#include "agent/linux/events/task_table.h"
#include "agent/linux/perf/perf_event.h"
#include "agent/linux/perf/perf_hook.h"
#include "agent/linux/perf/perf_ring.h"
#include "agent/linux/symbols/process_symbols.h"
#include "agent/linux/tracefs/raw_clock.h"

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace sla::linux {

class PerfSource {
public:
    // kInvalidInput: what was typed is wrong. kNotFound: there is no such process or symbol. kUnavailable: this machine or
    // user cannot; says why and what to do. `pids`: samples of these and their children only; none: of the whole machine.
    static Result<std::unique_ptr<PerfSource>> start(const std::vector<std::string>& watches,
                                                     const std::vector<std::string>& samples, const std::vector<pid_t>& pids,
                                                     LaneSink& sink);

    struct Step {
        std::size_t taken = 0;    // events
        std::uint64_t bound = 0;  // nothing at or below it is still to come
    };
    Step step(std::uint64_t now);
    void stop();

private:
    struct Event {
        UniqueFd fd;
        std::size_t hook = 0;
        std::uint64_t lost = 0;  // of it, as far as reported
    };
    struct OpenedEvent {
        UniqueFd fd;
        int cpu = 0;
    };
    struct Ring {
        int cpu = 0;
        int leader = -1;  // the descriptor that was mapped
        PerfRing ring;
    };
    explicit PerfSource(LaneSink& sink) : sink_(sink), tasks_(sink) {}
    static std::variant<UniqueFd, PerfRefusal> open_one(PerfHook& hook, pid_t target, int cpu);
    [[nodiscard]] Result<std::vector<OpenedEvent>> open_all(PerfHook& hook, const std::vector<pid_t>& targets) const;
    Result<void> open(std::size_t hook);
    Result<void> attach(UniqueFd fd, int cpu, std::size_t hook);
    void report_errors();
    void collect(Ring& ring, std::uint64_t now_ns);
    void give(const PerfRecord& record, bool is_newest);
    void report_losses(std::uint64_t tick);
    void report_loss(const PerfHook& hook, std::uint64_t tick, std::uint64_t count);

    LaneSink& sink_;
    TaskTable tasks_;
    ProcessSymbols symbols_;
    RawClock clock_;
    std::vector<PerfHook> hooks_;
    std::map<std::uint64_t, std::size_t> hook_of_id_;
    std::vector<Event> events_;
    std::vector<Ring> rings_;  // unmapped before events_ are closed
    std::vector<PerfRecord> waiting_;
    bool reported_damage_ = false;
    bool stopped_ = false;
};

}  // namespace sla::linux
