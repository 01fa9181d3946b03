/* Memory is asked for before it is touched: where none can be had (strict overcommit, a control group, a full machine) a
 * store would end the program with SIGBUS, and asking only fails. And the file that a segment is, within the program's limits.
 */
#define _GNU_SOURCE
#include "agent/marker/rings.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define PAGE UINT64_C(4096)
/* In pieces, so that a core with something better to do is asked for little at a time, and nobody who maps memory meanwhile
 * waits long: some 50 µs. */
static const uint64_t kPiece = UINT64_C(128) << 10;

/* For kernels before 5.14, which do not know MADV_POPULATE_WRITE: any call that writes where it is pointed makes the page or
 * fails with EFAULT. The memory is the caller's alone and zero, and is zero again afterwards. */
static bool touch(unsigned char* at, uint64_t bytes) {
    for (uint64_t done = 0; done < bytes; done = (((uintptr_t)at + done) / PAGE + 1) * PAGE - (uintptr_t)at) {
        uint64_t* word = (uint64_t*)(void*)(((uintptr_t)at + done + 7) & ~(uintptr_t)7);
        if (syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, word, sizeof *word) != 0) return false;
        __atomic_store_n(word, 0, __ATOMIC_RELAXED);
    }
    return true;
}

/* Valgrind's memcheck goes through all memory that is opened, byte by byte, and again when the program ends, which makes it
 * there: a whole segment costs 2 and 1.5 s. So there it is opened where somebody asks for it. */
static bool opens_when_asked(void) {
    return sla_environment()->valgrind;
}

bool sla_populate(void* start, uint64_t bytes) {
    uintptr_t page = (uintptr_t)start & ~(uintptr_t)(PAGE - 1);
    uintptr_t end = (uintptr_t)start + bytes;
    if (opens_when_asked() && mprotect((void*)page, end - page, PROT_READ | PROT_WRITE) != 0) return false;
    while (page < end) {
        uintptr_t piece_end = end - page > kPiece ? page + kPiece : end;
        if (madvise((void*)page, piece_end - page, MADV_POPULATE_WRITE) != 0) {
            /* EINVAL alone says that the kernel is old; all else, that there is no memory. */
            return errno == EINVAL && touch(start, bytes);
        }
        page = piece_end;
    }
    return true;
}

/* Grows the file to its size. Beyond RLIMIT_FSIZE the kernel sends SIGXFSZ, which ends a program that does not expect it: it
 * is blocked here and taken back, unless one was waiting for the program already. */
static int set_size(int fd) {
    sigset_t too_big, before, pending;
    const struct timespec at_once = {0, 0};
    sigemptyset(&too_big);
    sigaddset(&too_big, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_big, &before);
    sigpending(&pending);
    int failed = syscall(SYS_ftruncate, fd, (off_t)SLA_SEGMENT_BYTES) == 0 ? 0 : errno;
    if (failed == EFBIG && !sigismember(&pending, SIGXFSZ)) sigtimedwait(&too_big, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

/* A sealed memfd: the agent may map it without fear of SIGBUS, since it can never shrink. Kept out of core dumps. */
bool sla_memfd_make(struct sla_file* file) {
    int fd = (int)syscall(SYS_memfd_create, "sla-segment", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int failed = fd < 0 ? errno : set_size(fd);
    if (!failed && syscall(SYS_fcntl, fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) failed = errno;
    if (!failed && sla_file_keep(file, fd)) return true;
    sla_debug(failed == EFBIG ? "the limit on the size of files (ulimit -f) is below a segment's, not attaching"
                              : "cannot make a memfd for the segment",
              failed);
    if (fd >= 0) syscall(SYS_close, fd);
    return false;
}

/* A segment is address space, little of it memory. Where that is rationed (RLIMIT_AS) the program comes first: we take a
 * quarter of what it has left, or nothing. */
static bool has_address_space(void) {
    struct rlimit limit;
    char pages[64];
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
    if (sla_read_file("/proc/self/statm", pages, sizeof pages) <= 0) return false;
    uint64_t used = strtoull(pages, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used && (limit.rlim_cur - used) / 4 >= SLA_SEGMENT_BYTES;
}

bool sla_memory_open(void* mapped) {
    return mprotect(mapped, SLA_SEGMENT_BYTES, PROT_READ | PROT_WRITE) == 0;
}

/* A program that locks all its memory to come (mlockall) would have every page of the segment made and locked at once: so it
 * is mapped without access, unlocked, and only then opened. NULL: it cannot be had. */
void* sla_memfd_map(int fd) {
    void* mapped = MAP_FAILED;
    if (has_address_space()) mapped = mmap(NULL, SLA_SEGMENT_BYTES, PROT_NONE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (mapped == MAP_FAILED) return NULL;
    munlock(mapped, SLA_SEGMENT_BYTES);
    madvise(mapped, SLA_SEGMENT_BYTES, MADV_DONTDUMP);
    if ((opens_when_asked() || sla_memory_open(mapped)) && sla_populate(mapped, sizeof(struct sla_segment_header))) {
        return mapped;
    }
    munmap(mapped, SLA_SEGMENT_BYTES);
    return NULL;
}
