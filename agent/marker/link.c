/* The way to the agent: finding its socket, handing the segment over, receiving what it says. */
#define _GNU_SOURCE
#include "agent/marker/internal.h"

#include "proto/base/runtime_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* Looks, at an agent that still has to read the segment before: 10 s, as they come ever more slowly. */
enum { MOST_LOOKS = 16 };

static struct sla_file agent_socket = {.fd = -1};
/* The process at the other end of agent_socket, asked for where descriptors can be lost; 0: in another PID namespace. */
static pid_t listener;
static pid_t reader;   /* the one that was last given the segment */
static int looks_left; /* at the reader, as long as it has read nothing more */
static uint64_t unread_before;

/* Why the last look found no agent, as SLA_DEBUG was told: once, not at every look. */
static int told;

static void tell_no_agent(const char* what, const char* path, int why) {
    if (why == told || !sla_environment()->debug) return;
    told = why;
    char line[sizeof(struct sockaddr_un) + 96];
    snprintf(line, sizeof line, "%s %s", what, path);
    sla_debug(line, why);
}

/* A socket that waits a second at most, so that the attach thread can look up. -1: there is no agent, or none for us. */
static int connect_to_agent(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char dir[sizeof address.sun_path];
    if (sla_agent_path(dir, sizeof dir, NULL) < 0 ||
        sla_agent_path(address.sun_path, sizeof address.sun_path, SLA_PROGRAMS_SOCKET) < 0) {
        tell_no_agent("the runtime directory's path is too long for a socket, not attaching:", SLA_PROGRAMS_SOCKET,
                      ENAMETOOLONG);
        return -1;
    }
    int refused = sla_runtime_dir_trusted(dir);
    if (refused) {
        const char* what = refused == ENOENT ? "no agent listens, it is looked for again:"
                                             : "the runtime directory is not this user's alone, not attaching:";
        tell_no_agent(what, refused == ENOENT ? address.sun_path : dir, refused);
        return -1;
    }
    int fd = (int)syscall(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    struct timeval wait = {.tv_sec = 1};
    if (syscall(SYS_connect, fd, &address, sizeof address) == 0 &&
        syscall(SYS_setsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) == 0 &&
        syscall(SYS_fcntl, fd, F_SETFL, 0) == 0) {
        return fd;
    }
    tell_no_agent("no agent listens, it is looked for again:", address.sun_path, errno);
    syscall(SYS_close, fd);
    return -1;
}

static struct sla_hello hello_of(uint64_t segment_bytes) {
    return (struct sla_hello){SLA_HELLO_MAGIC, SLA_ABI_VERSION, (uint32_t)getpid(), segment_bytes};
}

/* So that who records knows that something is missing. */
static void say_without_segment(void) {
    struct sla_hello hello = hello_of(0);
    syscall(SYS_sendto, agent_socket.fd, &hello, sizeof hello, MSG_NOSIGNAL | MSG_DONTWAIT, NULL, 0);
}

static bool send_segment(void) {
    struct sla_hello hello = hello_of(SLA_SEGMENT_BYTES);
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
    return syscall(SYS_sendmsg, agent_socket.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (long)sizeof hello;
}

static pid_t process_behind(int fd) {
    struct ucred who = {0};
    socklen_t length = sizeof who;
    return syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 ? who.pid : 0;
}

/* The program took the segment's number: another segment takes its place. What is unread in this one goes along, but where
 * the agent that has it lives on: that one reads it where it is, and nothing is attached until it has. It may only be
 * stopped, and die then. */
static bool renew_segment(void) {
    bool has_gone = listener != reader;
    uint64_t unread = has_gone ? 0 : sla_segment_unread();
    if (unread != unread_before || looks_left < 0) looks_left = MOST_LOOKS;
    unread_before = unread;
    if (unread > 0 && looks_left-- > 0) return false;
    return sla_segment_renew(has_gone);
}

bool sla_link_connect(void) {
    int fd = connect_to_agent();
    if (fd < 0) return false;
    if (!sla_file_keep(&agent_socket, fd)) return false;
    listener = sla_files_are_apart() ? 0 : process_behind(agent_socket.fd);
    bool made = sla_segment_create();
    if (!made) say_without_segment();
    if (made && sla_segment_fd() < 0) made = renew_segment();
    if (!made) sla_file_close(&agent_socket);
    return made;
}

/* What is marked can be read at once, be it that the program ends in the next moment. */
bool sla_link_announce(void) {
    sla_segment_attaching();
    if (!sla_file_is_ours(&agent_socket) || !send_segment()) {
        sla_file_close(&agent_socket);
        return false;
    }
    reader = listener;
    sla_arm_all(sla_clock_armed());
    sla_segment_attached();
    return true;
}

enum sla_received sla_link_receive(bool wait) {
    struct sla_welcome welcome;
    if (!sla_file_is_ours(&agent_socket)) return SLA_GOT_LOSS;
    long got = syscall(SYS_recvfrom, agent_socket.fd, &welcome, sizeof welcome, wait ? 0 : MSG_DONTWAIT, NULL, NULL);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return SLA_GOT_NOTHING;
    if (got != (long)sizeof welcome) return SLA_GOT_LOSS;
    if (welcome.status == SLA_WELCOME_OK) {
        told = 0;
        sla_debug("an agent records this program", 0);
        return SLA_GOT_WELCOME;
    }
    if (welcome.status == SLA_WELCOME_CONTROLS) return SLA_GOT_CONTROLS;
    sla_debug("the agent refused this program: its version differs, its user, or its clock", 0);
    return SLA_GOT_REFUSAL;
}

void sla_link_close(void) {
    sla_file_close(&agent_socket);
}

void sla_link_forget_after_fork(void) {
    if (!sla_files_are_apart()) sla_file_close(&agent_socket); /* in a table apart it was never the child's */
    agent_socket.fd = -1;
}
