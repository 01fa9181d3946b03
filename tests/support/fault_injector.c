/* Preloaded into a program under test (LD_PRELOAD): counts its calls of the C library, and lets one of them fail.
 *
 *   SLA_FAULT_PROGRAM   short name of the program that is meant; all others go on undisturbed
 *   SLA_FAULT_CALLS     a file of one 64-bit number for each call of kNames, in that order: mapped, and counted up
 *   SLA_FAULT           NAME:N:ERRNO: the Nth call of NAME (from 1) fails with ERRNO, without having been made
 *
 * Counted from main on. Calls by syscall(2) count under the same names, since the marker library makes its calls so. `close`
 * is made all the same before it fails, as the kernel does. Calls that the C library makes inside of itself are not seen; nor
 * its allocation for the end of a thread's variable, without which it ends the program itself.
 */
#define _GNU_SOURCE
#include "tests/support/fault_injector.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define NAME_OF(name) #name,
static const char* const kNames[] = {SLA_FAULT_CALL_LIST(NAME_OF)};
#define NUMBER_OF(name) CALL_##name,
enum call { SLA_FAULT_CALL_LIST(NUMBER_OF) CALL_COUNT };

static uint64_t* counts; /* NULL: this program is not meant */
static enum call failing = CALL_COUNT;
static uint64_t failing_number;
static int failing_errno;

static uint64_t* map_counts(const char* path) {
    const size_t bytes = CALL_COUNT * sizeof(uint64_t);
    const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || syscall(SYS_ftruncate, fd, bytes) != 0) return NULL;
    const long at = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    return at > 0 ? (uint64_t*)at : NULL;
}

__attribute__((constructor)) static void read_environment(void) {
    const char* program = getenv("SLA_FAULT_PROGRAM");
    const char* path = getenv("SLA_FAULT_CALLS");
    const char* fault = getenv("SLA_FAULT");
    char name[32] = "";
    unsigned long long number = 0;
    int error = 0;
    if (!program || !path || strcmp(program, program_invocation_short_name) != 0) return;
    if (fault && sscanf(fault, "%31[^:]:%llu:%d", name, &number, &error) == 3) {
        for (int call = 0; call < CALL_COUNT; call++) {
            if (strcmp(kNames[call], name) == 0) failing = (enum call)call;
        }
        failing_number = number;
        failing_errno = error;
    }
    counts = map_counts(path);
}

/* From main on: what libraries do as they are loaded, nobody of ours can answer for. */
static int in_main;
static int (*real_main)(int, char**, char**);
static int counted_main(int argc, char** argv, char** environment) {
    __atomic_store_n(&in_main, 1, __ATOMIC_RELAXED);
    return real_main(argc, argv, environment);
}

static __thread int in_thread_exit; /* this thread is in __cxa_thread_atexit_impl */

/* True when this one has to fail; errno says with what. */
static int fails(enum call call) {
    if (!counts || in_thread_exit || !__atomic_load_n(&in_main, __ATOMIC_RELAXED)) return 0;
    const uint64_t number = __atomic_add_fetch(&counts[call], 1, __ATOMIC_RELAXED); /* a count; nothing hangs on its order */
    if (call != failing || number != failing_number) return 0;
    errno = failing_errno;
    return 1;
}

#define REAL(name) ((__typeof__(&name))real(&real_##name, #name))
static void* real(void** known, const char* name) {
    if (!*known) *known = dlsym(RTLD_NEXT, name);
    return *known;
}

/* WRAP(result, name, parameters, arguments, what a failure gives) */
#define WRAP_AS(counted, result, name, parameters, arguments, failure) \
    static void* real_##name;                                          \
    result name parameters {                                           \
        if (fails(CALL_##counted)) return failure;                     \
        return REAL(name) arguments;                                   \
    }
#define WRAP(result, name, parameters, arguments) WRAP_AS(name, result, name, parameters, arguments, -1)

WRAP(ssize_t, read, (int fd, void* to, size_t n), (fd, to, n))
WRAP(ssize_t, write, (int fd, const void* from, size_t n), (fd, from, n))
WRAP(ssize_t, readv, (int fd, const struct iovec* to, int n), (fd, to, n))
WRAP(ssize_t, writev, (int fd, const struct iovec* from, int n), (fd, from, n))
WRAP(ssize_t, pread, (int fd, void* to, size_t n, off_t at), (fd, to, n, at))
WRAP_AS(pread, ssize_t, pread64, (int fd, void* to, size_t n, off64_t at), (fd, to, n, at), -1)
WRAP(ssize_t, pwrite, (int fd, const void* from, size_t n, off_t at), (fd, from, n, at))
WRAP_AS(pwrite, ssize_t, pwrite64, (int fd, const void* from, size_t n, off64_t at), (fd, from, n, at), -1)
WRAP(int, ftruncate, (int fd, off_t size), (fd, size))
WRAP_AS(ftruncate, int, ftruncate64, (int fd, off64_t size), (fd, size), -1)
WRAP(off_t, lseek, (int fd, off_t at, int from), (fd, at, from))
WRAP_AS(lseek, off64_t, lseek64, (int fd, off64_t at, int from), (fd, at, from), -1)
WRAP(int, fsync, (int fd), (fd))
WRAP(int, fdatasync, (int fd), (fd))
WRAP(int, rename, (const char* from, const char* to), (from, to))
WRAP(int, unlink, (const char* path), (path))
WRAP(int, mkdir, (const char* path, mode_t mode), (path, mode))
WRAP(int, chmod, (const char* path, mode_t mode), (path, mode))
WRAP(int, flock, (int fd, int what), (fd, what))
WRAP(int, fstat, (int fd, struct stat* to), (fd, to))
WRAP_AS(fstat, int, fstat64, (int fd, struct stat64* to), (fd, to), -1)
WRAP(int, stat, (const char* path, struct stat* to), (path, to))
WRAP_AS(stat, int, stat64, (const char* path, struct stat64* to), (path, to), -1)
WRAP(int, lstat, (const char* path, struct stat* to), (path, to))
WRAP_AS(lstat, int, lstat64, (const char* path, struct stat64* to), (path, to), -1)
WRAP(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
WRAP(int, bind, (int fd, const struct sockaddr* name, socklen_t n), (fd, name, n))
WRAP(int, listen, (int fd, int backlog), (fd, backlog))
WRAP(int, connect, (int fd, const struct sockaddr* name, socklen_t n), (fd, name, n))
WRAP_AS(accept, int, accept, (int fd, struct sockaddr* name, socklen_t* n), (fd, name, n), -1)
WRAP_AS(accept, int, accept4, (int fd, struct sockaddr* name, socklen_t* n, int flags), (fd, name, n, flags), -1)
WRAP(int, getsockopt, (int fd, int level, int name, void* to, socklen_t* n), (fd, level, name, to, n))
WRAP(int, setsockopt, (int fd, int level, int name, const void* from, socklen_t n), (fd, level, name, from, n))
WRAP(int, getsockname, (int fd, struct sockaddr* name, socklen_t* n), (fd, name, n))
WRAP(int, shutdown, (int fd, int how), (fd, how))
WRAP(ssize_t, send, (int fd, const void* from, size_t n, int flags), (fd, from, n, flags))
WRAP(ssize_t, recv, (int fd, void* to, size_t n, int flags), (fd, to, n, flags))
WRAP(ssize_t, sendmsg, (int fd, const struct msghdr* message, int flags), (fd, message, flags))
WRAP(ssize_t, recvmsg, (int fd, struct msghdr* message, int flags), (fd, message, flags))
WRAP(int, epoll_create1, (int flags), (flags))
WRAP(int, epoll_ctl, (int epoll, int what, int fd, struct epoll_event* event), (epoll, what, fd, event))
WRAP(int, epoll_wait, (int epoll, struct epoll_event* events, int n, int ms), (epoll, events, n, ms))
WRAP(int, poll, (struct pollfd * fds, nfds_t n, int ms), (fds, n, ms))
WRAP(int, pipe, (int fds[2]), (fds))
WRAP(int, munmap, (void* at, size_t n), (at, n))
WRAP(int, madvise, (void* at, size_t n, int advice), (at, n, advice))
WRAP(int, mprotect, (void* at, size_t n, int protection), (at, n, protection))
WRAP_AS(mmap, void*, mmap, (void* at, size_t n, int protection, int flags, int fd, off_t offset),
        (at, n, protection, flags, fd, offset), MAP_FAILED)
WRAP_AS(mmap, void*, mmap64, (void* at, size_t n, int protection, int flags, int fd, off64_t offset),
        (at, n, protection, flags, fd, offset), MAP_FAILED)
WRAP_AS(fopen, FILE*, fopen, (const char* path, const char* mode), (path, mode), NULL)
WRAP_AS(fopen, FILE*, fopen64, (const char* path, const char* mode), (path, mode), NULL)

static void* real_eventfd;
extern int eventfd(unsigned count, int flags);
int eventfd(unsigned count, int flags) {
    return fails(CALL_eventfd) ? -1 : REAL(eventfd)(count, flags);
}

static void* real_timerfd_create;
extern int timerfd_create(int clock, int flags);
int timerfd_create(int clock, int flags) {
    return fails(CALL_timerfd_create) ? -1 : REAL(timerfd_create)(clock, flags);
}

static void* real_signalfd;
extern int signalfd(int fd, const sigset_t* mask, int flags);
int signalfd(int fd, const sigset_t* mask, int flags) {
    return fails(CALL_signalfd) ? -1 : REAL(signalfd)(fd, mask, flags);
}

static void* real_pthread_create;
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* of) {
    return fails(CALL_pthread_create) ? errno : REAL(pthread_create)(thread, attributes, run, of);
}

static void* real___libc_start_main;
extern int __libc_start_main(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void),
                             void*);
int __libc_start_main(int (*run)(int, char**, char**), int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*unload)(void), void* stack_end) {
    real_main = run;
    return REAL(__libc_start_main)(counted_main, argc, argv, init, fini, unload, stack_end);
}

static void* real_close;
int close(int fd) {
    const int failed = fails(CALL_close);
    const int why = errno;
    const int done = REAL(close)(fd);
    if (failed) errno = why;
    return failed ? -1 : done;
}

/* The mode is passed on whether it was given or not: without O_CREAT nobody reads it. */
#define WRAP_OPEN(name, before, path, and_before)                                               \
    static void* real_##name;                                                                   \
    int name(before const char* path, int flags, ...) {                                         \
        va_list rest;                                                                           \
        va_start(rest, flags);                                                                  \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(rest, unsigned) : 0; \
        va_end(rest);                                                                           \
        return fails(CALL_open) ? -1 : REAL(name)(and_before path, flags, mode);                \
    }
#define NOTHING
#define FOLDER int folder,
#define IN_FOLDER folder,
WRAP_OPEN(open, NOTHING, path, NOTHING)
WRAP_OPEN(open64, NOTHING, path, NOTHING)
WRAP_OPEN(openat, FOLDER, path, IN_FOLDER)
WRAP_OPEN(openat64, FOLDER, path, IN_FOLDER)

#define WRAP_CONTROL(counted, name, request_type)                           \
    static void* real_##name;                                               \
    int name(int fd, request_type what, ...) {                              \
        va_list rest;                                                       \
        va_start(rest, what);                                               \
        void* argument = va_arg(rest, void*);                               \
        va_end(rest);                                                       \
        return fails(CALL_##counted) ? -1 : REAL(name)(fd, what, argument); \
    }
WRAP_CONTROL(fcntl, fcntl, int)
WRAP_CONTROL(fcntl, fcntl64, int)
extern int ioctl(int fd, unsigned long request, ...);
WRAP_CONTROL(ioctl, ioctl, unsigned long)

/* By glibc's own names: dlsym itself may allocate. */
extern void* __libc_malloc(size_t n);
extern void* __libc_calloc(size_t count, size_t n);
extern void* __libc_realloc(void* old, size_t n);
void* malloc(size_t n) {
    return fails(CALL_malloc) ? NULL : __libc_malloc(n);
}
void* calloc(size_t count, size_t n) {
    return fails(CALL_malloc) ? NULL : __libc_calloc(count, n);
}
void* realloc(void* old, size_t n) {
    return fails(CALL_malloc) ? NULL : __libc_realloc(old, n);
}

static void* real_thread_exit;
int __cxa_thread_atexit_impl(void (*at_end)(void*), void* object, void* library) {
    if (!real_thread_exit) real_thread_exit = dlsym(RTLD_NEXT, "__cxa_thread_atexit_impl");
    in_thread_exit = 1;
    const int result = ((int (*)(void (*)(void*), void*, void*))real_thread_exit)(at_end, object, library);
    in_thread_exit = 0;
    return result;
}

static enum call call_of(long number) {
    switch (number) {
        case SYS_openat: return CALL_open;
        case SYS_read: return CALL_read;
        case SYS_write: return CALL_write;
        case SYS_ftruncate: return CALL_ftruncate;
        case SYS_fstat: return CALL_fstat;
        case SYS_fcntl: return CALL_fcntl;
        case SYS_socket: return CALL_socket;
        case SYS_connect: return CALL_connect;
        case SYS_setsockopt: return CALL_setsockopt;
        case SYS_sendmsg: return CALL_sendmsg;
        case SYS_recvfrom: return CALL_recv;
        case SYS_memfd_create: return CALL_memfd_create;
        case SYS_mmap: return CALL_mmap;
        case SYS_close_range: return CALL_close_range;
        default: return CALL_syscall;
    }
}

static void* real_syscall;
long syscall(long number, ...) {
    va_list rest;
    long words[6];
    va_start(rest, number);
    for (int i = 0; i < 6; i++) words[i] = va_arg(rest, long); /* those not given are read, and by nobody else */
    va_end(rest);
    const int failed = number != SYS_futex && fails(number == SYS_close ? CALL_close : call_of(number));
    const int why = errno;
    if (failed && number != SYS_close) return -1;
    const long done = REAL(syscall)(number, words[0], words[1], words[2], words[3], words[4], words[5]);
    if (failed) errno = why;
    return failed ? -1 : done;
}
