/* Trace markers: one line in your code, one lane of ticks in the viewer. C11 and C++17, x86-64 Linux.
 *
 *   #include <sla/marker.h>
 *   SLA_CHANNEL(rx, "net.rx");                       at file scope; a dotted name groups lanes
 *
 *   SLA_TICK(rx);   SLA_TICK(rx, len);               an instant, with an optional 64-bit integer
 *   SLA_BEGIN(rx);  SLA_BEGIN(rx, id);               a span opens ...
 *   SLA_END(rx);    SLA_END(rx, result);             ... and closes; spans of one thread nest
 *   SLA_SPAN(rx);   SLA_SPAN(rx, id);                a span from here to the end of the scope
 *   SLA_LEVEL(rx, on);                               a digital level, 0 or 1
 *   SLA_VALUE(rx, number);                           any integer or floating-point number
 *   SLA_TEXT(rx, "string");                          up to 112 bytes of UTF-8, longer text is cut and ends in "…"
 *
 * What a marker costs: with no agent a load and a branch; with an agent little more than the RDTSC in it (see
 * tests/bench/RESULTS.md). It never blocks, allocates or makes a system call once its thread has marked the channel before,
 * and works in a child after fork(). A program ends when it likes: what it marked stays readable for the agent.
 *
 * The first marker of a process (or sla_attach) reads the environment, starts one small thread, and waits until that has
 * looked for an agent and made the first rings: some 1 ms, at most a second. Where that takes longer (a starved machine, a
 * debugger), nobody waits any more, and what is marked until then is counted and lost. The first marker of a channel in a thread
 * takes one of these, some 5 µs, or makes one, some 20 µs (sla_channel_prepare does that earlier). The thread waits for
 * agents to come and go; without one it sleeps and looks again, every second at last. All signals are blocked in it, and its
 * descriptors are in a table of its own: closing all descriptors, RLIMIT_NOFILE and exec do not touch them. (Kernels
 * before 5.9, and filters that forbid close_range, know no such table: there the library parks two descriptors high in the
 * program's, and looks whether they are still its own before it uses them.)
 *
 * Signal handlers. Markers are safe in handlers, and a handler may leave by siglongjmp (the event it interrupted is counted
 * as lost). Not safe there is what starts the thread, since that allocates: a program whose very first marker may be inside
 * a handler calls sla_attach() in main. The first marker of another thread or channel allocates nothing, but makes system
 * calls (and, where the program had made 32 thread-specific keys before it loaded this library, one allocation per thread).
 * sla_channel_open allocates. errno is what it was after every call.
 *
 * Children. fork() and posix_spawn() just work; a child of vfork() marks as its parent's thread, if that has marked. A child
 * of clone() without CLONE_VM, or of _Fork(), runs none of fork's handlers: it calls sla_forked() before it marks, or does
 * not mark before exec. Where a system call needs a process of one thread (unshare or setns of a user namespace), make it
 * before the first marker.
 *
 * The end. A program whose main ends by pthread_exit ends with its last thread, as it would without markers; main's thread is
 * there until then, and cannot be joined. One whose first thread ends by the system call exit does so, too, up to a second
 * later. (One that called sla_enter_sandbox has to end by exit or exit_group.)
 *
 * Sandboxes. A system call filter without SECCOMP_FILTER_FLAG_TSYNC is its thread's alone, and the library's thread is free
 * of it. Behind one for all threads, installed when an agent is there, the library's thread may call: recvfrom, futex,
 * rt_sigprocmask, madvise, fstat, close; once the agent has gone also newfstatat, geteuid, getpid, socket, connect,
 * setsockopt, fcntl, sendmsg, and openat, read, sysinfo (where descriptors are parked getsockopt, too). A thread's first
 * marker calls rt_sigprocmask, futex, mmap, madvise, gettid and prctl, its end munmap. A filter that kills on any of them is
 * preceded by sla_enter_sandbox(). A marker is a RDTSC: a process that may not execute it (strict seccomp, PR_SET_TSC) is
 * ended by SIGSEGV at its next one, sandbox or not, as by any other RDTSC.
 *
 * Memory. What rings may ever need is address space, 700 MB of it, as soon as there is an agent. mlockall(MCL_CURRENT) makes
 * memory of all of it: a program that locks what it has does so before its first marker (MCL_FUTURE leaves it alone).
 *
 * Where the agent says that the TSC is no clock, a marker calls clock_gettime: a system call, where the kernel's clock is none
 * that programs can read by themselves.
 *
 * Compile with -DSLA_DISABLE and every marker is gone, on any processor; its arguments are not evaluated.
 */
#ifndef SLA_MARKER_H
#define SLA_MARKER_H

#include <sla/write.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A channel named at run time, for use in every macro's place. The same name gives the same channel. The name is copied; one
 * longer than 255 bytes is shortened and made unique by a hash. Never NULL; allocates. */
sla_channel* sla_channel_open(const char* name) SLA_NOEXCEPT;

/* The same with a formatter for value and details ("x86.port", see proto/wire/formatter.h; "" for none), a full-ring policy
 * (SLA_DROP_NEWEST or SLA_OVERWRITE) and the slots of each ring (a power of two, 0: chosen by the library). */
sla_channel* sla_channel_open_with(const char* name, const char* format, enum sla_policy policy,
                                   uint32_t capacity) SLA_NOEXCEPT;

/* The same of a channel whose markers are stamped in order (SLA_RDTSCP or SLA_LFENCE_RDTSC): a stamp waits for all that stands
 * in front of it, where RDTSC may run ahead by some instructions. Every such marker is a function call and costs some two times
 * as much; how wide an empty section is of these goes to the agent with the channel, so that --subtract-overhead takes it off
 * (agent/marker/README.md has figures). A processor without RDTSCP gets the other. Of a name that is open already the first
 * caller's choice holds. No difference where stamps are not the TSC's. */
sla_channel* sla_channel_open_stamped(const char* name, const char* format, enum sla_policy policy, uint32_t capacity,
                                      enum sla_stamping stamping) SLA_NOEXCEPT;

/* The tick that a marker would stamp now, for sla_record_at. Before the first marker (or sla_attach) it is the TSC's. */
uint64_t sla_now(void) SLA_NOEXCEPT;

/* For a program whose time is not the machine's, a simulator: stamps every event from now on with this tick, until it is
 * called again. First called before the first marker and sla_attach. Ticks are as long as sla_machine_now's and never go
 * backwards, but may be ahead of it or behind; readers see that the source has a clock of its own. For programs whose markers
 * are all on one thread; a function call writes each. 0: the machine's time again, as long as nothing was marked. */
void sla_own_clock(uint64_t tick) SLA_NOEXCEPT;
/* What sla_now would be without that. */
uint64_t sla_machine_now(void) SLA_NOEXCEPT;

/* Records one event. `code` is one of enum sla_code except TEXT and GAP. sla_record_at takes a tick that sla_now gave
 * earlier; ticks of one channel and thread must not go backwards (what does is counted as late). */
void sla_record(sla_channel* channel, enum sla_code code, uint64_t value) SLA_NOEXCEPT;
void sla_record_wide(sla_channel* channel, enum sla_code code, uint64_t value, uint64_t detail0,
                     uint64_t detail1) SLA_NOEXCEPT;
void sla_record_at(sla_channel* channel, enum sla_code code, uint64_t tick, uint64_t value, uint64_t detail0,
                   uint64_t detail1) SLA_NOEXCEPT;
void sla_text(sla_channel* channel, const char* text) SLA_NOEXCEPT;
/* The same of a text whose length is known, with or without a NUL behind it. */
void sla_text_bytes(sla_channel* channel, const char* text, size_t bytes) SLA_NOEXCEPT;

/* Optional, before the first marker: looks for the agent now. Returns 1 when one listens. */
int sla_attach(void) SLA_NOEXCEPT;

/* Optional: makes ready what the calling thread's first marker on that channel would have to make ready (a ring for ticks,
 * spans, levels and values; the first text, and the first sla_record_wide, has one of its own), and, as the first marker of
 * a process, looks for the agent. So the markers that follow cost the same from the first on. A channel that says how many
 * slots its rings have gets the memory of all of them here: 0.4 ms a MiB.
 *
 * 1: ready. 0: nobody listens, or the agent has switched the channel off: nothing was made, and the first marker after that
 * has changed is a first one. -1: no memory or no descriptor is left (or the thread is in a sandbox, and it is too late):
 * what this thread marks on it is lost, and counted. Safe wherever a marker is: in any thread, in signal handlers once the
 * library's thread runs, after fork; errno is what it was. With SLA_DISABLE it is 0. */
int sla_channel_prepare(sla_channel* channel) SLA_NOEXCEPT;

/* After this the library makes no system call, in no thread, for as long as the process lives. What threads have marked
 * before goes on being recorded; an event of a channel that its thread has not marked before, or for which a ring is full,
 * is lost and counted: sla_channel_prepare before this, in each thread. Switches, filters and agents that come later are not
 * noticed; a forked child records nothing. Returns 1 when an agent listens; takes up to a second. sla_channel_open and the
 * first SLA_COUNT of a thread stay what they are: before this. */
int sla_enter_sandbox(void) SLA_NOEXCEPT;

/* In a child made without fork's handlers (clone, _Fork), before its first marker: from now on it is a program of its own.
 */
void sla_forked(void) SLA_NOEXCEPT;

/* Optional, before the first marker: what people should read as this source's name, and what it is. */
enum sla_source_kind { SLA_SOURCE_PROGRAM = 1, SLA_SOURCE_PC = 2 };
void sla_describe_source(const char* name, enum sla_source_kind kind) SLA_NOEXCEPT;

/* Takes a channel off the library's list before its object is unmapped by dlclose; SLA_CHANNEL sees to it. */
void sla_channel_forget(sla_channel* channel) SLA_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#include <sla/macros.h>

#endif
