/* Where the sockets of one user live, and what they are called. C, so that the marker library can use it too.
 *
 *   $SLA_RUNTIME_DIR, else $XDG_RUNTIME_DIR/sla, else /tmp/sla-UID
 *
 *   programs.sock   marked programs hand over their segments here (SOCK_SEQPACKET)
 *   agent.sock      viewers, recorders and commands connect here (SOCK_STREAM, frames)
 *   agent.lock      held by the one agent of this directory
 *   agent.clock     "raw" when programs of this agent stamp with CLOCK_MONOTONIC_RAW; else not there
 */
#ifndef SLA_PROTO_BASE_RUNTIME_DIR_H
#define SLA_PROTO_BASE_RUNTIME_DIR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SLA_PROGRAMS_SOCKET "programs.sock"
#define SLA_AGENT_SOCKET "agent.sock"
#define SLA_AGENT_LOCK "agent.lock"
#define SLA_AGENT_CLOCK "agent.clock"

/* Writes "DIR/leaf" (or just DIR when leaf is NULL) into path; returns its length, or -1 when it does not fit.
 * Makes no directory and checks none. No allocation; reads the environment. */
int sla_runtime_path(char* path, size_t capacity, const char* leaf);

/* The same from what was read of the environment earlier: `own` is $SLA_RUNTIME_DIR, `session` is $XDG_RUNTIME_DIR; NULL or
 * "": not set. Reads no environment. */
int sla_runtime_path_from(const char* own, const char* session, char* path, size_t capacity, const char* leaf);

/* 0 when DIR exists, is a directory, belongs to this user and is closed to others; else an errno value
 * (ENOENT, ENOTDIR, EPERM: somebody else's or open to others). */
int sla_runtime_dir_trusted(const char* dir);

#ifdef __cplusplus
}
#endif
#endif
