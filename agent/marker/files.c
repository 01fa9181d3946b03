/* The library's descriptors: a socket to the agent and the segment's memfd, both the attach thread's.
 *
 *   program's table    0 1 2 3 4 …                      what the program opened, and nothing else
 *   attach thread's    0 1   (socket, memfd)            a table of its own: no close(3..), no RLIMIT_NOFILE, no fork or exec
 *                                                       of the program ever sees them
 *
 * Where the kernel gives a thread no table of its own (older than 5.9, or a filter says no) they are parked high in the
 * program's, and known by device and inode: before each use we look whether the number is still ours, and where it is not we
 * let go of it without touching it. Between that look and the use lies an instant that nothing can close.
 *
 * System calls are made bare: a sanitizer that watches numbers of the program's table has no business with these.
 */
#define _GNU_SOURCE
#include "agent/marker/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE (1U << 1)
#endif

static bool own_table; /* written by the attach thread before it opens anything, and in a forked child */

/* Leaves the program's table and closes everything in the new one in one call: no file of the program is held open by us.
 * stderr stays where SLA_DEBUG asks for words on it. */
void sla_files_leave_program(void) {
    unsigned first = sla_environment()->debug ? STDERR_FILENO + 1 : 0;
    own_table = syscall(SYS_close_range, first, ~0U, CLOSE_RANGE_UNSHARE) == 0;
    if (own_table && first) syscall(SYS_close_range, 0, STDERR_FILENO - 1, 0);
}

bool sla_files_are_apart(void) {
    return own_table;
}

void sla_files_forget_after_fork(void) {
    own_table = false;
}

/* High, so that the program's next open gets the number it would have got; not so high that the table must grow much. */
static int park(int fd) {
    static const int kPlaces[] = {960, 448, 192, 64, 32};
    for (size_t i = 0; i < sizeof kPlaces / sizeof kPlaces[0]; i++) {
        long parked = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kPlaces[i]);
        if (parked < 0) continue; /* above RLIMIT_NOFILE */
        syscall(SYS_close, fd);
        return (int)parked;
    }
    return fd;
}

static bool look(int fd, struct stat* info) {
    return fd >= 0 && syscall(SYS_fstat, fd, info) == 0;
}

bool sla_file_keep(struct sla_file* file, int fd) {
    struct stat info;
    if (fd < 0) return false;
    if (!own_table) fd = park(fd);
    if (!look(fd, &info)) return false;
    *file = (struct sla_file){.fd = fd, .device = info.st_dev, .inode = info.st_ino};
    return true;
}

bool sla_file_is_ours(const struct sla_file* file) {
    struct stat info;
    return look(file->fd, &info) && info.st_dev == file->device && info.st_ino == file->inode;
}

void sla_file_close(struct sla_file* file) {
    if (sla_file_is_ours(file)) syscall(SYS_close, file->fd);
    file->fd = -1;
}

ssize_t sla_read_file(const char* path, char* text, size_t capacity) {
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
    if (fd < 0) return -1;
    ssize_t got = syscall(SYS_read, fd, text, capacity - 1);
    syscall(SYS_close, fd);
    text[got > 0 ? got : 0] = '\0';
    return got;
}
