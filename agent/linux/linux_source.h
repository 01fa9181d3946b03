// The Linux host as a source: kernel trace events of this machine, on the same clock as everything else.
//
//   kernel's ring of each CPU ─► TraceStream ─► Translator ─► LaneSink
//
// Made from what was opened, here (TraceSession) or by a process with more privileges (PrivilegedHelper); then one owner thread steps
// it. The kernel never wakes us.
#pragma once

#include "agent/linux/events/translator.h"
#include "agent/linux/tracefs/opened_trace.h"
#include "agent/linux/tracefs/trace_session.h"
#include "agent/linux/tracefs/trace_stream.h"
#include "proto/base/result.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sla::linux {

class LinuxSource {
public:
    // Tracing runs from here on. Errors as TraceSession::open.
    static Result<std::unique_ptr<LinuxSource>> start(OpenedTrace opened, LaneSink& sink);
    // Opens it in this process.
    static Result<std::unique_ptr<LinuxSource>> start(const LinuxOptions& options, LaneSink& sink);

    struct Step {
        std::size_t taken = 0;    // events
        std::uint64_t bound = 0;  // nothing at or below it is still to come
        bool pressed = false;     // there is more: come back at once
        double fullness = 0;      // of the fullest CPU's buffer when it was read, 0..1; 0: not known
    };
    Step step(std::uint64_t now);
    // No more events from here on; what is there can still be stepped out.
    void stop();

private:
    LinuxSource(OpenedTrace opened, LaneSink& sink)
        : opened_(std::move(opened)),
          translator_(sink, {[this](std::int32_t tid) { return opened_.name_of(tid); }, leader_from_proc}) {}
    Result<void> set_up(LaneSink& sink);
    void settle(std::uint64_t now, const std::vector<CpuLosses>& reported, const TraceStream::Filled& filled);

    std::unique_ptr<TraceSession> session_;  // when it was opened here; outlives all descriptors below
    OpenedTrace opened_;
    TraceStream stream_;
    Translator translator_;
    std::uint64_t next_settle_ = 0;
    bool stopped_ = false;
};

}  // namespace sla::linux
