// The one process with privileges: it opens the trace, passes the descriptors over, and takes everything out of the kernel
// again when the agent is gone, however that came about.
//
//   agent ── fork ──► helper:  TraceSession::open ─── formats, descriptors (SCM_RIGHTS) ───► agent, may drop privileges
//                              waits for the hang-up, cleans up, ends
//
// The helper reads nothing from the agent but its hang-up, so that an agent taken over by a hostile program has nobody to
// talk to. Started before any thread. Capabilities that an ordinary user's program file gave him act in the helper alone: what
// he has the agent read or write is done with his own rights.
#pragma once

#include "agent/linux/linux_options.h"
#include "agent/linux/tracefs/opened_trace.h"
#include "proto/base/result.h"

#include <memory>

namespace sla::linux {

class PrivilegedHelper {
public:
    static Result<std::unique_ptr<PrivilegedHelper>> start(const LinuxOptions& options);
    // Hangs up, and waits until the kernel is clean.
    ~PrivilegedHelper();
    PrivilegedHelper(const PrivilegedHelper&) = delete;
    PrivilegedHelper& operator=(const PrivilegedHelper&) = delete;

    // What it opened, once; errors as TraceSession::open.
    Result<OpenedTrace> take();

private:
    PrivilegedHelper(UniqueFd socket, pid_t child) : socket_(std::move(socket)), child_(child) {}
    UniqueFd socket_;
    pid_t child_;
};

// What the program file gave an ordinary user stays, but acts no more until the helper, or what drop_privileges() keeps, needs
// it. First of all, before any file that the user names.
Result<void> set_privileges_aside();

// This process from here on without privileges: as `user` (needs root), or with `user` empty without the capabilities that
// an ordinary user's program file gave it; root without a user to become stays root. `for_perf`: keeps the two that perf
// events of other users' processes need, if it has them. Before any thread.
Result<void> drop_privileges(const std::string& user, bool for_perf);

}  // namespace sla::linux
