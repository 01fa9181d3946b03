/* The process and the agent.
 *
 *                      agent found                     agent gone
 *   NEW ── first marker ────────────► ON ◄──────────────────────────► OFF      (every change by sla_attach's caller or by
 * the └─────────── no agent ──────────────────────────────────────────►┘        one small thread, under the registry lock)
 *
 * ON: channels are armed, markers write. OFF: armed == 0, a marker is a load and a branch. The segment is made once and
 * kept: a new agent gets the same one and goes on where the last one stopped reading. What an agent wished of channels
 * (filter.c) goes with it.
 */
#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include "proto/base/runtime_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum state { STATE_NEW, STATE_ON, STATE_OFF };

static pthread_mutex_t registry_lock = PTHREAD_MUTEX_INITIALIZER;
/* All below are under the lock. */
static enum state state;
static sla_channel* listed_channels;
static int agent_socket = -1;
static ino_t segment_inode; /* to notice that the program closed our descriptor and somebody else has its number */
static bool thread_runs;
static bool fork_handler_set;

struct sla_locked sla_lock(void) {
    struct sla_locked locked;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &locked.before);
    pthread_mutex_lock(&registry_lock);
    return locked;
}

void sla_unlock(const struct sla_locked* locked) {
    pthread_mutex_unlock(&registry_lock);
    pthread_sigmask(SIG_SETMASK, &locked->before, NULL);
}

/* Under the lock. The threads that mark may see all this late: fine. */
static void arm(sla_channel* channel, enum sla_armed armed) {
    bool on = armed == SLA_ARMED_ON;
    uint32_t offset = (channel->index * SLA_WIDTH_COUNT + SLA_WIDTH_PLAIN) * (uint32_t)sizeof(struct sla_writer);
    __atomic_store_n(&channel->direct, on ? channel->owner : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&channel->offset, on ? offset : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&channel->armed, armed, __ATOMIC_RELAXED);
}

static void arm_all(enum sla_armed armed) {
    for (sla_channel* channel = listed_channels; channel; channel = channel->next) arm(channel, armed);
}

static int connect_to_agent(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char dir[sizeof address.sun_path];
    if (sla_runtime_path(dir, sizeof dir, NULL) < 0 ||
        sla_runtime_path(address.sun_path, sizeof address.sun_path, SLA_PROGRAMS_SOCKET) < 0) {
        sla_debug("the runtime directory's path is too long for a socket", 0);
        return -1;
    }
    int refused = sla_runtime_dir_trusted(dir);
    if (refused) {
        if (refused != ENOENT) sla_debug("the runtime directory is not this user's alone, not attaching", refused);
        return -1;
    }
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    if (connect(fd, (struct sockaddr*)&address, sizeof address) == 0) return fd;
    close(fd);
    return -1;
}

static bool hand_over_segment(int socket_fd) {
    struct stat info;
    if (fstat(sla_segment_fd(), &info) != 0 || (segment_inode && info.st_ino != segment_inode)) {
        sla_debug("the program closed the segment's descriptor, not attaching again", 0);
        return false;
    }
    segment_inode = info.st_ino;
    struct sla_hello hello = {SLA_HELLO_MAGIC, SLA_ABI_VERSION, (uint32_t)getpid(), SLA_SEGMENT_BYTES};
    struct iovec data = {&hello, sizeof hello};
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr* rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    int fd = sla_segment_fd();
    memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    return sendmsg(socket_fd, &message, MSG_NOSIGNAL) == (ssize_t)sizeof hello;
}

/* Under the lock. The rings are usable at once; the agent finds what is in them when it gets to reading. Markers are on
 * before the agent hears of the segment: it finds the tick since which nothing is missed. */
static bool find_agent(void) {
    int fd = connect_to_agent();
    if (fd >= 0 && sla_segment_create()) {
        arm_all(sla_clock_armed());
        sla_segment_attached();
        if (hand_over_segment(fd)) {
            agent_socket = fd;
            state = STATE_ON;
            return true;
        }
        arm_all(SLA_ARMED_OFF);
    }
    if (fd >= 0) close(fd);
    state = STATE_OFF;
    return false;
}

static void lose_agent(int fd) {
    struct sla_locked locked = sla_lock();
    if (agent_socket == fd) {
        agent_socket = -1;
        state = STATE_OFF;
        sla_segment_detached();
        arm_all(SLA_ARMED_OFF);
        sla_filter_clear_all();
    }
    sla_unlock(&locked);
    close(fd);
}

/* The agent has changed what it wants of some channels or rings. */
static void obey(int fd) {
    struct sla_locked locked = sla_lock();
    for (sla_channel* channel = listed_channels; channel && agent_socket == fd; channel = channel->next) {
        arm(channel, sla_filter_armed(channel));
    }
    sla_unlock(&locked);
    sla_grow_rings();
}

/* Waits until the agent closes its end, or refuses this program: then it is false. */
static bool wait_for_loss(int fd) {
    bool welcome_here = true;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    for (;;) {
        if (poll(&wait, 1, -1) < 0 && errno != EINTR) break;
        struct sla_welcome welcome;
        ssize_t got = recv(fd, &welcome, sizeof welcome, MSG_DONTWAIT);
        if (got == (ssize_t)sizeof welcome) {
            if (welcome.status == SLA_WELCOME_CONTROLS) obey(fd);
            if (welcome.status == SLA_WELCOME_OK || welcome.status == SLA_WELCOME_CONTROLS) continue;
            sla_debug("the agent refused this program: its version differs, its user, or its clock", 0);
            welcome_here = false;
            break;
        }
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        break;
    }
    lose_agent(fd);
    return welcome_here;
}

/* Sleeps until something appears in the runtime directory (an agent's socket), or a while where that cannot be watched. */
static void wait_for_agent(void) {
    char dir[256];
    int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    bool watched = watch >= 0 && sla_runtime_path(dir, sizeof dir, NULL) > 0 &&
                   inotify_add_watch(watch, dir, IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR) >= 0;
    struct pollfd wait = {.fd = watched ? watch : -1, .events = POLLIN};
    poll(&wait, 1, watched ? 1000 : 200);
    if (watch >= 0) close(watch);
}

static void* attach_thread(void* unused) {
    (void)unused;
    prctl(PR_SET_NAME, "sla-attach", 0, 0, 0);
    for (;;) {
        struct sla_locked locked = sla_lock();
        if (state == STATE_OFF) find_agent();
        int fd = agent_socket;
        sla_unlock(&locked);
        if (fd < 0 || !wait_for_loss(fd)) wait_for_agent();
    }
    return NULL;
}

static void start_thread(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (thread_runs || pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int failed = pthread_create(&thread, &attributes, attach_thread, NULL); /* inherits a mask with every signal blocked */
    pthread_attr_destroy(&attributes);
    thread_runs = failed == 0;
    if (failed) sla_debug("cannot start the thread that waits for agents", failed);
}

static void disown(sla_channel* channel) {
    __atomic_store_n(&channel->owner, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&channel->direct, 0,
                     __ATOMIC_RELAXED); /* read by its owner, which is us, and by those it does not name */
    memset(&channel->own, 0, sizeof channel->own);
}

void sla_disown_channels(void) {
    struct sla_locked locked = sla_lock();
    for (sla_channel* channel = listed_channels; channel; channel = channel->next) {
        if (channel->owner != sla_self()) continue;
        sla_close_ring(&channel->own);
        disown(channel);
    }
    sla_unlock(&locked);
}

/* In the child, only the forking thread exists: everything starts anew, with a segment of its own at the next marker. */
static void forked_child(void) {
    pthread_mutex_init(&registry_lock, NULL);
    if (agent_socket >= 0) close(agent_socket);
    agent_socket = -1;
    segment_inode = 0;
    thread_runs = false;
    sla_thread_forget_after_fork();
    sla_segment_forget_after_fork();
    sla_rings_forget_after_fork();
    state = STATE_NEW;
    for (sla_channel* channel = listed_channels; channel; channel = channel->next) {
        channel->listed = 1; /* a fork between linking and listing must not link it twice */
        __atomic_store_n(&channel->index, 0, __ATOMIC_RELAXED);
        disown(channel);
        arm(channel, SLA_ARMED_ON);
    }
}

/* Under the lock: true when an agent listens. */
static bool attached(void) {
    if (!fork_handler_set) fork_handler_set = pthread_atfork(NULL, NULL, forked_child) == 0;
    if (state == STATE_NEW) find_agent();
    start_thread();
    return state == STATE_ON;
}

static enum sla_prepared prepare_locked(sla_channel* channel, int depth, enum sla_width width) {
    bool on = attached();
    if (!channel->listed) {
        channel->next = listed_channels;
        listed_channels = channel;
        channel->listed = 1;
    }
    if (on && !channel->index) __atomic_store_n(&channel->index, sla_register_channel(channel), __ATOMIC_RELAXED);
    enum sla_armed armed = on ? sla_filter_armed(channel) : SLA_ARMED_OFF;
    arm(channel, armed);
    if (armed == SLA_ARMED_OFF) return SLA_PREPARED_OFF;
    if (!channel->index || !sla_thread_table_make(depth)) return SLA_PREPARED_NO_ROOM;
    bool may_own =
        depth == 0 && width == SLA_WIDTH_PLAIN && channel->owner == 0 && !sla_writer_of(channel, width, depth)->ring;
    struct sla_writer* writer = may_own ? &channel->own : sla_writer_of(channel, width, depth);
    if (!writer->ring && !sla_claim_ring(channel, width, writer)) return SLA_PREPARED_NO_ROOM;
    if (may_own) {
        __atomic_store_n(&channel->owner, sla_self(), __ATOMIC_RELAXED); /* read by sla_writer_of */
        arm(channel, armed);
    }
    return SLA_PREPARED_READY;
}

enum sla_prepared sla_prepare(sla_channel* channel, int depth, enum sla_width width) {
    int saved_errno = errno;
    struct sla_locked locked = sla_lock();
    enum sla_prepared prepared = prepare_locked(channel, depth, width);
    sla_unlock(&locked);
    errno = saved_errno;
    return prepared;
}

static void count_loss(uint64_t* count, uint64_t* first_tick, uint64_t* last_tick) {
    uint64_t now = sla_now();
    uint64_t none = 0;
    __atomic_compare_exchange_n(first_tick, &none, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    __atomic_store_n(last_tick, now, __ATOMIC_RELAXED);
    __atomic_fetch_add(count, 1, __ATOMIC_RELEASE); /* pairs with SegmentView's acquire of it: it sees the ticks */
}

void sla_count_no_ring(const sla_channel* channel) {
    struct sla_segment_header* segment = sla_segment();
    if (!segment) return;
    uint32_t index = __atomic_load_n(&channel->index, __ATOMIC_RELAXED);
    if (index) {
        struct sla_channel_descriptor* descriptor = sla_descriptor(index);
        count_loss(&descriptor->lost_no_ring, &descriptor->lost_first_tick, &descriptor->lost_last_tick);
    } else {
        count_loss(&segment->lost_no_channel, &segment->no_channel_first_tick, &segment->no_channel_last_tick);
    }
    /* pairs with SegmentView::lost_without_ring: who sees this sees the count above */
    __atomic_fetch_add(&segment->lost_without_ring, 1, __ATOMIC_RELEASE);
}

int sla_attach(void) {
    struct sla_locked locked = sla_lock();
    bool on = attached();
    sla_unlock(&locked);
    return on;
}

void sla_describe_source(const char* name, enum sla_source_kind kind) {
    struct sla_locked locked = sla_lock();
    sla_segment_describe(name ? name : "", kind);
    sla_unlock(&locked);
}
