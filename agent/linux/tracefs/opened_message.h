// An OpenedTrace, or why there is none, over a Unix stream socket: one length-prefixed block, then a byte with a descriptor
// each.
//
//   u64 length │ block: u32 kind, then  kind 0: error code, message
//                                       kind 1: page size, CPUs, events, whether there is a file of names
//   '.' + SCM_RIGHTS, in this order: running, [names], pages and stats of each CPU
#pragma once

#include "agent/linux/tracefs/opened_trace.h"
#include "proto/base/result.h"

#include <cstddef>
#include <span>

namespace sla::linux {

bool send_opened(int socket, const OpenedTrace& opened);
bool send_refusal(int socket, const Error& error);
// kUnavailable too when the other side went away.
Result<OpenedTrace> receive_opened(int socket);
// Returns when the other side went away; what it sends is thrown away.
void wait_for_hang_up(int socket);

}  // namespace sla::linux
