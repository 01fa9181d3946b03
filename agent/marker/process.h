/* The library as a guest of the program: its lock, its thread, what it has of the system. Not installed. */
#ifndef SLA_MARKER_PROCESS_H
#define SLA_MARKER_PROCESS_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SLA_HIDDEN __attribute__((visibility("hidden")))

/* registry.c. Blocks every signal and takes the registry lock, so that no handler of this thread can come to want the lock it
 * holds, and no cancellation ends the thread that has it. Unlocking puts all back as it was, errno too. Who has it already, and
 * comes `again` because the program marks what the library calls, gets by without. */
struct sla_locked {
    sigset_t before;
    int cancel_before;
    int errno_before;
    bool again;
};
SLA_HIDDEN struct sla_locked sla_lock(void);
SLA_HIDDEN void sla_unlock(const struct sla_locked* locked);
SLA_HIDDEN void sla_lock_let_go(void); /* for a while; signals stay blocked */
SLA_HIDDEN void sla_lock_take_again(void);
/* Without the lock meanwhile; false: nobody woke it. */
SLA_HIDDEN bool sla_wait(pthread_cond_t* condition, const struct timespec* until);

/* environment.c; under the lock, but that the attach thread, which starts later, reads it as it likes. */
struct sla_settings {
    char runtime_dir[256]; /* a socket's path is shorter: what does not fit here would not fit there */
    char session_dir[256];
    char counters[64];
    uint64_t ring_slots; /* 0: nobody says */
    bool debug;
    bool valgrind; /* the program runs under it */
};
SLA_HIDDEN const struct sla_settings* sla_environment(void);
SLA_HIDDEN void sla_environment_forget_after_fork(void);
SLA_HIDDEN int sla_agent_path(char* path, size_t capacity, const char* leaf); /* as sla_runtime_path */

/* files.c */
struct sla_file {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
};
SLA_HIDDEN void sla_files_leave_program(void); /* the calling thread gets a table of descriptors of its own, if it can */
SLA_HIDDEN bool sla_files_are_apart(void);
SLA_HIDDEN void sla_files_forget_after_fork(void);
SLA_HIDDEN bool sla_file_keep(struct sla_file* file, int fd); /* parks it and notes which file it is */
SLA_HIDDEN bool sla_file_is_ours(const struct sla_file* file);
SLA_HIDDEN void sla_file_close(struct sla_file* file); /* a number that is not ours any more is left alone */
/* Text with a NUL; what read() gave, -1: cannot be opened. */
SLA_HIDDEN ssize_t sla_read_file(const char* path, char* text, size_t capacity);

/* link.c; all but receiving under the lock. Connected, there is a segment; announced, the agent has it and markers are on.
 * Receiving waits a second at most, or does not wait. */
enum sla_received { SLA_GOT_NOTHING, SLA_GOT_WELCOME, SLA_GOT_CONTROLS, SLA_GOT_REFUSAL, SLA_GOT_LOSS };
SLA_HIDDEN bool sla_link_connect(void);
SLA_HIDDEN bool sla_link_announce(void);
SLA_HIDDEN enum sla_received sla_link_receive(bool wait);
SLA_HIDDEN void sla_link_close(void);
SLA_HIDDEN void sla_link_forget_after_fork(void);

/* attach.c */
SLA_HIDDEN bool sla_attached(void); /* under the lock: looks for an agent, the first time; true when one listens */
SLA_HIDDEN bool sla_is_on(void);
SLA_HIDDEN bool sla_look_is_to_come(void); /* nobody knows yet whether an agent listens */
SLA_HIDDEN bool sla_is_late(void);         /* nor does anybody wait for that any more; anybody may ask, as the two above */
SLA_HIDDEN void sla_attach_before_exit(void); /* waits for it a second at most, where something was marked */
SLA_HIDDEN bool sla_thread_runs(void);
SLA_HIDDEN bool sla_thread_lives(void); /* has begun to run; any thread may ask */
SLA_HIDDEN void sla_changed(void);      /* wakes all who wait for a change, the thread too; under the lock, as the next */
SLA_HIDDEN void sla_wait_for_change(long milliseconds);
SLA_HIDDEN void sla_attach_forget_after_fork(void);

/* sandbox.c */
SLA_HIDDEN bool sla_in_sandbox(void);                      /* no system call any more */
SLA_HIDDEN void sla_park(const struct sla_locked* locked); /* the attach thread's end; does not return */

/* fork.c */
SLA_HIDDEN bool sla_memory_is_ours(void); /* no: this is a child of vfork, or of clone with its parent's memory */
SLA_HIDDEN void sla_notice_child(void);
SLA_HIDDEN bool sla_is_new_child(void);  /* and has not noticed it */
SLA_HIDDEN void sla_know_children(void); /* those that come without fork's handlers; alone, or under the lock */

/* leader.c: the process's first thread. */
SLA_HIDDEN bool sla_leader_is_here(void); /* as the library is loaded: true on that thread */
/* Of a thread whose data is destroyed. True: it is the first one, and comes by here again; from the last time it may not come
 * back, but end the program. */
SLA_HIDDEN bool sla_leader_ends(void);
SLA_HIDDEN bool sla_leader_waits(void);
SLA_HIDDEN bool sla_leader_left_us_alone(void);  /* it has ended by the system call, and all others but ours too */
SLA_HIDDEN bool sla_leader_left_uncounted(void); /* it has ended, and nobody says how many others there are */
SLA_HIDDEN void sla_leader_end_after(void);      /* ends the calling thread: the last, whose status is the process's */
SLA_HIDDEN void sla_leader_forget_after_fork(void);
SLA_HIDDEN bool sla_is_exiting(void); /* of any: its main function has returned, or somebody has called exit */

/* debug.c: says why nothing is recorded, when SLA_DEBUG is set; a library has no business on stderr otherwise. */
SLA_HIDDEN void sla_debug(const char* what, int errno_value);

#endif
