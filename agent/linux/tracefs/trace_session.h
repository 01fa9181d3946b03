// What of a trace needs privileges: making it in the kernel, and taking it away again. Everything it made in the kernel is
// gone with it, or at the latest when the next one opens.
#pragma once

#include "agent/linux/linux_options.h"
#include "agent/linux/tracefs/opened_trace.h"
#include "agent/linux/tracefs/trace_instance.h"

#include <memory>

namespace sla::linux {

class TraceSession {
public:
    // kInvalidInput: what was typed is wrong. kUnavailable: this machine or user cannot; says why and what to do. What was
    // opened goes into `opened`; it does not run yet, and must be closed before the session goes.
    static Result<std::unique_ptr<TraceSession>> open(const LinuxOptions& options, OpenedTrace& opened);

private:
    Result<void> set_up(const std::string& tracefs, const LinuxOptions& options, OpenedTrace& opened);

    std::unique_ptr<UprobeSet> uprobes_;  // outlives the instance that has them switched on
    std::unique_ptr<TraceInstance> instance_;
};

}  // namespace sla::linux
