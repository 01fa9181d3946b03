// The Linux host as a source: kernel trace events of this machine, on the same TSC as everything else.
//
//   kernel's ring of each CPU ─► TraceStream ─► Translator ─► LaneSink
//
// Set up by start(); then one owner thread steps it. The kernel never wakes us. What the kernel holds for us is gone with
// this object, or at the latest when the next one starts.
#pragma once

#include "agent/source/linux/trace_instance.h"
#include "agent/source/linux/trace_stream.h"
#include "agent/source/linux/translator.h"
#include "proto/base/result.h"

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sla::source {

struct LinuxOptions {
    std::string events;                // as typed: "irq,sched:sched_switch if prev_pid==42"
    std::vector<std::string> uprobes;  // as typed: "/path/prog:function", see uprobes.h
    std::vector<pid_t> pids;           // these and their children only; empty: the whole machine
    std::uint64_t buffer_bytes = 0;    // of the kernel's buffer, per CPU; 0: chosen by the number of CPUs
};

// Something to trace was asked for.
inline bool wants_trace(const LinuxOptions& options) {
    return !options.events.empty() || !options.uprobes.empty();
}

class LinuxSource {
public:
    // kInvalidInput: what was typed is wrong. kUnavailable: this machine or user cannot; says why and what to do.
    static Result<std::unique_ptr<LinuxSource>> start(const LinuxOptions& options, LaneSink& sink);

    struct Step {
        std::size_t taken = 0;    // events
        std::uint64_t bound = 0;  // nothing at or below it is still to come
        bool pressed = false;     // there is more: come back at once
    };
    Step step(std::uint64_t now);
    // No more events from here on; what is there can still be stepped out.
    void stop();

private:
    LinuxSource(std::string tracefs, std::unique_ptr<TraceInstance> trace, LaneSink& sink)
        : tracefs_(std::move(tracefs)),
          trace_(std::move(trace)),
          translator_(sink, [this](std::int32_t tid) { return name_of(tid); }) {}
    [[nodiscard]] std::vector<CpuLosses> losses() const;
    void settle(std::uint64_t now, const std::vector<CpuLosses>& told, const TraceStream::Filled& filled);
    Result<void> set_up(const std::string& tracefs, const std::vector<SelectedEvent>& events, const LinuxOptions& options);
    Result<void> hook_functions(const std::string& tracefs, const std::vector<std::string>& typed);

    // Of a thread that may be gone by now; empty: nobody knows.
    [[nodiscard]] std::string name_of(std::int32_t tid) const;

    std::string tracefs_;
    std::unique_ptr<UprobeSet> uprobes_;    // outlives the instance that has them switched on
    std::unique_ptr<TraceInstance> trace_;  // outlives the descriptors in stream_
    TraceStream stream_;
    Translator translator_;
    std::uint64_t next_settle_ = 0;
    bool stopped_ = false;
};

}  // namespace sla::source
